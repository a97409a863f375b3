import CommandLineSupport
import EmulatedSystem
import Foundation
import Platform

/// The target of a broadcast upload extension: a target of an Xcode project, or a folder.
struct XcodeTarget {
  /// A Swift file of the target.
  struct Source {
    let file: URL
    /// The path below the sources of the package.
    let place: String
    let rewrite: SwiftRewrite
  }

  /// The contents of a target before its files are read.
  struct Contents {
    /// The name of the module, unless the Info.plist names another.
    let name: String
    /// The prefix for a module name that is already taken: the name of the app's module.
    var owner = "My"
    /// The folder of the project, or of the target if there is no project.
    let folder: URL
    /// The project or the folder, as shown to the user.
    let origin: String
    var parts: [XcodeProject.Part]
    var settings = BuildSettings()
    /// The folder outside of which no file is read; `nil` for a folder without a project.
    var boundary: URL?
    /// The modules whose files are added to the target if it imports them.
    var modules: [String: [XcodeProject.Part]] = [:]
    /// The products of remote packages.
    var products: [RemoteProduct] = []
    /// Whether an unreadable Info.plist is an error if no other Info.plist is found.
    var needsInfo = true
    /// The files and folders that the user leaves out: a path, or the end of one.
    var without: [String] = []
    /// The frameworks that the project contains only as binaries.
    var closedFrameworks: Set<String> = []
    /// A line of the report: why only the folder of the extension is imported, and not its project. `nil` if there is nothing to
    /// say.
    var remark: String?

    /// Returns the entry of ``without`` that names a file or a folder.
    fileprivate func exclusion(of file: URL, at place: String) -> String? {
      without.first {
        "/\(place)/".hasSuffix("/\($0)/") || URL(filePath: $0).standardizedFileURL.path == file.path
      }
    }
  }

  let contents: Contents
  let modules: KnownModules
  private(set) var sources: [Source] = []
  /// Files of other languages.
  private(set) var foreignFiles: Set<String> = []
  /// Files that the built extension would contain.
  private(set) var resources: [String] = []
  /// The files and folders that are missing from the package, each with the reason.
  private(set) var leftOut: [String] = []
  /// The entries of ``Contents/without`` that named a file or a folder.
  private(set) var matchedExclusions: Set<String> = []
  /// The Info.plist of the extension; `nil` if the target has none.
  private(set) var infoPlist: URL?
  /// The values of the Info.plist, with the values of the build settings.
  private(set) var info: [String: Any] = [:]
  /// Whether the build settings change a value of the Info.plist.
  private(set) var hasOwnInfo = false
  private var entitledGroups: [String] = []
  /// Why the expected Info.plist could not be read.
  private var unreadableInfo: ProgramFailure?
  /// The places of the files and folders that have been read, by their resolved paths.
  private var placesRead: [String: String] = [:]

  private var folder: URL { contents.folder }
  /// The named files and folders, with links resolved.
  var roots: [URL] { contents.parts.map(\.file.withoutLinks) }

  /// Reads the parts, and the imported modules of the project.
  init(_ contents: Contents, modules: KnownModules) throws(ProgramFailure) {
    self.contents = contents
    self.modules = modules
    for part in contents.parts { try read(part) }
    var (taken, next) = (Set<String>(), 0)
    while next < sources.count {
      for name in sources[next].rewrite.imports.map(\.module) where taken.insert(name).inserted {
        for part in contents.modules[name] ?? [] { try read(part) }
      }
      next += 1
    }
    if contents.needsInfo, infoPlist == nil, let unreadableInfo { throw unreadableInfo }
    try checkNames()
  }

  /// Checks the names in the Info.plist, because they become code and folders of the package.
  private func checkNames() throws(ProgramFailure) {
    if let list = infoPlist, let name = principalClass, let word = name.split(separator: ".").last {
      guard String(word).isSwiftIdentifier || word.contains("$") else {
        throw .refusedExtension(
          "\(list.path) has the NSExtensionPrincipalClass \(name.quoted), not the name of a class.")
      }
    }
  }

