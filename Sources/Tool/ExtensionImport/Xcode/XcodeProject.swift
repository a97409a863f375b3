import CommandLineSupport
import EmulatedSystem
import Foundation
import Platform

/// The targets of an Xcode project with their files.
///
/// A project is not trusted, and its paths can lead anywhere. Code that reads the files checks that they are in ``boundary``.
struct XcodeProject {
  /// `App.xcodeproj`, or the `project.yml` from which it is generated.
  let file: URL
  /// The folder that paths are relative to.
  let folder: URL
  /// The folder of the clone, or the folder of the project if there is no clone.
  let boundary: URL
  private let objects: [String: [String: Any]]
  private let project: [String: Any]
  /// The ID of the group that contains a file or a group, by the ID of the file or the group.
  private let parents: [String: String]
  /// The objects of each kind, sorted by ID.
  private let kinds: [String: [(id: String, values: [String: Any])]]

  /// A file or a folder that belongs to a target.
  struct Part {
    let file: URL
    /// The path below the sources of the package; empty for the folder that is the target.
    let place: String
    /// The paths in the folder that do not belong to the target.
    var leavesOut: Set<String> = []
  }

  struct Target {
    let id: String
    let name: String
    let settings: BuildSettings
    fileprivate let values: [String: Any]
    fileprivate var type: String { values["productType"] as? String ?? "" }
    var module: String { settings["PRODUCT_MODULE_NAME"] ?? settings["PRODUCT_NAME"] ?? name }
  }

  private static let largest = 64 << 20

  /// Reads the project in `file`.
  ///
  /// - Parameter top: the folder that the user named. The project may be in a subfolder.
  init(_ file: URL, in top: URL) throws(ProgramFailure) {
    let place = file.deletingLastPathComponent()
    boundary = (Self.clone(around: place) ?? (place.isIn(top) ? top : place)).withoutLinks
    let isSpec = XcodeGenSpec.isSpec(file)
    let content = isSpec ? file : file.appending(path: "project.pbxproj")
    guard content.withoutLinks.isIn(boundary) else {
      throw ProgramFailure(
        .usage, "\(content.path) leads out of \(boundary.path); name the project itself.",
        pointsToHelp: false)
    }
    let list =
      isSpec
      ? XcodeGenSpec.project(try content.withoutLinks.plainText(limit: Self.largest) ?? "")
      : try PropertyListFile.dictionary(content.path, limit: Self.largest)
    objects = (list["objects"] as? [String: Any] ?? [:]).compactMapValues { $0 as? [String: Any] }
    project = (list["rootObject"] as? String).flatMap { [objects] in objects[$0] } ?? [:]
    self.file = file
    folder = place.appending(path: project["projectDirPath"] as? String ?? "").standardizedFileURL
    var parents: [String: String] = [:]
    for (id, values) in objects {
      for child in values["children"] as? [String] ?? [] { parents[child] = id }
    }
    self.parents = parents
    kinds = Dictionary(grouping: objects.sorted { $0.key < $1.key }.map { (id: $0.key, values: $0.value) }) {
      $0.values["isa"] as? String ?? ""
    }
    targets = try readTargets()
    followed = readFollowedFolders()
  }

  private static func clone(around folder: URL) -> URL? {
    var folder = folder
    while folder.path != "/" {
      if FileManager.default.fileExists(atPath: folder.appending(path: ".git").path) { return folder }
      folder.deleteLastPathComponent()
    }
    return nil
  }

  private func all(_ ids: Any?) -> [(id: String, values: [String: Any])] {
    (ids as? [String] ?? []).compactMap { id in objects[id].map { (id, $0) } }
  }

  private func all(ofKind kind: String) -> [(id: String, values: [String: Any])] { kinds[kind] ?? [] }

  // MARK: Targets

  private(set) var targets: [Target] = []

