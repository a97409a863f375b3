import CommandLineSupport
import Foundation
import Platform

/// What a person names as an app: an Info.plist, an `.app`, or an `.xcarchive` or `.ipa` with one in it.
struct AppPackage {
  /// The Info.plist or the folder of the app.
  let app: String
  /// The folder that an `.ipa` was unpacked to.
  private let unpacked: String?
  /// The `.ipa`.
  private let source: String

  /// Finds the app. An `.ipa` is unpacked into a new folder; see ``remove()``.
  ///
  /// - Parameter searchPath: the folders in which to find `unzip`, as in `$PATH`.
  init(
    path: String, searchPath: String = ProcessInfo.processInfo.environment["PATH"] ?? ""
  ) throws(ProgramFailure) {
    source = path
    let isFolder = BundleConfiguration.isFolder(path)
    let folders = isFolder ? path + "/Products/Applications" : path
    switch URL(filePath: path).pathExtension.lowercased() {
    case "xcarchive" where isFolder:
      unpacked = nil
      app = try Self.app(in: folders, of: path)
    case "ipa" where !isFolder:
      let folder = try Self.unpack(path, searchPath)
      unpacked = folder
      do throws(ProgramFailure) { app = try Self.app(in: folder + "/Payload", of: path) } catch {
        try Self.remove(folder)
        throw error
      }
    default: (app, unpacked) = (path, nil)
    }
  }

  /// Removes what was unpacked.
  func remove() throws(ProgramFailure) { if let unpacked { try Self.remove(unpacked) } }

  /// The text with the `.ipa` in place of the folder that it was unpacked to.
  func shown(_ text: String) -> String { unpacked.map { text.replacing($0, with: source) } ?? text }

  private static func remove(_ folder: String) throws(ProgramFailure) {
    do { try FileManager.default.removeItem(atPath: folder) } catch {
      throw ProgramFailure(.inputOutput, "\(folder) cannot be removed: \(error.reasonText).")
    }
  }

  private static func app(in folder: String, of path: String) throws(ProgramFailure) -> String {
    let apps = try BundleConfiguration.names(in: folder, with: ".app")
    guard let first = apps.first else { throw ProgramFailure(.inputOutput, "\(path) contains no app.") }
    guard apps.count == 1 else {
      throw ProgramFailure(
        .usage, "\(path) contains \(apps.count) apps: \(apps.quotedText); name one of them with --app.",
        pointsToHelp: false)
    }
    return folder + "/" + first
  }

  private static func unpack(_ path: String, _ searchPath: String) throws(ProgramFailure) -> String {
    // What is not a file is said as for a property list.
    guard FileManager.default.fileExists(atPath: path) else {
      throw ProgramFailure(.inputOutput, "\(path) does not exist.")
    }
    let tools = searchPath.split(separator: ":").map { "\($0)/unzip" }
    guard let tool = tools.first(where: FileManager.default.isProgram) else {
      throw ProgramFailure(
        .inputOutput,
        "\(path) cannot be unpacked, because 'unzip' is not installed; install it, or unpack the file by other means "
          + "and name the .app in its folder Payload.")
    }
    let folder = FileManager.default.temporaryDirectory.path + "/doctor-\(UUID().uuidString)"
    let process = Process()
    process.executableURL = URL(filePath: tool)
    process.arguments = ["-qq", "-o", path, "Payload/*", "-d", folder]
    process.standardInput = FileHandle.nullDevice
    (process.standardOutput, process.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
    do {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
      try Launching.run(process)
    } catch {
      throw ProgramFailure(.inputOutput, "\(path) cannot be unpacked: \(error.reasonText).")
    }
    process.waitUntilExit()
    // 1 is a warning of unzip: everything was unpacked.
    guard process.terminationReason == .exit, process.terminationStatus <= 1 else {
      try remove(folder)
      throw ProgramFailure(
        .inputOutput,
        "\(path) is not an .ipa, a zip file with a folder Payload: unzip ended with \(process.terminationStatus)."
      )
    }
    return folder
  }
}
