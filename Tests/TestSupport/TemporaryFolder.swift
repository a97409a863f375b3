import Foundation

/// A fresh folder for one test, in memory where that is possible, removed with its owner.
///
/// In memory, because what is synchronised to its disk at every change takes long on some.
package final class TemporaryFolder: Sendable {
  /// Where it is.
  package let path: String

  /// Makes the folder, for this user alone.
  package init() throws {
    let memory = "/dev/shm"
    let parent = FileManager.default.isWritableFile(atPath: memory) ? memory : NSTemporaryDirectory()
    path = parent + "/broadcast-tests-" + UUID().uuidString
    try FileManager.default.createDirectory(
      atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
  }

  deinit { try? remove() }

  /// Removes it before its owner goes.
  package func remove() throws { try FileManager.default.removeItem(atPath: path) }

  /// The path of a file in it.
  package func callAsFunction(_ name: String) -> String { path + "/" + name }

  /// The names of what is in it.
  package var names: [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: path).sorted()) ?? []
  }
}

/// Makes a file shorter or longer, as an outsider does.
package func setSize(of path: String, to byteCount: Int) {
  // UNSAFE: the path is lent to the call as a C string.
  let result = unsafe truncate(path, off_t(byteCount))
  precondition(result == 0, "\(path) cannot be cut")
}
