import Foundation

/// The folder of a run's files, gone when the run is over.
struct WorkFolder {
  let path: String

  /// A folder of our own in `parent`, or else where files are memory; not made yet.
  init(in parent: String?) {
    let memory = "/dev/shm"
    let place =
      parent ?? (FileManager.default.isWritableFile(atPath: memory) ? memory : NSTemporaryDirectory())
    path = URL(filePath: place).appending(path: "benchmark-\(getpid())").path
  }

  /// Makes it, for this user alone.
  func make() throws {
    try FileManager.default.createDirectory(
      atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
  }

  /// Removes it with everything in it, if it is there.
  func remove() throws {
    // Whoever still makes files in it loses after a few times: there is an end to what is being made.
    for attempt in 1...10 where FileManager.default.fileExists(atPath: path) {
      do { try FileManager.default.removeItem(atPath: path) } catch { if attempt == 10 { throw error } }
    }
  }
}
