import Platform
import ScreenBroadcast

// The log of a producer that the app launched, which is in memory by default.
extension AppGroupContainer {
  /// The size at which the log loses its beginning, in bytes.
  package static let logLimit = 1 << 20
  /// What is left of it then.
  private static let logRest = 1 << 16

  /// Cuts the log to its end if it has reached its limit. Its writers append, so their next line follows.
  package func limitLog() throws(FileError) {
    let path = producerLogFile
    guard let status = try FileStatus.read(at: path), status.byteCount >= Self.logLimit else { return }
    let file = try PlainFile.open(path, writable: true)
    let rest = try System.read(file, from: status.byteCount - Self.logRest, limit: Self.logRest)
    try System.setSize(of: file, to: 0)
    try System.write(Array("(The beginning of this log was removed.)\n".utf8) + rest, to: file)
  }
}
