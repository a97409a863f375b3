import Foundation
import WorkerSupport

/// A new folder for one test, in a memory file system if there is one, removed with this object.
package final class TemporaryFolder: Sendable {
  package let path: String

  /// Creates the folder, for this user alone.
  package init() throws {
    path = WorkFolder.standardParent + "/broadcast-tests-" + UUID().uuidString
    try FileManager.default.createDirectory(
      atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
  }

  deinit { try? remove() }

  /// Removes the folder before this object is released.
  package func remove() throws { try FileManager.default.removeItem(atPath: path) }

  /// The path of a file in it.
  package func callAsFunction(_ name: String) -> String { path + "/" + name }

  /// The names of its files and folders.
  package var names: [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: path).sorted()) ?? []
  }
}

/// Makes a file shorter or longer, as another process might.
package func setSize(of path: String, to byteCount: Int) {
  // UNSAFE: the path is lent to the call as a C string.
  let result = unsafe truncate(path, off_t(byteCount))
  precondition(result == 0, "\(path) cannot be resized")
}
