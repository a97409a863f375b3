import CommandLineSupport
import Foundation

/// Imports the unchanged broadcast upload extension of an Xcode project, or of the folder of its target, and creates a
/// Swift package that builds here.
///
/// ```swift
/// let report = try ExtensionImport(folder: "App/App.xcodeproj").run(program: program)
/// print(report)
/// ```
package struct ExtensionImport {
  let folder: String
  let destination: String?
  let additions: [String]
  let emulator: String?
  let without: [String]
  let targetName: String?

  /// - Parameters:
  ///   - folder: a project, a folder that contains one, or the folder of the target.
  ///   - destination: the folder of the package; `nil` for a folder in the current one, named after the target.
  ///   - additions: additional files and folders of the target, such as code that it shares with the app. Use `NAME=PATH`
  ///     for a module that is not named after its folder.
  ///   - emulator: the folder of the emulator's package, or its URL with a version or a commit; `nil` to find the package
  ///     of `program`.
  ///   - without: files and folders that are left out: paths, or the ends of paths.
  ///   - targetName: the extension's target, for a project with several extensions.
  package init(
    folder: String, destination: String? = nil, additions: [String] = [], emulator: String? = nil,
    without: [String] = [], targetName: String? = nil
  ) {
    self.folder = folder
    self.destination = destination
    self.additions = additions
    self.emulator = emulator
    self.without = without
    self.targetName = targetName
  }

  /// Creates the package, and returns the report for people.
  ///
  /// - Parameter program: the executable that runs the import. It was built from the emulator's package.
  package func run(program: URL) throws(ProgramFailure) -> String {
    var contents = try contents()
    let added = try additions.map { text throws(ProgramFailure) in try addition(text) }
    contents.target.parts += added
    contents.target.without = without
    contents.app?.without = without
    let emulator: EmulatorPackage =
      if let text = emulator { try EmulatorPackage(text) } else { try EmulatorPackage(ofProgram: program) }
    let modules = KnownModules(
      manifest: try emulator.manifest(program),
      added: Set(added.map(\.place)).union(contents.target.modules.keys))
    var target = try XcodeTarget(contents.target, modules: modules)
    contents.app?.needsInfo = false
    let appTarget = try contents.app.map { app throws(ProgramFailure) in
      try XcodeTarget(app, modules: modules)
    }
    let matched = target.matchedExclusions.union(appTarget?.matchedExclusions ?? [])
    if let name = without.first(where: { !matched.contains($0) }) {
      throw ProgramFailure(.usage, "No file of the target is \(name.quoted); correct --without.")
    }
    guard !target.sources.isEmpty else { throw target.failureWithoutSources }
    target.leaveOutUnneededFiles()
    let app = appTarget.map { AppSide($0, of: target) }
    let package = URL(filePath: destination ?? contents.target.name + "-package").standardizedFileURL
      .withoutLinks
    if let root = target.roots.first(where: package.isIn) {
      throw ProgramFailure(
        .usage, "\(package.path) is inside the imported folder \(root.path); name another folder with --to.",
        pointsToHelp: false)
    }
    var layout = PackageLayout(target, app: app, emulator: emulator, folder: package)
    try layout.write()
    return ImportReport(layout: layout, program: program.path).text
  }

  /// Parses the file or folder of `--add`, which may have the name of its module before it.
  private func addition(_ text: String) throws(ProgramFailure) -> XcodeProject.Part {
    let words = text.split(separator: "=", maxSplits: 1).map(String.init)
    let isNamed = words.count == 2 && words[0].isSwiftIdentifier
    let file = URL(filePath: isNamed ? words[1] : text).standardizedFileURL
    guard FileManager.default.fileExists(atPath: file.path) else {
      throw ProgramFailure(.inputOutput, "\(file.path) does not exist; correct --add.")
    }
    return XcodeProject.Part(file: file, place: isNamed ? words[0] : file.lastPathComponent)
  }

  // MARK: The project

  /// Files of tools that generate a project. They are not read.
  private static let generators: Set = ["Project.swift", "Podfile"]

  /// Returns the extension of the project that is named or that the folder contains. Otherwise the folder is the target.
  private func contents() throws(ProgramFailure) -> (target: XcodeTarget.Contents, app: XcodeTarget.Contents?)
  {
    let top = URL(filePath: folder).standardizedFileURL
    guard XcodeTarget.isFolder(top.path) || XcodeGenSpec.isSpec(top) else {
      throw ProgramFailure(
        .inputOutput, "\(folder) is not a folder; name a project, or the folder of the extension's target.")
    }
    var (projects, specs, targets, generator) = search(top)
    // The folder of an extension next to a project that does not have its target.
    let isProject = (projects + specs).first == top
    if isProject { targets = search(top.deletingLastPathComponent()).targets }
    var found: [(project: XcodeProject, target: XcodeProject.Target)] = []
    // The only folder of an extension can be imported without a project.
    let mayLackProject = targets.count == 1 && targetName == nil
    var reason = generator.map { "\($0) cannot be read: generate its project, and import the project." }
    // The files from which a project is generated count only if the project is missing.
    for files in [projects, specs] where found.isEmpty && !targets.contains(top.path) {
      for file in files {
        do throws(ProgramFailure) {
          let project = try XcodeProject(file, in: top)
          found += project.extensions.map { (project, $0) }
          reason = "\(file.path) has no target of a broadcast upload extension."
        } catch {
          guard mayLackProject, !isProject else { throw error }
          reason = error.message
        }
      }
    }
    let all = found
    if let targetName { found.removeAll { $0.target.name != targetName } }
    if found.count == 1 {
      let (project, target) = found[0]
      let app = try project.app(of: target).map { app throws(ProgramFailure) in try project.contents(of: app)
      }
      return (try project.contents(of: target), app)
    }
    let hasProject = targetName != nil || generator != nil || !(projects + specs).isEmpty
    let isTarget = targets.contains(top.path) || !hasProject && targets.isEmpty
    if isTarget || found.isEmpty && mayLackProject {
      let folder = isTarget ? top : URL(filePath: targets.first ?? top.path)
      var contents = XcodeTarget.Contents(
        name: folder.lastPathComponent, folder: folder, origin: folder.lastPathComponent,
        parts: [XcodeProject.Part(file: folder, place: "")])
      if !isTarget {
        contents.boundary = (isProject ? top.deletingLastPathComponent() : top).withoutLinks
        contents.remark = reason.map {
          "Only the folder \(folder.path) was imported. \($0) Give files that the target shares with --add."
        }
      }
      return (contents, nil)
    }
    let ways =
      targets.isEmpty
      ? "" : ", or the folder of an extension: " + targets.sorted().map(\.quoted).joined(separator: " or ")
    let names = (found.isEmpty ? all : found).map { "\($0.target.name.quoted) of \($0.project.file.path)" }
    let problem =
      if let generator, (projects + specs).isEmpty {
        "\(generator) cannot be read; generate its project first, and name the project"
      } else if let targetName, found.isEmpty {
        "\(folder) has no broadcast upload extension \(targetName.quoted)"
          + (names.isEmpty ? "; correct --target" : "; it has \(names.joined(separator: ", "))")
      } else if found.isEmpty {
        "\(folder) has no project with the target of a broadcast upload extension; name another project, or the folder of its handler"
      } else {
        "\(folder) has \(found.count) broadcast upload extensions: \(names.joined(separator: ", ")); name "
          + (Set(found.map(\.target.name)).count == found.count ? "one with --target" : "a project")
      }
    throw ProgramFailure(.usage, problem + ways + ".", pointsToHelp: false)
  }

  /// Finds the projects below a folder, the files of XcodeGen, the folders that contain both an extension's Info.plist and
  /// code, and a file from which another tool generates a project.
  private func search(_ top: URL) -> (
    projects: [URL], specs: [URL], targets: Set<String>, generator: String?
  ) {
    if top.pathExtension == "xcodeproj" { return ([top], [], [], nil) }
    if XcodeGenSpec.isSpec(top) { return ([], [top], [], nil) }
    var (projects, specs, targets, folders) = ([URL](), [URL](), Set<String>(), Set<String>())
    var generator: String?
    let entries = FileManager.default.enumerator(at: top, includingPropertiesForKeys: nil)
    while let file = entries?.nextObject() as? URL {
      let (name, folder) = (file.lastPathComponent, file.deletingLastPathComponent().path)
      // A generated project may exist without its content.
      if FileManager.default.fileExists(atPath: file.appending(path: "project.pbxproj").path) {
        projects.append(file)
      }
      if XcodeGenSpec.isSpec(file) { specs.append(file) }
      if Self.generators.contains(name) { generator = file.path }
      if XcodeTarget.closedTypes.contains(file.pathExtension) || XcodeTarget.closedNames.contains(name)
        || name.hasPrefix(".")
      {
        entries?.skipDescendants()
      } else if file.pathExtension == "swift" {
        folders.insert(folder)
      } else if file.pathExtension == "plist", XcodeTarget.isOfUploadExtension(file) {
        targets.insert(folder)
      }
    }
    // The Info.plist in the folder itself may belong to code below it.
    targets.formIntersection(folders.union([top.path]))
    return (projects.sorted { $0.path < $1.path }, specs.sorted { $0.path < $1.path }, targets, generator)
  }
}
