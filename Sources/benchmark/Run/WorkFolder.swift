import Foundation

/// The folder of a run's files, gone when the run is over.
struct WorkFolder {
  let path: String

  /// Makes a folder of our own in `parent`, or else where memory is files.
  init(in parent: String?) throws {
    let files = FileManager.default
    let memory = "/dev/shm"
    let place = parent ?? (files.isWritableFile(atPath: memory) ? memory : NSTemporaryDirectory())
    path = URL(filePath: place).appending(path: "benchmark-\(getpid())").path
    try files.createDirectory(
      atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
  }

  func remove() throws { try FileManager.default.removeItem(atPath: path) }
}
