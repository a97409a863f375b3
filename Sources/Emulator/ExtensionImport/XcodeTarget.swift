import CommandLineSupport
import EmulatedSystem
import Foundation
import Platform

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
  /// The folders and files that were given, without links on the way.
  let roots: [URL]
  let modules: KnownModules
  private(set) var sources: [Source] = []
  /// Files of other languages.
  private(set) var foreignFiles: [String] = []
  /// Files that the built extension would contain.
  private(set) var resources: [String] = []
  /// What was found and is not taken, in one sentence each.
  private(set) var leftOut: [String] = []
  /// The Info.plist of the extension; `nil` if the folder has none.
  private(set) var infoPlist: URL?
  private var info: [String: Any] = [:]
  private var entitledGroups: [String] = []
  /// Why the file that should be the Info.plist is none.
  private var infoFailure: ProgramFailure?
  /// The places of the files and folders that were read, by their paths without links.
  private var placesRead: [String: String] = [:]

  /// Reads the folder, and further files or folders of the same target.
  init(folder path: String, additions: [String], modules: KnownModules) throws(ProgramFailure) {
    self.modules = modules
    folder = URL(filePath: path).standardizedFileURL
    let added = additions.map { URL(filePath: $0).standardizedFileURL }
    roots = ([folder] + added).map(\.withoutLinks)
    try read(folder, in: "")
    for file in added {
      guard FileManager.default.fileExists(atPath: file.path) else {
        throw ProgramFailure(.inputOutput, "\(file.path) does not exist; correct --add.")
      }
      if Self.isFolder(file.path) {
        try read(file, in: file.lastPathComponent + "/")
      } else {
        try read(file: file, at: file.lastPathComponent)
      }
    }
    if infoPlist == nil, let infoFailure { throw infoFailure }
    guard !sources.isEmpty else { throw failureWithoutSources }
    try checkNames()
  }

  /// The names of the Info.plist become code and folders of the package.
  private func checkNames() throws(ProgramFailure) {
    if let list = infoPlist, let name = principalClass, let word = name.split(separator: ".").last {
      guard String(word).isSwiftIdentifier || word.contains("$") else {
        throw .refusedExtension(
          "\(list.path) has the NSExtensionPrincipalClass \(name.quoted), which is no name of a class.")
      }
    }
    guard module.utf8.count <= Self.longestModule else {
      throw .refusedExtension(
        "The module \(module.quoted) has a name of \(module.utf8.count) bytes, and can have \(Self.longestModule); "
          + "shorten it in NSExtensionPrincipalClass, or rename the folder.")
    }
  }

  /// A file has at most 255 bytes in its name, and that of the tests is longer than the module's.
  private static let longestModule = 200

  // MARK: What the package needs to know

  /// The module: the one that the Info.plist names, else the folder's name as an identifier.
  var module: String {
    let named = principalClass?.split(separator: ".").dropLast().joined(separator: ".") ?? ""
    var name = Self.identifier(named.contains("$") || named.isEmpty ? folder.lastPathComponent : named)
    while modules.isTaken(name) || modules.isTaken(name + "Tests") { name += "Extension" }
    return name
  }

  /// The class that the Info.plist names.
  private var namedClass: String? {
    principalClass?.split(separator: ".").last.flatMap { $0.contains("$") ? nil : String($0) }
  }

  /// The declaration of the handler; `nil` if no file has it.
  var handler: SwiftRewrite.ClassDeclaration? {
    let classes = sources.flatMap(\.rewrite.classes)
    guard let name = namedClass else {
      return classes.first { $0.base?.hasSuffix("SampleHandler") == true }
    }
    return classes.first { $0.name == name } ?? classes.first { $0.objectiveCName == name }
  }

  /// The handler's class as Swift code names it; `nil` if the Info.plist names none and no class is one.
  var handlerClass: String? { handler?.name ?? namedClass }

  /// The text by which the Info.plist names the handler, if the program would not know it: a name in Objective-C, or another
  /// module than that of the package.
  var nameInInfoPlist: String? {
    guard let name = principalClass, let handlerClass else { return nil }
    // A name without a module that no class has in Objective-C is a mistake, which the program reports.
    guard name == handler?.objectiveCName || name.contains(".") else { return nil }
    let isKnown =
      name == "\(module).\(handlerClass)" || ExtensionInfo.classBehindVariable(in: name) == handlerClass
    return isKnown ? nil : name
  }

  /// The app group that entitlements, the Info.plist or the code name first.
  var group: String? { groups.first(where: AppGroupRoot.isGroupID) }

  /// A group that is named, if there is none that can be used.
  var unusableGroup: String? { group == nil ? groups.first : nil }

  private var groups: [String] {
    let inInfo = info.sorted { $0.key < $1.key }.compactMap { $0.value as? String }
      .filter { $0.hasPrefix("group.") }
    return entitledGroups + inInfo + sources.flatMap(\.rewrite.groups)
  }

  private var principalClass: String? {
    (info["NSExtension"] as? [String: Any])?["NSExtensionPrincipalClass"] as? String
  }

  private static func identifier(_ name: String) -> String {
    let word = String(name.map { $0.isLetter || $0.isNumber || $0 == "_" ? $0 : "_" })
    return word.first?.isNumber == true ? "_" + word : word
  }

  // MARK: Files

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
    guard isNew(folder, at: place) else { return }
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
        if try FileStatus.at(file)?.kind == .symbolicLink {
          leaveOut(linkToFolder: file, at: place + name)
        } else {
          try read(file, in: place + name + "/")
        }
      }
    }
  }

  /// Whether a file or folder was not read before, under another place.
  private mutating func isNew(_ file: URL, at place: String) -> Bool {
    let path = file.withoutLinks.path
    if let earlier = placesRead[path] {
      leftOut.append("\(place), which is taken already: \(earlier.isEmpty ? folder.path : earlier).")
      return false
    }
    placesRead[path] = place
    return true
  }

  private mutating func leaveOut(linkToFolder link: URL, at place: String) {
    let goal = link.withoutLinks
    let reason =
      if link.deletingLastPathComponent().withoutLinks.isIn(goal) {
        "which the link lies in"
      } else if roots.contains(where: goal.isIn) {
        "which is taken where it lies"
      } else {
        "which lies elsewhere; name that folder with --add if it belongs to the target"
      }
    leftOut.append("\(place), a link to the folder \(goal.path), \(reason).")
  }

  private mutating func read(file: URL, at place: String) throws(ProgramFailure) {
    switch file.pathExtension {
    case "swift" where file.lastPathComponent == "main.swift":
      leftOut.append("\(place), where a program starts; the package has a main.swift of its own.")
    case "swift":
      guard isNew(file, at: place), let text = try text(of: file, at: place) else { break }
      // A mark of the byte order is allowed at the start of a file only, which a copy has elsewhere.
      let code = text.hasPrefix("\u{FEFF}") ? String(text.unicodeScalars.dropFirst()) : text
      do throws(NestingError) {
        sources.append(Source(file: file, place: place, rewrite: try SwiftRewrite(code, modules: modules)))
      } catch {
        throw ProgramFailure(
          .inputOutput,
          "\(file.path):\(error.line): more than \(NestingError.limit) braces, texts or conditions within each other, which "
            + "the compiler refuses too.")
      }
    case "plist":
      guard let list = propertyList(file) else { break }
      let keys = list["NSExtension"] as? [String: Any]
      guard infoPlist == nil, keys?["NSExtensionPointIdentifier"] as? String == ExtensionInfo.extensionPoint
      else { break }
      (infoPlist, info) = (file, list)
    case "entitlements":
      let key = "com.apple.security.application-groups"
      entitledGroups += propertyList(file)?[key] as? [String] ?? []
    case let type where Self.foreignTypes.contains(type): foreignFiles.append(place)
    case "md", "txt", "xcconfig", "modulemap": break
    default: resources.append(place)
    }
  }

  /// The largest Swift file that is read, in bytes.
  private static let largestSource = 64 << 20

  /// The text of a Swift file; `nil` if it is none that the compiler would read.
  private mutating func text(of file: URL, at place: String) throws(ProgramFailure) -> String? {
    let bytes: [UInt8]
    do throws(FileError) {
      guard try System.statusFollowing(file.path).kind == .plainFile else {
        leftOut.append("\(place), which is not a plain file.")
        return nil
      }
      bytes = try System.read(
        try System.open(file.withoutLinks.path, System.readOnly), limit: Self.largestSource + 1)
    } catch {
      guard try FileStatus.at(file)?.kind == .symbolicLink else {
        throw ProgramFailure(error)
      }
      leftOut.append("\(place), a link to a file that cannot be read: \(error).")
      return nil
    }
    guard bytes.count <= Self.largestSource, let text = String(validating: bytes, as: UTF8.self) else {
      leftOut.append("\(place), which is not a text in UTF-8 of at most 64 MiB.")
      return nil
    }
    return text
  }

  /// The values of a property list; `nil` if it cannot be read.
  private mutating func propertyList(_ file: URL) -> [String: Any]? {
    do throws(ProgramFailure) { return try PropertyListFile.dictionary(file.path) } catch {
      leftOut.append(error.message)
      let names = ["Info.plist", folder.lastPathComponent + "-Info.plist"]
      if names.contains(file.lastPathComponent) { infoFailure = infoFailure ?? error }
      return nil
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
      return keys?["NSExtensionPointIdentifier"] as? String == ExtensionInfo.extensionPoint
    } catch {
      // Another list of the project is not of interest.
      return false
    }
  }
}

extension URL {
  /// The path without links on the way, as far as it exists.
  var withoutLinks: URL {
    // Foundation leaves all links of a path that does not exist.
    if path == "/" || FileManager.default.fileExists(atPath: path) { return resolvingSymlinksInPath() }
    return deletingLastPathComponent().withoutLinks.appending(path: lastPathComponent)
  }

  /// Whether the path is that of a folder, or leads through it.
  func isIn(_ folder: URL) -> Bool { (path + "/").hasPrefix(folder.path + "/") }
}

extension FileStatus {
  /// The status of a file, of a link itself; `nil` if nothing is there.
  static func at(_ file: URL) throws(ProgramFailure) -> FileStatus? {
    do { return try read(at: file.path) } catch { throw ProgramFailure(error) }
  }
}
