import CommandLineSupport
import EmulatedSystem
import Foundation
import Platform

/// Lays down a Swift package for the target: links and copies of its files, and what a package needs beside them.
///
/// Each file that it writes is a new one. The links and copies of an earlier import are removed first, and everything else is
/// kept.
struct PackageLayout {
  let target: XcodeTarget
  /// The app's side; `nil` without a project.
  let app: AppSide?
  let emulator: EmulatorPackage
  /// The folder of the package, without links on the way.
  let folder: URL
  /// Files that were there already and are a person's.
  private(set) var kept: [String] = []
  /// The files and folders that were made, in this order.
  private var made: [String] = []

  /// The mark in files of an import.
  private static let mark = "// Made by 'producer import'"
  private static let headOfCopies = mark + " of the file below"
  /// The file that lists the links and copies of the last import.
  private static let listName = ".producer-import"

  private enum Content {
    /// The path that the link has.
    case link(String)
    case text(String)
  }

  init(_ target: XcodeTarget, app: AppSide?, emulator: EmulatorPackage, folder: URL) {
    (self.target, self.app, self.emulator, self.folder) = (target, app, emulator, folder)
  }

  private var sources: String { "Sources/\(target.module)" }
  private var tests: String { "\(target.module)Tests" }
  /// The place of the Info.plist in the package.
  var infoPlistPlace: String { "\(sources)/Info.plist" }

  mutating func write() throws(ProgramFailure) {
    let isUpdate = try isEarlierPackage()
    let taken = try takenFiles()
    // The list comes first, so that the next import finds what this one makes before it fails.
    let files: [(place: String, content: Content)] =
      [(Self.listName, .text(Self.list(of: taken)))] + taken
      + (try infoPlist().map { [(infoPlistPlace, .text($0))] } ?? []) + [
        ("Package.swift", .text(manifest)), ("\(sources)/main.swift", .text(main)),
        ("Tests/\(tests)/\(tests).swift", .text(test)), ("github-actions.yml", .text(workflow)),
      ]
      + (appTarget.map { [("Sources/\($0.module)/main.swift", .text(main(of: $0)))] } ?? [])
      + (target.socketName == nil
        ? [] : [("Tests/\(tests)/AppSocket.swift", .text(Self.template(PackageResources.AppSocket_swift)))])
    do throws(ProgramFailure) {
      for file in files { try makeFolders(of: folder.appending(path: file.place)) }
      for file in files where try FileStatus.at(folder.appending(path: file.place))?.kind == .folder {
        throw ProgramFailure(
          .cannotCreate,
          "\(folder.path)/\(file.place) is a folder where the package has a file; rename it, or leave it out."
        )
      }
      // What is refused has been: such an import leaves an earlier one as it is.
      try removeEarlierImport()
      for file in files { try put(file.place, file.content) }
    } catch {
      // Half of a new package is of no use, and would be in the way of the next import.
      if !isUpdate { removeWhatWasMade() }
      throw error
    }
  }

  /// The app's side, if a file of it is taken.
  private var appTarget: AppSide? { app.flatMap { $0.sources.isEmpty ? nil : $0 } }

  /// The sources and the Info.plist, with their places in the package.
  private func takenFiles() throws(ProgramFailure) -> [(place: String, content: Content)] {
    let files =
      try taken(target.sources, in: sources)
      + (try appTarget.map { app throws(ProgramFailure) in try taken(app.sources, in: "Sources/\(app.module)")
      } ?? [])
    guard let list = target.infoPlist, !target.hasOwnInfo else { return files }
    return files + [(infoPlistPlace, link(from: infoPlistPlace, to: list))]
  }

