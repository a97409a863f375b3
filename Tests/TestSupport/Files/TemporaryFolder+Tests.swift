import Foundation
import WorkerSupport

extension TemporaryFolder {
  /// Whether this process may mount file systems, as root may in most containers.
  package static let canMount: Bool = (try? TemporaryFolder(diskSpace: 1 << 20)) != nil

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
