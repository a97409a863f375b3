import CPlatform
import Glibc

// Files and folders.
extension System {
  /// Opens a file or folder. Fails if the path is a symbolic link. Wraps `open(2)`.
  package static func open(_ path: String, _ flags: Int32, mode: mode_t = 0o600) throws(FileError)
    -> FileDescriptor
  {
    // UNSAFE: the string is passed to the call as a C string.
    FileDescriptor(
      try retrying("open", path) { unsafe open_directly(path, flags | O_CLOEXEC | O_NOFOLLOW, mode) },
      path: path
    )
  }

  /// Returns the status of an open file. Wraps `fstat(2)`.
  package static func status(of file: borrowing FileDescriptor) throws(FileError) -> FileStatus {
    var status = stat()
    // UNSAFE: the call fills the struct.
    try file.retrying("fstat") { unsafe fstat($0, &status) }
    return FileStatus(status)
  }

  /// Returns the status at a path; for a symbolic link, the status of the link itself. Wraps `lstat(2)`.
  package static func statusWithoutFollowing(_ path: String) throws(FileError) -> FileStatus {
    var status = stat()
    // UNSAFE: the call reads the path and fills the struct.
    _ = try retrying("lstat", path) { unsafe lstat(path, &status) }
    return FileStatus(status)
  }

  /// Returns the status at a path, following symbolic links. Wraps `stat(2)`.
  package static func statusFollowing(_ path: String) throws(FileError) -> FileStatus {
    var status = stat()
    // UNSAFE: the call reads the path and fills the struct.
    _ = try retrying("stat", path) { unsafe stat(path, &status) }
    return FileStatus(status)
  }