  /// Leaves out two kinds of files, unless the handler needs them: files that import a module that is missing here, and files
  /// that use a file that is left out. Examples are views in a shared folder, and the app's database.
  mutating func leaveOutUnneededFiles() {
    let (module, handler) = (module, handler?.name)
    func missing(_ source: Source) -> String? {
      source.rewrite.imports.first {
        !$0.isConditional && modules.lacks($0.module) && $0.module != module
      }?.module
    }
    var rest = sources
    func take(where isTaken: (Source) -> Bool) -> [Source] {
      defer { rest.removeAll(where: isTaken) }
      return rest.filter(isTaken)
    }
    var taken = take { source in source.rewrite.classes.contains { $0.name == handler } }
    if taken.isEmpty { taken = take { missing($0) == nil } }
    while !taken.isEmpty {
      let words = taken.reduce(into: Set<String>()) { $0.formUnion($1.rewrite.words) }
      taken = take { $0.rewrite.exports?.isDisjoint(with: words) != true }
    }
    var (names, places) = (Set<String>(), Set<String>())
    taken = take { missing($0) != nil }
    while !taken.isEmpty {
      for source in taken {
        names.formUnion(source.rewrite.exports ?? [])
        places.insert(source.place)
        let reason = missing(source).map { "imports \($0)" } ?? "uses a file that is left out"
        leftOut.append("\(source.place), which \(reason): the handler does not need it.")
      }
      taken = take { !$0.rewrite.words.isDisjoint(with: names) }
    }
    sources.removeAll { places.contains($0.place) }
  }

  // MARK: What the package needs to know

  /// The name of the module: the name in the Info.plist, otherwise the name of the folder as an identifier.
  var module: String {
    let named = principalClass?.split(separator: ".").dropLast().joined(separator: ".") ?? ""
    var name = Self.identifier(named.contains("$") || named.isEmpty ? contents.name : named)
    func isTaken(_ name: String) -> Bool { modules.isTaken(name) || modules.isTaken(name + "Tests") }
    // BroadcastExtension, the name that Xcode suggests, is already a product of the emulator.
    if isTaken(name), name.hasSuffix("Extension") { name = contents.owner + name }
    while isTaken(name) { name += "Extension" }
    return name
  }

  /// The imports of modules that do not exist here, with their places.
  var missingImports: [String: [String]] {
    let places = sources.flatMap { source in
      source.rewrite.imports.filter {
        !$0.isConditional && modules.lacks($0.module) && $0.module != module
          && (modules.replacement(for: $0.module) == nil || !source.rewrite.hasNoViews)
      }
      .map { (module: $0.module, place: "\(source.place):\($0.line)") }
    }
    return Dictionary(grouping: places, by: \.module).mapValues { $0.map(\.place) }
  }

  /// Returns where the project has a missing module.
  func origin(of module: String) -> KnownModules.Origin? {
    let frameworks = resources.map { URL(filePath: $0) }.filter { $0.pathExtension.hasSuffix("framework") }
    if contents.closedFrameworks.union(frameworks.map { $0.deletingPathExtension().lastPathComponent })
      .contains(module)
    {
      return .closedFramework
    }
    return remoteProducts.isEmpty ? nil : .package
  }

  /// The products of remote packages that may contain the missing modules.
  var remoteProducts: [RemoteProduct] {
    let missing = missingImports
    let products = contents.products.filter {
      missing[$0.name] != nil || $0.isOfTarget && !missing.isEmpty && modules.lacks($0.name)
    }
    // Each target of a project has its own product object.
    return Dictionary(products.map { ($0.name, $0) }) { first, _ in first }.values.sorted {
      $0.name < $1.name
    }
  }

  /// The class that the Info.plist names, without its module; `nil` for a handler of movie files, because iOS 11 and later do not
  /// call it.
  var namedClass: String? {
    let name = principalClass?.split(separator: ".").last.flatMap { $0.contains("$") ? nil : String($0) }
    let isOfClips = sources.contains {
      $0.rewrite.classes.contains { $0.name == name && $0.base == "RPBroadcastMP4ClipHandler" }
    }
    return isOfClips ? nil : name
  }

  /// The declaration of the handler; `nil` if no file contains it.
  var handler: SwiftRewrite.ClassDeclaration? {
    let classes = sources.flatMap(\.rewrite.classes)
    if let name = namedClass {
      return classes.first { $0.name == name } ?? classes.first { $0.objectiveCName == name }
    }
    let bases = Set(classes.compactMap(\.base))
    let handlers = classes.filter { $0.base?.hasSuffix("SampleHandler") == true }
    // A class that is open or has subclasses is not meant to be the handler.
    return handlers.first { !$0.isOpen && !bases.contains($0.name) } ?? handlers.first
  }

  /// The handler's class as Swift code names it; `nil` if the Info.plist names no class and no class looks like a handler.
  var handlerClass: String? { handler?.name ?? namedClass }

  /// Why the program rejects the Info.plist.
  var infoFailure: ProgramFailure? {
    guard infoPlist != nil else { return nil }
    do throws(ProgramFailure) { _ = try ExtensionInfo(info, path: "Info.plist") } catch { return error }
    return nil
  }

  /// The name of the socket in the app group to which the handler connects, as far as it is visible in the code.
  var socketName: String? {
    let names = sources.flatMap(\.rewrite.fileNames)
    // Without the group, the test and the handler would use different containers.
    guard group != nil,
      sources.contains(where: {
        $0.rewrite.words.contains("sockaddr_un") || $0.rewrite.words.isSuperset(of: ["NWConnection", "unix"])
      })
    else { return nil }
    return names.first { $0.contains(/(?i)sock|fd$/) } ?? (Set(names).count == 1 ? names.first : nil)
  }