  private func taken(_ list: [XcodeTarget.Source], in folder: String) throws(ProgramFailure)
    -> [(place: String, content: Content)]
  {
    var (originals, names) = ([String: URL](), Set<String>())
    return try list.map { source throws(ProgramFailure) in
      // A copy has another name than the original, which its directive gives to the compiler.
      let isCopy = !source.rewrite.changes.isEmpty
      var place = isCopy ? "\(source.place.dropLast(".swift".count))+Linux.swift" : source.place
      // Files of two modules may have one name, which SwiftPM does not allow in one target.
      if !names.insert(URL(filePath: place).lastPathComponent).inserted {
        place = place.replacing("/", with: "+")
      }
      if let other = originals.updateValue(source.file, forKey: place) {
        throw ProgramFailure(
          .usage,
          "\(other.path) and \(source.file.path) both become \(place) in the package; rename one of them, or leave it out.",
          pointsToHelp: false)
      }
      let whole = "\(folder)/\(place)"
      return (place: whole, content: isCopy ? .text(Self.copy(source)) : link(from: whole, to: source.file))
    }
  }

  /// A link that stays right when the target and the package move together.
  private func link(from place: String, to original: URL) -> Content {
    let goal = original.deletingLastPathComponent().withoutLinks.appending(path: original.lastPathComponent)
    return .link(
      EmulatorPackage.path(to: goal, from: folder.appending(path: place).deletingLastPathComponent()))
  }

  /// The rewritten text, whose errors are reported at the lines of the original.
  private static func copy(_ source: XcodeTarget.Source) -> String {
    "\(headOfCopies): edit that one, and import again.\n"
      + "#sourceLocation(file: \(source.file.path.swiftLiteral), line: 1)\n" + source.rewrite.text
  }

  // MARK: Texts

  private var manifest: String {
    let (dependency, name) = emulator.dependency(from: folder)
    func product(_ product: String) -> String {
      ".product(name: \"\(product)\", package: \(name.swiftLiteral))"
    }
    let modules = Set((target.sources + (app?.sources ?? [])).flatMap(\.rewrite.imports).map(\.module))
    let products = ["BroadcastExtension"] + ["ScreenBroadcast", "WebRTC"].filter(modules.contains)
    let ofCapture = appTarget?.has(SwiftUse.ofCapture) == true ? ["CaptureApp"] : []
    let ofStream = appTarget?.has([.stream]) == true ? ["ScreenCaptureKit"] : []
    func settings(_ settings: BuildSettings) -> String {
      let list = settings.swiftSettings
      return list.isEmpty ? "asOniOS" : "asOniOS + [\(list.joined(separator: ", "))]"
    }
    let appDeclaration =
      appTarget.map { app in
        """

            .executableTarget(
              name: "\(app.module)",
              dependencies: [\((products + ofCapture + ofStream).map(product).joined(separator: ", "))],
              swiftSettings: \(settings(app.settings))),
        """
      } ?? ""
    let mode = target.contents.settings.languageMode
    // Xcode's own setting, which Swift 6 has anyway.
    let regex = mode == "v6" ? "" : "\n  .enableUpcomingFeature(\"BareSlashRegexLiterals\"),"
    return """
      // swift-tools-version: 6.3
      \(Self.mark). A second import keeps this file.
      import PackageDescription

      // Foundation brings Core Foundation and Darwin on iOS: the first setting imports their names into every file. The others
      // give the modules their names.
      let asOniOS: [SwiftSetting] = [
        .swiftLanguageMode(.\(mode)),\(regex)
        .unsafeFlags([
          "-Xfrontend", "-import-module", "-Xfrontend", "ReplayKit",
          "-module-alias", "Darwin=AppleDarwin", "-module-alias", "CoreFoundation=AppleFoundation",
        ]),
      ]

      let package = Package(
        name: "\(target.module)",
        dependencies: [\(dependency)],
        targets: [
          .executableTarget(
            name: "\(target.module)",
            dependencies: [\(products.map(product).joined(separator: ", "))],
            exclude: ["Info.plist"], swiftSettings: \(settings(target.contents.settings))),\(appDeclaration)
          .testTarget(
            name: "\(tests)",
            dependencies: ["\(target.module)", \(product("BroadcastTesting"))],
            swiftSettings: asOniOS),
        ]
      )

      """
  }

  private var handler: String { "\(target.handlerClass ?? "SampleHandler")()" }

  private var main: String {
    let argument =
      target.nameInInfoPlist.map { "[PrincipalClass(\(handler), objectiveCName: \($0.swiftLiteral))]" }
      ?? handler
    return "import BroadcastExtension\n\nBroadcastExtensionMain.run(\(argument))\n"
  }

