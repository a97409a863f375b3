import CommandLineSupport
import Foundation

/// The folder of a broadcast upload extension's target, as Xcode has it.
struct XcodeTarget {
  /// A Swift file of the target.
  struct Source {
    let file: URL
    /// Its place below the sources of the package.
    let place: String
    let rewrite: SwiftRewrite
  }

  let folder: URL
  let modules: KnownModules
  private(set) var sources: [Source] = []
  /// Files of other languages.
  private(set) var foreignFiles: [String] = []
  /// Files that the built extension would contain.
  private(set) var resources: [String] = []
  /// The Info.plist of the extension; `nil` if the folder has none.
  private(set) var infoPlist: URL?
  private var info: [String: Any] = [:]
  private var entitledGroups: [String] = []

  /// Reads the folder, and further files or folders of the same target.
  init(folder path: String, additions: [String], modules: KnownModules) throws(ProgramFailure) {
    self.modules = modules
    folder = URL(filePath: path).standardizedFileURL
    try read(folder, in: "")
    for path in additions {
      let file = URL(filePath: path).standardizedFileURL
      if Self.isFolder(file.path) {
        try read(file, in: file.lastPathComponent + "/")
      } else {
        try read(file: file, at: file.lastPathComponent)
      }
    }
    guard !sources.isEmpty else { throw failureWithoutSources }
  }

  // MARK: What the package needs to know

  /// The module: the one that the Info.plist names, else the folder's name as an identifier.
  var module: String {
    let named = principalClass?.split(separator: ".").dropLast().joined(separator: ".") ?? ""
    var name = Self.identifier(named.contains("$") || named.isEmpty ? folder.lastPathComponent : named)
    if modules.has(name) || ["producer", "consumer"].contains(name) { name += "Extension" }
    return name
  }

  /// The handler's class as Swift code names it; `nil` if the Info.plist names none and no class is one.
  var handlerClass: String? {
    let classes = sources.flatMap(\.rewrite.classes)
    if let name = principalClass?.split(separator: ".").last.map(String.init), !name.contains("$") {
      return classes.first { $0.name == name }?.name ?? classes.first { $0.objectiveCName == name }?.name
        ?? name
    }
    return classes.first { $0.base?.hasSuffix("SampleHandler") == true }?.name
  }

  /// Whether a file of the target has the handler's class.
  var hasHandlerClass: Bool {
    sources.flatMap(\.rewrite.classes).contains { $0.name == handlerClass }
  }

  /// The name in Objective-C by which the Info.plist names the handler; `nil` if it uses the class's own name.
  var objectiveCName: String? {
    let declared = sources.flatMap(\.rewrite.classes).first { $0.name == handlerClass }?.objectiveCName
    return declared == principalClass ? declared : nil
  }

  /// The app group that entitlements, the Info.plist or the code name first.
  var group: String? {
    let inInfo = info.sorted { $0.key < $1.key }.compactMap { $0.value as? String }
      .filter { $0.hasPrefix("group.") && !$0.contains("$") }
    return (entitledGroups + inInfo + sources.flatMap(\.rewrite.groups)).first
  }

  private var principalClass: String? {
    (info["NSExtension"] as? [String: Any])?["NSExtensionPrincipalClass"] as? String
  }

  private static func identifier(_ name: String) -> String {
    let word = String(name.map { $0.isLetter || $0.isNumber || $0 == "_" ? $0 : "_" })
    return word.first?.isNumber == true ? "_" + word : word
  }

  // MARK: Files

  private static let extensionPoint = "com.apple.broadcast-services-upload"

  static func isFolder(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    // UNSAFE: the out parameter is a local variable.
    return unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
  }

  private static let foreignTypes: Set = [
    "m", "mm", "h", "c", "cc", "cpp", "hpp", "metal", "pch", "intentdefinition",
  ]
  /// Folders that are one file to Xcode, and those of other tools.
  private static let closedTypes: Set = [
    "xcodeproj", "xcworkspace", "xcassets", "bundle", "framework", "xcframework", "lproj", "xcdatamodeld",
    "mlpackage",
    "app", "appex",
  ]
  private static let closedNames: Set = ["Pods", "Carthage", "DerivedData", "build", "node_modules"]