  private func readTargets() throws(ProgramFailure) -> [Target] {
    try all(project["targets"]).map { id, values throws(ProgramFailure) in
      let name = values["name"] as? String ?? ""
      var settings = BuildSettings([
        "TARGET_NAME": name, "PRODUCT_NAME": name, "SRCROOT": folder.path, "PROJECT_DIR": folder.path,
      ])
      for owner in [project, values] {
        let list = (owner["buildConfigurationList"] as? String).flatMap { objects[$0] }
        let configurations = all(list?["buildConfigurations"]).map(\.values)
        guard
          let configuration = configurations.first(where: { $0["name"] as? String == "Debug" })
            ?? configurations.first
        else { continue }
        // Like Xcode, skip the settings of a missing file.
        if let id = configuration["baseConfigurationReference"] as? String, let file = url(of: id),
          file.withoutLinks.isIn(boundary), let text = try file.withoutLinks.plainText(limit: Self.largest)
        {
          settings.merge(configuration: text)
        }
        settings.merge(configuration["buildSettings"] as? [String: Any] ?? [:])
      }
      return Target(id: id, name: name, settings: settings, values: values)
    }
  }

  /// The broadcast upload extensions.
  var extensions: [Target] {
    targets.filter { target in
      guard target.type == "com.apple.product-type.app-extension", let list = infoPlist(of: target) else {
        return false
      }
      return target.values["extensionPoint"] as? String == ExtensionInfo.extensionPoint
        || list.file.withoutLinks.isIn(boundary) && XcodeTarget.isOfUploadExtension(list.file)
    }
  }

  /// The app that contains an extension.
  func app(of target: Target) -> Target? {
    let apps = targets.filter { $0.type == "com.apple.product-type.application" }
    return apps.first { app in
      all(app.values["dependencies"]).contains { $0.values["target"] as? String == target.id }
    } ?? (apps.count == 1 ? apps[0] : nil)
  }

  /// Returns the contents of a target, with the modules that it may import.
  func contents(of target: Target) throws(ProgramFailure) -> XcodeTarget.Contents {
    XcodeTarget.Contents(
      name: XcodeTarget.identifier(target.module),
      owner: XcodeTarget.identifier(
        app(of: target)?.module ?? file.deletingPathExtension().lastPathComponent),
      folder: folder, origin: "\(target.name) of \(file.lastPathComponent)",
      parts: parts(of: target),
      settings: target.settings, boundary: boundary, modules: try modules(),
      products: remoteProducts(of: target), closedFrameworks: closedFrameworks)
  }

  // MARK: Files

  private func infoPlist(of target: Target) -> Part? { target.settings["INFOPLIST_FILE"].map(part) }

  private func part(_ path: String) -> Part {
    part(
      path.hasPrefix("/")
        ? URL(filePath: path).standardizedFileURL : folder.appending(path: path).standardizedFileURL)
  }

  private func part(_ file: URL) -> Part {
    let above = [folder, boundary].first { file.isIn($0) && file.path != $0.path }
    return Part(
      file: file,
      place: above.map { String(file.path.dropFirst($0.path.count + ($0.path == "/" ? 0 : 1))) }
        ?? file.lastPathComponent)
  }

  /// The maximum number of nested groups. Beyond it, the groups form a cycle.
  private static let mostGroups = 64

  /// Returns the location of a file or a group; `nil` for build products, for files of the SDK, and for paths that are too long.
  private func url(of id: String) -> URL? {
    var (names, next) = ([String](), id)
    for _ in 0..<Self.mostGroups {
      guard let values = objects[next], names.reduce(0, { $0 + $1.utf8.count }) < Int(PATH_MAX) else {
        return nil
      }
      if let path = values["path"] as? String { names.insert(path, at: 0) }
      let path = names.joined(separator: "/")
      switch values["sourceTree"] as? String {
      case "<group>":
        guard let parent = parents[next] else { return folder.appending(path: path).standardizedFileURL }
        next = parent
      case "SOURCE_ROOT": return folder.appending(path: path).standardizedFileURL
      case "<absolute>": return URL(filePath: path).standardizedFileURL
      default: return nil
      }
    }
    return nil
  }