  /// Returns the number of bytes that this user can still write to the file system of a path. Wraps `statvfs(3)`.
  package static func freeByteCount(at path: String) throws(FileError) -> UInt64 {
    var status = statvfs()
    // UNSAFE: the call reads the path and fills the struct.
    _ = try retrying("statvfs", path) { unsafe statvfs(path, &status) }
    let free = UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize))
    return free.overflow ? .max : free.partialValue
  }

  /// Mounts an in-memory file system at a folder, with mode 0700. Wraps `mount(2)`.
  package static func mountMemory(at path: String, byteCount: Int) throws(FileError) {
    // UNSAFE: the strings are passed to the call as C strings.
    _ = try retrying("mount", path) { unsafe mount("tmpfs", path, "tmpfs", 0, "size=\(byteCount),mode=700") }
  }

  /// Detaches a file system; processes that use it can continue to do so. Wraps `umount2(2)` with `MNT_DETACH`.
  package static func unmount(_ path: String) throws(FileError) {
    // UNSAFE: the path is passed to the call as a C string.
    _ = try retrying("umount2", path) { unsafe umount2(path, Int32(MNT_DETACH)) }
  }

  /// Changes the mode of an open file. Wraps `fchmod(2)`.
  package static func changeMode(of file: borrowing FileDescriptor, to mode: mode_t) throws(FileError) {
    try file.retrying("fchmod") { fchmod($0, mode) }
  }

  /// Creates a folder with mode 0700. Wraps `mkdir(2)`.
  package static func makeFolder(_ path: String) throws(FileError) {
    _ = try retrying("mkdir", path) { unsafe mkdir(path, 0o700) }
  }

  /// Renames a file atomically, replacing a file at `newPath`. Wraps `rename(2)`.
  package static func rename(_ path: String, to newPath: String) throws(FileError) {
    _ = try retrying("rename", newPath) { unsafe Glibc.rename(path, newPath) }
  }

  /// Removes a file. Wraps `unlink(2)`.
  package static func remove(_ path: String) throws(FileError) {
    _ = try retrying("unlink", path) { unsafe remove_directly(path) }
  }

  /// Removes a file if it exists.
  package static func removeIfPresent(_ path: String) throws(FileError) {
    do { try remove(path) } catch { if !error.isMissing { throw error } }
  }

  /// Removes a file that a failed operation left behind. Ignores a second error, because the caller throws the first one.
  package static func removeLeftover(_ path: String) {
    do { try remove(path) } catch {}
  }

  /// Sets the size of a file. Wraps `ftruncate(2)`.
  package static func setSize(of file: borrowing FileDescriptor, to byteCount: Int) throws(FileError) {
    try file.retrying("ftruncate") { ftruncate($0, off_t(byteCount)) }
  }

  /// Sets the minimum size of a file and reserves its blocks, so that a full file system is an error now and not a SIGBUS later.
  /// Wraps `posix_fallocate(3)`.
  package static func reserve(_ byteCount: Int, in file: borrowing FileDescriptor) throws(FileError) {
    while true {
      let code = posix_fallocate(file.rawValue, 0, off_t(byteCount))
      if code == 0 { return }
      if code != EINTR { throw FileError(.call("posix_fallocate", Errno(rawValue: code)), file.path) }
    }
  }

  /// Flushes a file to the disk. Wraps `fsync(2)`.
  package static func synchronize(_ file: borrowing FileDescriptor) throws(FileError) {
    try file.retrying("fsync") { fsync($0) }
  }

  /// Returns the bytes of a file from `offset` on, at most `limit`. Wraps `pread(2)`.
  package static func read(
    _ file: borrowing FileDescriptor, from offset: Int = 0, limit: Int
  ) throws(FileError) -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < limit {
      let start = offset + bytes.count
      var piece = [UInt8](repeating: 0, count: min(64 * 1024, limit - bytes.count))
      // UNSAFE: the call writes at most the array's length.
      let count = try file.retrying("read") { raw in
        unsafe piece.withUnsafeMutableBytes { unsafe pread(raw, $0.baseAddress, $0.count, off_t(start)) }
      }
      if count == 0 { break }
      bytes += piece.prefix(count)
    }
    return bytes
  }

  /// Writes all bytes to the start of a file. Wraps `pwrite(2)`.
  package static func write(_ bytes: [UInt8], to file: borrowing FileDescriptor) throws(FileError) {
    let raw = file.rawValue
    try writeAll(bytes, call: "write", path: file.path) { rest, offset in
      // UNSAFE: the call reads the bytes of the slice.
      unsafe rest.withUnsafeBytes { unsafe pwrite(raw, $0.baseAddress, $0.count, off_t(offset)) }
    }
  }

  /// Writes all bytes with `call`. It receives the remaining bytes and their offset, and returns the number of bytes written.
  ///
  /// A call that writes nothing sets no `errno`, so it is reported as a full file system.
  static func writeAll(
    _ bytes: [UInt8], call name: String, path: String, _ call: (ArraySlice<UInt8>, Int) -> Int
  ) throws(FileError) {
    var written = 0
    while written < bytes.count {
      let count = try retrying(name, path) { call(bytes[written...], written) }
      if count == 0 { throw FileError(.call(name, .noSpace), path) }
      written += count
    }
  }

  // Flags of `open`.

  package static let readOnly = O_RDONLY | O_NONBLOCK
  package static let readWrite = O_RDWR | O_NONBLOCK
  package static let createNew = O_RDWR | O_CREAT | O_EXCL
  package static let createOrOpen = O_RDWR | O_CREAT | O_NONBLOCK
  package static let folder = O_RDONLY | O_DIRECTORY
}

extension FileStatus {
  fileprivate init(_ status: stat) {
    kind =
      switch status.st_mode & S_IFMT {
      case S_IFREG: .plainFile
      case S_IFDIR: .folder
      case S_IFLNK: .symbolicLink
      case S_IFSOCK: .socket
      case S_IFCHR: .characterDevice
      default: .other
      }
    owner = status.st_uid
    group = status.st_gid
    permissions = status.st_mode & 0o7777
    byteCount = Int(status.st_size)
    modified = .seconds(status.st_mtim.tv_sec) + .nanoseconds(status.st_mtim.tv_nsec)
    identity = Identity(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
  }
}

/// An open file. It is closed when this value is destroyed.
package struct FileDescriptor: ~Copyable, Sendable {
  package let rawValue: Int32
  package let path: String

  package init(_ rawValue: Int32, path: String) {
    self.rawValue = rawValue
    self.path = path
  }

  deinit { _ = close(rawValue) }

  /// Makes a call on the descriptor (see ``System/retrying(_:_:_:)``).
  @discardableResult
  package borrowing func retrying<Result: SignedInteger>(
    _ call: String, _ body: (Int32) -> Result
  ) throws(FileError) -> Result {
    let raw = rawValue
    return try System.retrying(call, path) { body(raw) }
  }
}
