import TestSupport

@testable import ExtensionImport

/// A suite whose tests import the target `target` into the package `package`, unless they name others.
protocol ImportSuite {
  var temporary: TemporaryFolder { get }
}

extension ImportSuite {
  var folder: URL { temporary.url }
  var target: URL { folder.appending(path: "Upload") }
  var package: URL { folder.appending(path: "package") }

  func write(_ files: [String: String], in place: URL? = nil) throws {
    for (path, text) in files {
      let file = (place ?? target).appending(path: path)
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
    }
  }

  func link(_ path: String, to goal: String, in place: URL) throws {
    try FileManager.default.createSymbolicLink(
      atPath: place.appending(path: path).path, withDestinationPath: goal)
  }

  func remove(_ path: String, in place: URL) throws {
    try FileManager.default.removeItem(at: place.appending(path: path))
  }

  func text(_ place: URL, _ path: String) throws -> String {
    try String(contentsOf: place.appending(path: path), encoding: .utf8)
  }

  /// Whether there is a file or a link, even a dangling one.
  func exists(_ path: String, in place: URL) -> Bool {
    (try? FileManager.default.attributesOfItem(atPath: place.appending(path: path).path)) != nil
  }

  /// Imports a target and returns the report.
  func run(
    _ place: URL? = nil, to package: URL? = nil, additions: [String] = [], emulator: String? = nil,
    without: [String] = [], targetName: String? = nil
  ) throws -> String {
    try ExtensionImport(
      folder: (place ?? target).path, destination: (package ?? self.package).path, additions: additions,
      emulator: emulator ?? Document.package.path, without: without, targetName: targetName
    ).run(program: URL(filePath: "/nowhere/producer"))
  }

  /// Returns the failure of an import.
  func failure(
    _ place: URL? = nil, to package: URL? = nil, additions: [String] = [], emulator: String? = nil,
    without: [String] = [], targetName: String? = nil
  ) -> ProgramFailure? {
    #expect(throws: ProgramFailure.self) {
      try run(
        place, to: package, additions: additions, emulator: emulator, without: without, targetName: targetName
      )
    }
  }
}

/// The keyword in string literals that are not imports of this file.
let anImport = "import"

let infoPlist = """
  <plist version="1.0"><dict><key>TeamGroup</key><string>group.com.example.info</string>
  <key>NSExtension</key><dict>
  <key>NSExtensionPointIdentifier</key><string>com.apple.broadcast-services-upload</string>
  <key>NSExtensionPrincipalClass</key><string>$(PRODUCT_MODULE_NAME).SampleHandler</string>
  <key>RPBroadcastProcessMode</key><string>RPBroadcastProcessModeSampleBuffer</string>
  </dict></dict></plist>
  """

func infoPlist(principalClass: String) -> String {
  infoPlist.replacing("$(PRODUCT_MODULE_NAME).SampleHandler", with: principalClass)
}

/// A target of two files, one of which must be changed.
let targetFiles = [
  "Info.plist": infoPlist,
  "SampleHandler.swift": """
  \(anImport) Darwin
  \(anImport) ReplayKit

  class SampleHandler: RPBroadcastSampleHandler {
    private let timer = Heartbeat()
    override func broadcastStarted(withSetupInfo setupInfo: [String: NSObject]?) { timer.start() }
  }

  """,
  "Support/Heartbeat.swift": """
  #if os(iOS)
  \(anImport) CoreFoundation
  \(anImport) UIKit

  final class Heartbeat: NSObject {
    func start() {
      NotificationCenter.default.addObserver(
        self, selector: #selector(beat(_:)), name: Notification.Name("beat"), object: nil)
      Timer.scheduledTimer(
        timeInterval: 1, target: self, selector: #selector(self.tick), userInfo: nil, repeats: true)
    }
    @objc private func beat(_ notification: Notification) {}
    @objc func tick() {}
    deinit { NotificationCenter.default.removeObserver(self) }
  }
  #endif

  """,
]