  /// The name of the handler's class in the Info.plist, if the program would not find the class by it: an Objective-C name, or a
  /// name with another module than the package's.
  var nameInInfoPlist: String? {
    guard let name = principalClass, namedClass != nil, let handlerClass else { return nil }
    // A name without a module that is not a class's Objective-C name is a mistake. The program reports it.
    guard name == handler?.objectiveCName || name.contains(".") else { return nil }
    let isKnown =
      name == "\(module).\(handlerClass)" || ExtensionInfo.classBehindVariable(in: name) == handlerClass
    return isKnown ? nil : name
  }

  /// The first usable app group in the entitlements, the Info.plist or the code.
  var group: String? { groups.first(where: AppGroupRoot.isGroupID) }

  /// The first app group that is named there, if all named groups are unusable.
  var unusableGroup: String? { group == nil ? groups.first : nil }

  private var groups: [String] {
    let inInfo = info.sorted { $0.key < $1.key }.compactMap { $0.value as? String }
      .filter { $0.hasPrefix("group.") }
    return entitledGroups + inInfo + sources.flatMap(\.rewrite.groups)
  }

  private var principalClass: String? {
    (info["NSExtension"] as? [String: Any])?["NSExtensionPrincipalClass"] as? String
  }

  static func identifier(_ name: String) -> String {
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
  /// The folders that Xcode treats as one file, and the folders of other tools.
  static let closedTypes: Set = [
    "xcodeproj", "xcworkspace", "xcassets", "bundle", "framework", "xcframework", "lproj", "xcdatamodeld",
    "mlpackage",
    "app", "appex",
  ]
  static let closedNames: Set = ["Pods", "Carthage", "DerivedData", "build", "node_modules"]

  private mutating func read(_ part: XcodeProject.Part) throws(ProgramFailure) {
    guard FileManager.default.fileExists(atPath: part.file.path) else {
      return leftOut.append("\(part.place): the project names it, but it does not exist.")
    }
    try read(part.file, at: part.place, without: part.leavesOut)
  }

  /// Reads a file, or a folder unless Xcode treats it as one file.
  private mutating func read(_ file: URL, at place: String, without leftOutPlaces: Set<String>)
    throws(ProgramFailure)
  {
    if let exclusion = contents.exclusion(of: file, at: place) {
      matchedExclusions.insert(exclusion)
      leftOut.append("\(place), by --without.")
    } else if let boundary = contents.boundary, !file.withoutLinks.isIn(boundary) {
      leftOut.append(
        "\(place): it is outside of \(boundary.path); name it with --add if it belongs to the target.")
    } else if !Self.isFolder(file.path) {
      try read(file: file, at: place)
    } else if Self.closedTypes.contains(file.pathExtension) {
      if file.pathExtension != "xcodeproj" { resources.append(place) }
    } else {
      try read(folder: file, in: place.isEmpty ? "" : place + "/", without: leftOutPlaces)
    }
  }

  private mutating func read(folder: URL, in place: String, without leftOutPlaces: Set<String>)
    throws(ProgramFailure)
  {
    guard isNew(folder, at: place) else { return }
    let names: [String]
    do { names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() } catch {
      throw ProgramFailure(.inputOutput, "\(folder.path) cannot be listed: \(error.reasonText).")
    }
    for name in names where !name.hasPrefix(".") && !leftOutPlaces.contains(place + name) {
      let file = folder.appending(path: name)
      let isOpen = Self.isFolder(file.path) && !Self.closedTypes.contains(file.pathExtension)
      if isOpen, Self.closedNames.contains(name) { continue }
      if isOpen, try FileStatus.at(file)?.kind == .symbolicLink {
        leftOut.append(
          "\(place + name), a link to the folder \(file.withoutLinks.path); name the folder with --add if the target needs it."
        )
      } else {
        try read(file, at: place + name, without: leftOutPlaces)
      }
    }
  }

  /// Returns whether a file or folder was not yet read at another place.
  private mutating func isNew(_ file: URL, at place: String) -> Bool {
    let path = file.withoutLinks.path
    if let earlier = placesRead[path] {
      leftOut.append("\(place): it is already imported as \(earlier.isEmpty ? folder.path : earlier).")
      return false
    }
    placesRead[path] = place
    return true
  }

  private mutating func read(file: URL, at place: String) throws(ProgramFailure) {
    switch file.pathExtension {
    case "swift" where file.lastPathComponent == "main.swift":
      leftOut.append("\(place): a program starts in it, and the package has its own main.swift.")
    case "swift":
      guard isNew(file, at: place), let text = try text(of: file, at: place) else { break }
      // A byte order mark is allowed at the start of a file only. In the copy, the code does not come first.
      let code = text.hasPrefix("\u{FEFF}") ? String(text.unicodeScalars.dropFirst()) : text
      do throws(NestingError) {
        sources.append(Source(file: file, place: place, rewrite: try SwiftRewrite(code, modules: modules)))
      } catch {
        throw ProgramFailure(
          .inputOutput,
          "\(file.path):\(error.line): more than \(NestingError.limit) nested braces, strings or conditions; "
            + "the compiler rejects them too.")
      }
    case "plist":
      guard let list = propertyList(file) else { break }
      guard infoPlist == nil, Self.isOfUploadExtension(list) else { break }
      (infoPlist, info) = (file, contents.settings.expanded(list))
      hasOwnInfo = !NSDictionary(dictionary: list).isEqual(to: info)
    case "entitlements":
      let key = "com.apple.security.application-groups"
      entitledGroups += (propertyList(file)?[key] as? [String] ?? []).map { contents.settings.expanded($0) }
    case let type where Self.foreignTypes.contains(type): foreignFiles.insert(place)
    case "md", "txt", "xcconfig", "modulemap": break
    default: resources.append(place)
    }
  }

  /// The largest Swift file that is read, in bytes.
  private static let largestSource = 64 << 20

  /// Returns the text of a Swift file; `nil` if the compiler would not read it.
  private mutating func text(of file: URL, at place: String) throws(ProgramFailure) -> String? {
    let bytes = try file.withoutLinks.plainBytes(limit: Self.largestSource + 1)
    let text = bytes.flatMap { $0.count > Self.largestSource ? nil : String(validating: $0, as: UTF8.self) }
    if text == nil {
      leftOut.append("\(place): it is not a plain file with UTF-8 text of at most 64 MiB.")
    }
    return text
  }

  /// Returns the values of a property list; `nil` if it cannot be read.
  private mutating func propertyList(_ file: URL) -> [String: Any]? {
    do throws(ProgramFailure) { return try PropertyListFile.dictionary(file.path) } catch {
      leftOut.append(error.message)
      let names = ["Info.plist", folder.lastPathComponent + "-Info.plist"]
      if names.contains(file.lastPathComponent) { unreadableInfo = unreadableInfo ?? error }
      return nil
    }
  }

  var failureWithoutSources: ProgramFailure {
    ProgramFailure(
      .usage,
      "\(folder.path) has no Swift file, and \(foreignFiles.count) of other languages; name the folder of the extension's "
        + "target: only Swift can be built here.", pointsToHelp: false)
  }
}

extension XcodeTarget {
  /// Returns whether a property list is the Info.plist of a broadcast upload extension. An Info.plist for iOS 10 counts too,
  /// because the program rejects it with the fix.
  static func isOfUploadExtension(_ list: [String: Any]) -> Bool {
    let keys = list["NSExtension"] as? [String: Any]
    let point = keys?["NSExtensionPointIdentifier"] as? String
    // The setup screen of iOS 10 has the same extension point, but a storyboard.
    return point == ExtensionInfo.extensionPoint
      || point == "com.apple.broadcast-services" && keys?["NSExtensionPrincipalClass"] != nil
  }

