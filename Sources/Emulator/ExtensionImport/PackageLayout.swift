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

  init(_ target: XcodeTarget, emulator: EmulatorPackage, folder: URL) {
    (self.target, self.emulator, self.folder) = (target, emulator, folder)
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
      + (target.infoPlist == nil ? [(infoPlistPlace, .text(infoPlist))] : []) + [
        ("Package.swift", .text(manifest)), ("\(sources)/main.swift", .text(main)),
        ("Tests/\(tests)/\(tests).swift", .text(test)),
      ]
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

  /// The sources and the Info.plist, with their places in the package.
  private func takenFiles() throws(ProgramFailure) -> [(place: String, content: Content)] {
    var originals: [String: URL] = [:]
    let files = try target.sources.map { source throws(ProgramFailure) in
      // A copy has another name than the original, which its directive gives to the compiler.
      let isCopy = !source.rewrite.changes.isEmpty
      let place = isCopy ? "\(source.place.dropLast(".swift".count))+Linux.swift" : source.place
      if let other = originals.updateValue(source.file, forKey: place) {
        throw ProgramFailure(
          .usage,
          "\(other.path) and \(source.file.path) both become \(place) in the package; rename one of them, or leave it out.",
          pointsToHelp: false)
      }
      let whole = "\(sources)/\(place)"
      return (place: whole, content: isCopy ? .text(Self.copy(source)) : link(from: whole, to: source.file))
    }
    guard let list = target.infoPlist else { return files }
    return files + [(infoPlistPlace, link(from: infoPlistPlace, to: list))]
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
    let modules = Set(target.sources.flatMap(\.rewrite.imports).map(\.module))
    let products = ["BroadcastExtension"] + ["ScreenBroadcast", "WebRTC"].filter(modules.contains)
    return """
      // swift-tools-version: 6.3
      \(Self.mark). A second import keeps this file.
      import PackageDescription

      // Foundation brings Core Foundation and Darwin on iOS: the first setting imports their names into every file. The others
      // give the modules their names.
      let asOniOS: [SwiftSetting] = [
        .swiftLanguageMode(.v5),
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
            exclude: ["Info.plist"], swiftSettings: asOniOS),
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

  private var test: String {
    let group = target.group.map { ", group: \($0.swiftLiteral)" } ?? ""
    return "import BroadcastTesting\nimport Testing\n\n@testable import \(target.module)\n\n" + """
      /// A second of a small screen, on a virtual clock. Docs/Testing.md of the emulator has more.
      @Test(.broadcastTimeline) func theHandlerTakesFramesAndEnds() async throws {
        let broadcast = TestBroadcast(of: \(handler)\(group))
        do { try await broadcast.start() } catch let failure as TestBroadcast.Failure {
          // A handler that needs its app ends the broadcast at once; start the app's side of the connection first.
          guard case .handlerRefused = failure.reason else { throw failure }
          try Test.cancel("\\(failure)")
        }
        try await broadcast.run(for: .seconds(1))
        try await broadcast.perform("stop")
        let end = try await broadcast.finished(within: .seconds(10))
        #expect(end.misuses == 0)
      }

      """
  }

  private var infoPlist: String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <!-- Made by 'producer import'. A second import keeps this file. -->
    <plist version="1.0"><dict>
      <key>NSExtension</key><dict>
        <key>NSExtensionPointIdentifier</key><string>\(ExtensionInfo.extensionPoint)</string>
        <key>NSExtensionPrincipalClass</key><string>$(PRODUCT_MODULE_NAME).\(target.handlerClass ?? "SampleHandler")</string>
        <key>RPBroadcastProcessMode</key><string>\(ExtensionInfo.processMode)</string>
      </dict>
    </dict></plist>

    """
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
    guard try head(of: folder.appending(path: "Package.swift"))?.contains(Self.mark) == true else {
      throw failure
    }
    return true
  }

  /// The start of a plain file; `nil` for anything else.
  private func head(of file: URL, limit: Int = 4096) throws(ProgramFailure) -> String? {
    guard try FileStatus.at(file)?.kind == .plainFile else { return nil }
    do throws(FileError) {
      return String(
        decoding: try System.read(try System.open(file.path, System.readOnly), limit: limit), as: UTF8.self)
    } catch { throw ProgramFailure(error) }
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
    guard let list = try head(of: listFile, limit: 64 << 20) else { return }
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
      case .plainFile where try head(of: file)?.hasPrefix(Self.headOfCopies) == true: break
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
