import CommandLineSupport
import Foundation

/// Lays down a Swift package for the target: links and copies of its files, and what a package needs beside them.
struct PackageLayout {
  let target: XcodeTarget
  let emulator: EmulatorPackage
  let folder: URL
  /// Files that a person may have edited and that were there already.
  private(set) var kept: [String] = []

  /// The mark in files that a later import may replace.
  private static let mark = "// Made by 'producer import'"

  init(_ target: XcodeTarget, emulator: EmulatorPackage, folder: URL) {
    (self.target, self.emulator, self.folder) = (target, emulator, folder)
  }

  private var sources: URL { folder.appending(path: "Sources/\(target.module)") }
  private var tests: String { "\(target.module)Tests" }

  mutating func write() throws(ProgramFailure) {
    try checkFolder()
    try removeEarlierImport()
    for source in target.sources {
      let file = sources.appending(path: source.place)
      if source.rewrite.changes.isEmpty {
        try link(file, to: source.file)
      } else {
        // Another name than that of the original, which its directive gives to the compiler.
        let name = file.deletingPathExtension().lastPathComponent
        try write(file.deletingLastPathComponent().appending(path: "\(name)+Linux.swift"), Self.copy(source))
      }
    }
    let info = sources.appending(path: "Info.plist")
    if let list = target.infoPlist { try link(info, to: list) } else { try write(info, infoPlist) }
    try writeOnce("Package.swift", manifest)
    try writeOnce("Sources/\(target.module)/main.swift", main)
    try writeOnce("Tests/\(tests)/\(tests).swift", test)
  }

  /// The rewritten text, whose errors are reported at the lines of the original.
  private static func copy(_ source: XcodeTarget.Source) -> String {
    let path = source.file.path.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    return
      "\(mark) of the file below: edit that one, and import again.\n#sourceLocation(file: \"\(path)\", line: 1)\n"
      + source.rewrite.text
  }

  // MARK: Texts

  private var manifest: String {
    let (dependency, name) = emulator.dependency(from: folder)
    func product(_ product: String) -> String { ".product(name: \"\(product)\", package: \"\(name)\")" }
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
      target.objectiveCName.map { "[PrincipalClass(\(handler), objectiveCName: \"\($0)\")]" } ?? handler
    return "import BroadcastExtension\n\nBroadcastExtensionMain.run(\(argument))\n"
  }

  private var test: String {
    let group = target.group.map { ", group: \"\($0)\"" } ?? ""
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
    let name = target.objectiveCName ?? "$(PRODUCT_MODULE_NAME).\(target.handlerClass ?? "SampleHandler")"
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <plist version="1.0"><dict>
        <key>NSExtension</key><dict>
          <key>NSExtensionPointIdentifier</key><string>com.apple.broadcast-services-upload</string>
          <key>NSExtensionPrincipalClass</key><string>\(name)</string>
          <key>RPBroadcastProcessMode</key><string>RPBroadcastProcessModeSampleBuffer</string>
        </dict>
      </dict></plist>

      """
  }

  // MARK: Files

  private func checkFolder() throws(ProgramFailure) {
    guard FileManager.default.fileExists(atPath: folder.path) else { return }
    let names: [String]
    do { names = try FileManager.default.contentsOfDirectory(atPath: folder.path) } catch {
      throw ProgramFailure(.inputOutput, "\(folder.path) cannot be listed: \(error.reasonText).")
    }
    guard !names.isEmpty else { return }
    // A folder that is not readable as a package of ours is refused in any case.
    let manifest = try? String(contentsOf: folder.appending(path: "Package.swift"), encoding: .utf8)
    guard manifest?.contains(Self.mark) == true else {
      throw ProgramFailure(
        .cannotCreate, "\(folder.path) exists and is no package of an earlier import; name another with --to."
      )
    }
  }

  /// Removes the links and the copies of an earlier import, whose originals may be gone.
  private func removeEarlierImport() throws(ProgramFailure) {
    guard
      let entries = FileManager.default.enumerator(
        at: sources, includingPropertiesForKeys: [.isSymbolicLinkKey])
    else { return }
    for case let file as URL in entries {
      do {
        let isLink = try file.resourceValues(forKeys: [.isSymbolicLinkKey]).isSymbolicLink == true
        guard isLink || file.pathExtension == "swift",
          try isLink || String(contentsOf: file, encoding: .utf8).prefix(4096).contains(Self.mark)
        else { continue }
        try FileManager.default.removeItem(at: file)
      } catch {
        throw ProgramFailure(.inputOutput, "\(file.path) cannot be replaced: \(error.reasonText).")
      }
    }
  }

  private func makeFolder(of file: URL) throws {
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
  }

  private func link(_ file: URL, to target: URL) throws(ProgramFailure) {
    do {
      try makeFolder(of: file)
      try FileManager.default.createSymbolicLink(
        atPath: file.path,
        withDestinationPath: EmulatorPackage.path(to: target, from: file.deletingLastPathComponent()))
    } catch {
      throw ProgramFailure(.cannotCreate, "\(file.path) cannot be made: \(error.reasonText).")
    }
  }

  private func write(_ file: URL, _ text: String) throws(ProgramFailure) {
    do {
      try makeFolder(of: file)
      try Data(text.utf8).write(to: file)
    } catch {
      throw ProgramFailure(.cannotCreate, "\(file.path) cannot be written: \(error.reasonText).")
    }
  }

  private mutating func writeOnce(_ path: String, _ text: String) throws(ProgramFailure) {
    let file = folder.appending(path: path)
    guard !FileManager.default.fileExists(atPath: file.path) else { return kept.append(path) }
    try write(file, text)
  }
}