  private mutating func read(_ folder: URL, in place: String) throws(ProgramFailure) {
    let names: [String]
    do { names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() } catch {
      throw ProgramFailure(.inputOutput, "\(folder.path) cannot be listed: \(error.reasonText).")
    }
    for name in names where !name.hasPrefix(".") {
      let file = folder.appending(path: name)
      guard Self.isFolder(file.path) else {
        try read(file: file, at: place + name)
        continue
      }
      if Self.closedTypes.contains(file.pathExtension) {
        if file.pathExtension != "xcodeproj" { resources.append(place + name) }
      } else if !Self.closedNames.contains(name) {
        try read(file, in: place + name + "/")
      }
    }
  }

  private mutating func read(file: URL, at place: String) throws(ProgramFailure) {
    switch file.pathExtension {
    case "swift":
      let text: String
      do { text = try String(contentsOf: file, encoding: .utf8) } catch {
        throw ProgramFailure(.inputOutput, "\(file.path) cannot be read: \(error.reasonText).")
      }
      // A mark of the byte order is allowed at the start of a file only, which a copy has elsewhere.
      let code = text.hasPrefix("\u{FEFF}") ? String(text.unicodeScalars.dropFirst()) : text
      sources.append(Source(file: file, place: place, rewrite: SwiftRewrite(code, modules: modules)))
    case "plist":
      let list = try PropertyListFile.dictionary(file.path)
      let keys = list["NSExtension"] as? [String: Any]
      guard infoPlist == nil, keys?["NSExtensionPointIdentifier"] as? String == Self.extensionPoint else {
        break
      }
      (infoPlist, info) = (file, list)
    case "entitlements":
      let key = "com.apple.security.application-groups"
      entitledGroups += (try PropertyListFile.dictionary(file.path)[key] as? [String] ?? [])
        .filter { !$0.contains("$") }
    case let type where Self.foreignTypes.contains(type): foreignFiles.append(place)
    case "md", "txt", "xcconfig", "modulemap": break
    default: resources.append(place)
    }
  }

  private var failureWithoutSources: ProgramFailure {
    guard foreignFiles.isEmpty else {
      return ProgramFailure(
        .usage,
        "\(folder.path) has no Swift file, and \(foreignFiles.count) of other languages; only Swift can be built here.",
        pointsToHelp: false)
    }
    return ProgramFailure(
      .usage, "\(folder.path) has no Swift file; name the folder of the extension's target.",
      pointsToHelp: false)
  }
}

extension XcodeTarget {
  /// Throws if `path` is the folder of a whole project, and names the extensions in it.
  static func checkIsTarget(_ path: String) throws(ProgramFailure) {
    guard isFolder(path) else {
      throw ProgramFailure(.inputOutput, "\(path) is not a folder; name that of the extension's target.")
    }
    let folder = URL(filePath: path).standardizedFileURL
    let entries = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
    var (hasProject, targets) = (false, Set<String>())
    while let file = entries?.nextObject() as? URL {
      if file.pathExtension == "xcodeproj" || file.lastPathComponent == "Podfile" {
        hasProject = true
        entries?.skipDescendants()
      } else if closedNames.contains(file.lastPathComponent) || file.lastPathComponent.hasPrefix(".") {
        entries?.skipDescendants()
      } else if file.pathExtension == "plist", isOfUploadExtension(file) {
        targets.insert(file.deletingLastPathComponent().path)
      }
    }
    guard hasProject, !targets.isEmpty, !targets.contains(folder.path) else { return }
    throw ProgramFailure(
      .usage,
      "\(path) is a project; name the folder of its extension: "
        + targets.sorted().map(\.quoted).joined(separator: " or ") + ".", pointsToHelp: false)
  }

  private static func isOfUploadExtension(_ file: URL) -> Bool {
    do throws(ProgramFailure) {
      let keys = try PropertyListFile.dictionary(file.path)["NSExtension"] as? [String: Any]
      return keys?["NSExtensionPointIdentifier"] as? String == extensionPoint
    } catch {
      // Another list of the project is not of interest.
      return false
    }
  }
}