  /// Returns the Info.plist, the entitlements and the bridging header, then the files of the build phases and the folders that
  /// Xcode synchronizes.
  private func parts(of target: Target) -> [Part] {
    let files = ["CODE_SIGN_ENTITLEMENTS", "SWIFT_OBJC_BRIDGING_HEADER"].map { target.settings[$0] }
    var parts = ([infoPlist(of: target)] + files.map { $0.map(part) }).compactMap { $0 }
    for phase in all(target.values["buildPhases"]).map(\.values)
    where ["PBXSourcesBuildPhase", "PBXResourcesBuildPhase"].contains(phase["isa"] as? String) {
      parts += all(phase["files"]).compactMap {
        ($0.values["fileRef"] as? String).flatMap(url(of:)).map(part)
      }
    }
    let own = Set(target.values["fileSystemSynchronizedGroups"] as? [String] ?? [])
    let exceptions = followed.exceptions[target.id] ?? [:]
    for id in own.union(exceptions.keys).sorted() {
      guard let root = followed.roots[id] else { continue }
      let names = exceptions[id] ?? []
      if own.contains(id) {
        parts.append(
          Part(file: root.file, place: root.place, leavesOut: Set(names.map { "\(root.place)/\($0)" })))
      } else {
        // A folder of another target lists the files that belong to this target.
        parts += names.map { part(root.file.appending(path: $0).standardizedFileURL) }
      }
    }
    return parts
  }

  /// The folders that Xcode synchronizes, by the IDs of their groups, and each target's exceptions in them.
  private var followed: (roots: [String: Part], exceptions: [String: [String: [String]]]) = ([:], [:])

  private func readFollowedFolders() -> (roots: [String: Part], exceptions: [String: [String: [String]]]) {
    var result = followed
    for group in all(ofKind: "PBXFileSystemSynchronizedRootGroup") {
      result.roots[group.id] = url(of: group.id).map(part)
      for exception in all(group.values["exceptions"]).map(\.values) {
        guard let target = exception["target"] as? String else { continue }
        result.exceptions[target, default: [:]][group.id, default: []] +=
          exception["membershipExceptions"] as? [String] ?? []
      }
    }
    return result
  }

  // MARK: Modules

  /// Returns the remote package products of the whole project, because the sources of its frameworks are copied too.
  private func remoteProducts(of target: Target) -> [RemoteProduct] {
    let own = target.values["packageProductDependencies"] as? [String] ?? []
    return all(ofKind: "XCSwiftPackageProductDependency").compactMap { id, values in
      guard let name = values["productName"] as? String, let package = values["package"] as? String,
        let url = objects[package]?["repositoryURL"] as? String
      else { return nil }
      let requirement = objects[package]?["requirement"] as? [String: String] ?? [:]
      return RemoteProduct(name: name, url: url, requirement: requirement, isOfTarget: own.contains(id))
    }
  }

  /// The frameworks that the project names as files. iOS has the frameworks of the SDK, and Xcode builds the products.
  private var closedFrameworks: Set<String> {
    let files = all(ofKind: "PBXFileReference").filter {
      !["SDKROOT", "DEVELOPER_DIR", "BUILT_PRODUCTS_DIR"].contains($0.values["sourceTree"] as? String)
    }
    .compactMap { ($0.values["path"] as? String).map { URL(filePath: $0) } }
    return Set(
      files.filter { $0.pathExtension.hasSuffix("framework") }.map {
        $0.deletingPathExtension().lastPathComponent
      }
    )
  }

  /// Returns the modules of the project's frameworks and local packages, with their files.
  private func modules() throws(ProgramFailure) -> [String: [Part]] {
    var modules: [String: [Part]] = [:]
    for target in targets where ["framework", "library"].contains(where: target.type.contains) {
      modules[target.module] = parts(of: target).filter { $0.file.pathExtension != "plist" }
    }
    let packages =
      [folder]
      + all(ofKind: "XCLocalSwiftPackageReference").compactMap { $0.values["relativePath"] as? String }
      .map { part($0).file } + all(ofKind: "PBXFileReference").compactMap { url(of: $0.id) }
    for package in packages where XcodeTarget.isFolder(package.path) {
      let manifest = package.appending(path: "Package.swift")
      guard manifest.withoutLinks.isIn(boundary),
        let text = try manifest.withoutLinks.plainText(limit: Self.largest)
      else { continue }
      var names: Set<String> = []
      for match in text.matches(of: /\.target\(\s*name:\s*"(\w+)"(?:[^()]*?\bpath:\s*"([^"]+)")?/) {
        let (name, path) = (String(match.1), match.2.map(String.init))
        guard modules[name] == nil, names.insert(name).inserted else { continue }
        let folder = [path ?? "Sources/\(name)", "Sources"].map {
          package.appending(path: $0).standardizedFileURL
        }
        .first { XcodeTarget.isFolder($0.path) }
        if let folder { modules[name] = [part(folder)] }
      }
    }
    return modules
  }
}