  /// The start of the app's side is the app's own, which nothing in the code names.
  private func main(of app: AppSide) -> String {
    let uses = app.uses.map { "// \($0.place) has \($0.use.rawValue)\n" }.joined()
    let call = app.has(SwiftUse.ofCapture) ? "CaptureAppMain.run {}" : "RunLoop.main.run()"
    return "import \(app.has(SwiftUse.ofCapture) ? "CaptureApp" : "Foundation")\n\n"
      + "// The app's side: call here what the app's button calls.\n\(uses)\(call)\n"
  }

  /// What the program is given in each command.
  var options: [String] {
    (target.infoFailure == nil ? ["--info-plist", infoPlistPlace] : [])
      + (target.group.map { ["--group", $0] } ?? [])
  }

  private static func template(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  /// The workflow of the examples for this package, with the libraries that its code needs.
  private var workflow: String {
    let uses = Set((target.sources + (app?.sources ?? [])).flatMap(\.rewrite.uses.keys))
    let libraries = SwiftUse.libraries.filter { uses.contains($0.key) }.map(\.value)
    let name = folder.lastPathComponent
    let text = Self.template(PackageResources.github_actions_yml)
      .replacing(/--info-plist Sources\/MyExtension\/Info.plist/, with: options.joined(separator: " "))
      .replacing("debug/MyExtension", with: "debug/\(target.module)")
      .replacing("MyExtension", with: name.wholeMatch(of: /[\w.-]+/) == nil ? target.module : name)
    guard libraries.isEmpty else {
      return text.replacing("libjpeg-turbo8 ffmpeg", with: libraries.joined(separator: " "))
    }
    return text.replacing(/\ +- name: Install[^\n]*\n[^\n]*\n/, with: "")
  }

  private var test: String {
    let group = target.group.map { ", group: \($0.swiftLiteral)" } ?? ""
    // The socket is that of the template; what a handler sends from a thread of its own arrives in real time.
    let (app, reception) =
      target.socketName.map { name in
        (
          """

            let app = try AppSocket(path: broadcast.containerFolder + \("/\(name)".swiftLiteral))
            await app.start()
          """,
          """

            for _ in 0..<60 where app.byteCount.load(ordering: .relaxed) == 0 {
              try await broadcast.run(for: .milliseconds(500))
            }
            #expect(app.byteCount.load(ordering: .relaxed) > 0)
          """
        )
      } ?? ("", "")
    return "import BroadcastTesting\nimport Testing\n\n@testable import \(target.module)\n\n" + """
      /// A second of a small screen, on a virtual clock. Docs/Testing.md of the emulator has more.
      @Test(.broadcastTimeline) func theHandlerTakesFramesAndEnds() async throws {
        let broadcast = TestBroadcast(of: \(handler)\(group))\(app)
        do { try await broadcast.start() } catch let failure as TestBroadcast.Failure {
          // A handler that needs its app ends the broadcast at once; start the app's side of the connection first.
          guard case .handlerRefused = failure.reason else { throw failure }
          try Test.cancel("\\(failure)")
        }
        try await broadcast.run(for: .seconds(1))\(reception)
        try await broadcast.perform("stop")
        let end = try await broadcast.finished(within: .seconds(10))
        #expect(end.misuses == 0)
      }

      """
  }

  /// An Info.plist of the package's own; `nil` if it links to that of the target.
  private func infoPlist() throws(ProgramFailure) -> String? {
    if target.infoPlist != nil, !target.hasOwnInfo { return nil }
    let short: [String: Any] = [
      "NSExtension": [
        "NSExtensionPointIdentifier": ExtensionInfo.extensionPoint,
        "NSExtensionPrincipalClass": "$(PRODUCT_MODULE_NAME).\(target.handlerClass ?? "SampleHandler")",
        "RPBroadcastProcessMode": ExtensionInfo.processMode,
      ]
    ]
    do {
      let data = try PropertyListSerialization.data(
        fromPropertyList: target.hasOwnInfo ? target.info : short, format: .xml, options: 0)
      return String(decoding: data, as: UTF8.self)
    } catch { throw ProgramFailure(.inputOutput, "\(infoPlistPlace) cannot be made: \(error.reasonText).") }
  }

  // MARK: Files

  /// Whether the folder has a package of an earlier import; throws if it has something else.
  private func isEarlierPackage() throws(ProgramFailure) -> Bool {
    guard let kind = try FileStatus.at(folder)?.kind else { return false }
    let failure = ProgramFailure(
      .cannotCreate, "\(folder.path) exists and is no package of an earlier import; name another with --to.")
    guard kind == .folder else { throw failure }
    let names: [String]
    do { names = try FileManager.default.contentsOfDirectory(atPath: folder.path) } catch {
      throw ProgramFailure(.inputOutput, "\(folder.path) cannot be listed: \(error.reasonText).")
    }
    guard !names.isEmpty else { return false }
    guard try folder.appending(path: "Package.swift").plainText()?.contains(Self.mark) == true else {
      throw failure
    }
    return true
  }

  /// A line for each file: its place, and the path that a link has. A name with a tab or a line feed is not found again.
  private static func list(of files: [(place: String, content: Content)]) -> String {
    files.map { file in
      if case .link(let goal) = file.content { "\(file.place)\t\(goal)\n" } else { "\(file.place)\n" }
    }.joined()
  }

  /// Removes the links and the copies of an earlier import, whose originals may be gone. A link that leads elsewhere meanwhile
  /// is a person's.
  private func removeEarlierImport() throws(ProgramFailure) {
    let listFile = folder.appending(path: Self.listName)
    guard let list = try listFile.plainText(limit: 64 << 20) else { return }
    for line in list.split(separator: "\n") {
      let words = line.split(separator: "\t", maxSplits: 1, omittingEmptySubsequences: false)
      let file = folder.appending(path: words[0])
      // A folder that has become a link leads out of the package.
      let parent = file.deletingLastPathComponent()
      guard parent.withoutLinks.path == parent.path else { continue }
      // `nil` for a copy, and for a link that vanishes meanwhile.
      let goal = try? FileManager.default.destinationOfSymbolicLink(atPath: file.path)
      switch try FileStatus.at(file)?.kind {
      case .symbolicLink where words.count == 2 && goal == String(words[1]): break
      case .plainFile where try file.plainText()?.hasPrefix(Self.headOfCopies) == true: break
      default: continue
      }
      do throws(FileError) { try System.remove(file.path) } catch { throw ProgramFailure(error) }
    }
    do throws(FileError) { try System.remove(listFile.path) } catch { throw ProgramFailure(error) }
  }

  /// Makes a new file or link at a place of the package, and keeps what is there.
  private mutating func put(_ place: String, _ content: Content) throws(ProgramFailure) {
    let file = folder.appending(path: place)
    guard try FileStatus.at(file) == nil else { return kept.append(place) }
    do {
      switch content {
      case .link(let goal):
        try FileManager.default.createSymbolicLink(atPath: file.path, withDestinationPath: goal)
        made.append(file.path)
      case .text(let text):
        let descriptor = try System.open(file.path, System.createNew, mode: 0o666)
        made.append(file.path)
        try System.write(Array(text.utf8), to: descriptor)
      }
    } catch {
      throw ProgramFailure(.cannotCreate, "\(file.path) cannot be made: \(error.reasonText).")
    }
  }

  /// Makes the folders on the way to a file that are missing. A link among them would lead out of the package.
  private mutating func makeFolders(of file: URL) throws(ProgramFailure) {
    var path = ""
    for name in file.deletingLastPathComponent().pathComponents.dropFirst() {
      path += "/\(name)"
      let folder = URL(filePath: path)
      switch try FileStatus.at(folder)?.kind {
      case .folder: continue
      case nil: break
      default:
        throw ProgramFailure(
          .cannotCreate,
          "\(path) is a link or a file where the package has a folder; remove it, or name another package with --to."
        )
      }
      do { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false) } catch {
        throw ProgramFailure(.cannotCreate, "\(path) cannot be made: \(error.reasonText).")
      }
      made.append(path)
    }
  }

  private func removeWhatWasMade() {
    for path in made.reversed() {
      // The reason why the import fails is more useful than that of a file which stays.
      try? FileManager.default.removeItem(atPath: path)
    }
  }
}
