import PhoneLink
import TestSupport

@Suite struct ProcessLocksTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// The locks of an open SQLite database in WAL mode do not count if iOS can read its first bytes.
  @Test(arguments: [
    ("group.com.example.app/app.lock", 0, 0, true), ("group.com.example.app/Library/db.sqlite", 0, 0, true),
    ("group.com.example.app/db.sqlite-shm", 128, 1, false),
    ("group.com.example.app/db.sqlite-shm", 120, 1, true),
    ("group.com.example.app/wal.sqlite", 1_073_741_826, 510, false),
    ("group.com.example.app/wal.sqlite", 1_073_741_825, 1, true),
    ("group.com.example.app/encrypted.sqlite", 1_073_741_826, 510, true),
    ("group.com.example.app/Library/Caches/Broadcast/app.lock", 0, 0, false),
    ("group.com.example.app/Library/Preferences/a.plist", 0, 0, false),
    ("Data/com.example/own.lock", 0, 0, false),
  ])
  func locksOfGroupFilesAreFound(name: String, start: Int, length: Int, isFound: Bool) throws {
    let root = URL(filePath: folder("root"))
    let path = root.appending(path: name)
    try FileManager.default.createDirectory(
      at: path.deletingLastPathComponent(), withIntermediateDirectories: true)
    let head = Data("SQLite format 3\0".utf8) + [16, 0, 2, 2]
    try (name.contains("wal") ? head : Data([1])).write(to: path)
    let file = try FileHandle(forUpdating: path)
    func found() throws -> [String] {
      try ProcessLocks.groupFiles(lockedBy: getpid(), root: root.path).map {
        URL(filePath: $0).lastPathComponent
      }
    }
    #expect(try found() == [])
    let expected = isFound ? [path.lastPathComponent] : []
    lseek(file.fileDescriptor, start, SEEK_SET)
    #expect(lockf(file.fileDescriptor, F_LOCK, length) == 0)
    #expect(try found() == expected)
    lseek(file.fileDescriptor, start, SEEK_SET)
    #expect(lockf(file.fileDescriptor, F_ULOCK, length) == 0)
    #expect(try found() == [])
    guard length == 0 else { return }
    #expect(flock(file.fileDescriptor, LOCK_SH) == 0)
    #expect(try found() == expected)
  }
}
