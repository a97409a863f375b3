import Foundation
import Platform

/// Finds the locks that other processes of this user hold, in `/proc`.
package enum ProcessLocks {
  /// Returns the files of app groups below `root` that a process has locked by `flock`, `fcntl` or SQLite.
  ///
  /// The files of the emulated system do not count, because on a device they do not belong to the app: the folder of the
  /// broadcast, the preferences, and folders.
  package static func groupFiles(lockedBy pid: Int32, root: String) throws(FileError) -> [String] {
    let root = URL(filePath: root).resolvingSymlinksInPath().path
    let folder = ProcessFiles.path("fd", of: pid)
    var files: Set<String> = []
    for number in try ProcessFiles.numbers(in: folder) {
      guard let path = ProcessFiles.linkTarget("\(folder)/\(number)"), path.hasPrefix(root + "/group.") else {
        continue
      }
      let parts = path.dropFirst(root.count + 1).split(separator: "/").dropFirst()
      let isOfSystem = [["Caches", "Broadcast"], ["Preferences"]].contains {
        parts.starts(with: ["Library"] + $0)
      }
      guard !parts.isEmpty, !isOfSystem else { continue }
      // The file may be closed by now.
      let text: String
      do throws(FileError) {
        text = try ProcessFiles.text(ProcessFiles.path("fdinfo/\(number)", of: pid))
      } catch {
        continue
      }
      let locks = text.split(separator: "\n").filter { $0.hasPrefix("lock:") }
      if locks.contains(where: { !isSign(ofOpenDatabase: $0, in: path) }) { files.insert(path) }
    }
    return files.sorted()
  }

  /// Whether a lock shows only that SQLite has opened a database in WAL mode: byte 128 of its shared memory, or the shared lock of
  /// the database. iOS recognizes the latter by the first bytes of the file, so an encrypted database does not count as one.
  private static func isSign(ofOpenDatabase lock: Substring, in path: String) -> Bool {
    let range = lock.split(separator: " ").suffix(2)
    if path.hasSuffix("-shm") { return range == ["128", "128"] }
    guard range == ["1073741826", "1073742335"], let file = FileHandle(forReadingAtPath: path) else {
      return false
    }
    let head = file.readData(ofLength: 20)
    return head.starts(with: Data("SQLite format 3\0".utf8)) && head.suffix(2) == Data([2, 2])
  }
}
