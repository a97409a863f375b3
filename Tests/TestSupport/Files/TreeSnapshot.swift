/// The metadata of a folder and everything below it, without following links. If two snapshots are equal, the folder was
/// only read in between.
package struct TreeSnapshot: Equatable {
  private struct Entry: Equatable {
    var inode: UInt64
    var mode: UInt32
    var owner: UInt32
    var links: UInt64
    var size: Int64
    var modified: [Int]
    var changed: [Int]
  }

  private var entries: [String: Entry] = [:]

  /// Takes a snapshot of `path`. It is empty if the folder does not exist.
  package init(of path: String) throws {
    let below = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
    for name in [""] + below {
      var status = stat()
      // UNSAFE: the call reads the path and fills the struct.
      guard unsafe lstat("\(path)/\(name)", &status) == 0 else { continue }
      entries[name] = Entry(
        inode: UInt64(status.st_ino), mode: status.st_mode, owner: status.st_uid,
        links: UInt64(status.st_nlink),
        size: Int64(status.st_size), modified: [status.st_mtim.tv_sec, status.st_mtim.tv_nsec],
        changed: [status.st_ctim.tv_sec, status.st_ctim.tv_nsec])
    }
  }

  package var paths: [String] { entries.keys.sorted() }
}
