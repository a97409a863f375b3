import EmulatedDevice
import Foundation
import Platform
import ScreenBroadcast

// The paths of the emulated system, which a device does not have.
extension AppGroupContainer {
  /// The lock of an extension whose handler is not the article's. It is held from the return of `broadcastStarted` to the end of
  /// the broadcast; see ``ProcessLock``.
  package var extensionLockFile: String { broadcastFolder + "/extension.lock" }
  /// The lock by which the emulated system finds the process of the app; see ``ProcessLock``.
  package var appLockFile: String { broadcastFolder + "/app.lock" }
  /// The name of the socket, in the broadcast's folder, on which the emulated system accepts events.
  package static let controlSocketName = "control"
  package var controlSocket: String { broadcastFolder + "/" + Self.controlSocketName }
  /// The output of a producer that the app launched.
  package var producerLogFile: String { broadcastFolder + "/producer.log" }
  /// The facts of the newest broadcast; see ``FactsFile``.
  package var factsFile: String { broadcastFolder + "/facts.jsonl" }
  /// The files that extension and app write, and the other files that exist in the container's folders now.
  package var files: [String] {
    let found = [broadcastFolder, preferencesFolder].flatMap { folder in
      // A folder that cannot be read counts as empty; `prepare()` reports the reason.
      let names = try? FileManager.default.contentsOfDirectory(atPath: folder)
      return (names ?? []).map { folder + "/" + $0 }
    }
    let own =
      [
        preferencesFile, framesFile, articleFile, producerLockFile, extensionLockFile, appLockFile,
        producerLogFile, factsFile,
      ] + BroadcastAudioStream.allCases.map(audioFile)
    return Array(Set(own + found + DeviceFile.files(in: parentFolder)))
  }
}

// The log of a producer that the app launched. Its size is limited, because it is in a memory file system by default.
extension AppGroupContainer {
  /// The size at which the beginning of the log is removed, in bytes.
  package static let logLimit = 1 << 20
  /// The size of the end that is kept, in bytes.
  private static let logRest = 1 << 16
  /// How long the log must be unchanged before it is truncated, because a line written during the truncation is lost.
  private static let logQuiet = Duration.milliseconds(10)

  /// Truncates the log to its end if it has reached its limit and is not being written, or if it has reached four times the
  /// limit. Its writers append, so their next line follows.
  package func limitLog() throws(FileError) {
    let path = producerLogFile
    guard let status = try FileStatus.read(at: path), status.byteCount >= Self.logLimit,
      status.byteCount >= 4 * Self.logLimit
        || .seconds(Date().timeIntervalSince1970) - status.modified > Self.logQuiet
    else { return }
    let file = try PlainFile.open(path, writable: true)
    let start = status.byteCount - Self.logRest
    var rest = try System.read(file, from: start, limit: Self.logRest)
    // Also read a line that was written in the meantime.
    _ = fcntl(file.rawValue, F_SETFL, O_APPEND)
    rest += try System.read(file, from: start + rest.count, limit: Self.logRest)
    try System.setSize(of: file, to: 0)
    try System.writeStream(
      Array("(The beginning of this log was removed.)\n".utf8) + rest, to: file.rawValue)
  }
}