  static func isOfUploadExtension(_ file: URL) -> Bool {
    do throws(ProgramFailure) {
      return isOfUploadExtension(try PropertyListFile.dictionary(file.path))
    } catch {
      // Other property lists of the project are ignored.
      return false
    }
  }
}

extension URL {
  /// Returns the start of a plain file; `nil` for anything else.
  func plainText(limit: Int = 4096) throws(ProgramFailure) -> String? {
    try plainBytes(limit: limit).map { String(decoding: $0, as: UTF8.self) }
  }

  func plainBytes(limit: Int) throws(ProgramFailure) -> [UInt8]? {
    guard try FileStatus.at(self)?.kind == .plainFile else { return nil }
    do throws(FileError) {
      return try System.read(try System.open(path, System.readOnly), limit: limit)
    } catch {
      throw ProgramFailure(error)
    }
  }

  /// The path with links resolved, as far as it exists.
  var withoutLinks: URL {
    // Foundation resolves no links in a path that does not exist.
    if path == "/" || FileManager.default.fileExists(atPath: path) { return resolvingSymlinksInPath() }
    return deletingLastPathComponent().withoutLinks.appending(path: lastPathComponent)
  }

  /// Returns whether the path is `folder`, or is below it.
  func isIn(_ folder: URL) -> Bool { (path + "/").hasPrefix(folder.path + "/") }
}

extension FileStatus {
  /// Returns the status of a file, or of a link itself; `nil` if nothing is there.
  static func at(_ file: URL) throws(ProgramFailure) -> FileStatus? {
    do { return try read(at: file.path) } catch { throw ProgramFailure(error) }
  }
}
