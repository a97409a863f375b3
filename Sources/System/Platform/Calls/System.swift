import CPlatform
import Glibc

/// The system calls of this layer, each with its error as a value, and `EINTR` retried.
///
/// Linux is what is built and tested; Apple's platforms lack `posix_fallocate`, `MADV_POPULATE_WRITE` and documented
/// open-file-description locks.
package enum System {
  package enum Code {
    package static let missing = ENOENT
    package static let notADirectory = ENOTDIR
    package static let exists = EEXIST
    package static let symbolicLinkLoop = ELOOP
    package static let notPermitted = EPERM
    package static let accessDenied = EACCES
    package static let busy = EBUSY
    package static let invalid = EINVAL
    package static let noMemory = ENOMEM
    package static let noData = ENODATA
    package static let readOnlyFileSystem = EROFS
    package static let addressInUse = EADDRINUSE
    package static let connectionRefused = ECONNREFUSED
    package static let wouldBlock = EAGAIN
    /// What opening a folder for writing, a socket, or a device without a driver answers.
    package static let notAFile = [EISDIR, ENXIO, ENODEV]
  }

  package static func message(_ code: Int32) -> String {
    // UNSAFE: strerror returns a string of the C library, copied at once.
    let text = unsafe strerror(code).map { unsafe String(cString: $0) } ?? "error \(code)"
    return text.prefix(1).lowercased() + text.dropFirst()
  }

  package static func advice(_ code: Int32) -> String? {
    switch code {
    case ENOSPC, EDQUOT: "free some room there or choose another container"
    case EACCES, EPERM: "check its owner and mode, or choose another container"
    case EROFS: "choose a container on a file system that can be written"
    case ENOENT: "check the path"
    case EMFILE, ENFILE: "raise the limit of open files (ulimit -n)"
    case ENAMETOOLONG: "choose a shorter path for the container"
    default: nil
    }
  }

  /// Runs a call that reports failure by -1 and `errno`, again while a signal interrupts it.
  package static func retrying(_ call: String, _ path: String, _ body: () -> Int32) throws(SystemError)
    -> Int32
  {
    while true {
      let result = body()
      if result != -1 { return result }
      if errno != EINTR { throw SystemError(call: call, path: path, code: errno) }
    }
  }

  // MARK: Files

  package static func open(_ path: String, _ flags: Int32, mode: mode_t = 0o600) throws(SystemError)
    -> FileDescriptor
  {
    // UNSAFE: the string is lent to the call as a C string.
    FileDescriptor(
      try retrying("open", path) { unsafe Glibc.open(path, flags | O_CLOEXEC | O_NOFOLLOW, mode) }, path: path
    )
  }

  package static func status(of file: borrowing FileDescriptor) throws(SystemError) -> FileStatus {
    var status = stat()
    // UNSAFE: the call fills the struct.
    _ = try retrying("fstat", file.path) { unsafe fstat(file.rawValue, &status) }
    return FileStatus(status)
  }

  package static func statusWithoutFollowing(_ path: String) throws(SystemError) -> FileStatus {
    var status = stat()
    // UNSAFE: the call reads the path and fills the struct.
    _ = try retrying("lstat", path) { unsafe lstat(path, &status) }
    return FileStatus(status)
  }

  package static func fileSystem(of path: String) throws(SystemError) -> FileSystemStatus {
    var status = file_system()
    // UNSAFE: the call reads the path and fills the struct.
    _ = try retrying("statfs", path) { unsafe file_system_look(path, &status) }
    let kind = FileSystemStatus.kind(ofMagic: UInt64(status.kind))
    return FileSystemStatus(
      place: kind.place, name: kind.name, freeByteCount: status.free_bytes, takesFiles: status.takes_files,
      isReadOnly: status.is_read_only)
  }

  package static func changeMode(of file: borrowing FileDescriptor, to mode: mode_t) throws(SystemError) {
    let raw = file.rawValue
    _ = try retrying("fchmod", file.path) { fchmod(raw, mode) }
  }

  /// Changes the mode of the file or folder itself, which need not be open to this user. Links are refused.
  package static func changeMode(at path: String, to mode: mode_t) throws(SystemError) {
    // UNSAFE: the path is lent to the call as a C string.
    _ = try retrying("fchmodat", path) { unsafe fchmodat(AT_FDCWD, path, mode, AT_SYMLINK_NOFOLLOW) }
  }

  package static func makeFolder(_ path: String) throws(SystemError) {
    _ = try retrying("mkdir", path) { unsafe mkdir(path, 0o700) }
  }

  /// A second descriptor of the same open file, which shares its locks.
  package static func duplicate(_ file: borrowing FileDescriptor) throws(SystemError) -> FileDescriptor {
    let raw = file.rawValue
    return FileDescriptor(
      try retrying("dup", file.path) { fcntl(raw, F_DUPFD_CLOEXEC, 0) }, path: file.path)
  }

  package static func rename(_ path: String, to newPath: String) throws(SystemError) {
    _ = try retrying("rename", newPath) { unsafe Glibc.rename(path, newPath) }
  }

  package static func remove(_ path: String) throws(SystemError) {
    _ = try retrying("unlink", path) { unsafe unlink(path) }
  }

  package static func setSize(of file: borrowing FileDescriptor, to byteCount: Int) throws(SystemError) {
    let raw = file.rawValue
    _ = try retrying("ftruncate", file.path) { ftruncate(raw, off_t(byteCount)) }
  }

  /// Sizes the file and reserves its blocks, so that a full file system is an error here and no SIGBUS later.
  package static func reserve(_ byteCount: Int, in file: borrowing FileDescriptor) throws(SystemError) {
    while true {
      let code = posix_fallocate(file.rawValue, 0, off_t(byteCount))
      if code == 0 { return }
      if code != EINTR { throw SystemError(call: "posix_fallocate", path: file.path, code: code) }
    }
  }

  package static func synchronize(_ file: borrowing FileDescriptor) throws(SystemError) {
    let raw = file.rawValue
    _ = try retrying("fsync", file.path) { fsync(raw) }
  }

  package static func read(_ file: borrowing FileDescriptor, limit: Int) throws(SystemError) -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < limit {
      let (descriptor, start) = (file.rawValue, bytes.count)
      var code: Int32 = 0
      // UNSAFE: the call initialises as many bytes as it says, and no more than the buffer has.
      let piece = unsafe [UInt8](unsafeUninitializedCapacity: min(64 * 1024, limit - start)) {
        buffer, count in
        let result = unsafe Glibc.pread(descriptor, buffer.baseAddress, buffer.count, off_t(start))
        if result < 0 { code = errno }
        count = max(0, result)
      }
      if code == EINTR { continue }
      if code != 0 { throw SystemError(call: "read", path: file.path, code: code) }
      if piece.isEmpty { break }
      bytes += piece
    }
    return bytes
  }

  package static func write(_ bytes: [UInt8], to file: borrowing FileDescriptor) throws(SystemError) {
    var written = 0
    while written < bytes.count {
      // UNSAFE: the call reads the bytes behind `written`.
      let count = unsafe bytes.withUnsafeBytes { buffer in
        unsafe Glibc.pwrite(
          file.rawValue, buffer.baseAddress.map { unsafe $0 + written }, bytes.count - written, off_t(written)
        )
      }
      if count > 0 {
        written += count
      } else if errno != EINTR {
        throw SystemError(call: "write", path: file.path, code: count == 0 ? ENOSPC : errno)
      }
    }
  }

  // MARK: Memory

  package static let pageSize = Int(sysconf(Int32(_SC_PAGESIZE)))

  /// The processors this machine has, of which some may be switched off.
  package static let processorCount = Int(sysconf(Int32(_SC_NPROCESSORS_CONF)))

  package static func map(
    _ file: borrowing FileDescriptor, _ range: Range<Int>, writable: Bool
  ) throws(SystemError) -> UnsafeMutableRawPointer {
    let protection = writable ? PROT_READ | PROT_WRITE : PROT_READ
    // UNSAFE: the kernel chooses the address; the caller owns the range from here on.
    let base = unsafe mmap(
      nil, range.count, protection, MAP_SHARED, file.rawValue, off_t(range.lowerBound))
    guard let base = unsafe base, unsafe base != MAP_FAILED else {
      throw SystemError(call: "mmap", path: file.path, code: errno)
    }
    return unsafe base
  }

  /// Maps pages of zeros that belong to no file and to no one process.
  package static func mapShared(byteCount: Int) throws(SystemError) -> UnsafeMutableRawPointer {
    // UNSAFE: the kernel chooses the address; the caller owns the range from here on.
    let base = unsafe mmap(nil, byteCount, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)
    guard let base = unsafe base, unsafe base != MAP_FAILED else {
      throw SystemError(call: "mmap", path: "\(byteCount) bytes of memory", code: errno)
    }
    return unsafe base
  }

  /// Opens or closes pages to everybody in this process.
  package static func protect(_ base: UnsafeMutableRawPointer, byteCount: Int, isOpen: Bool) {
    // UNSAFE: whole pages that the caller owns. It can fail only for others.
    _ = unsafe mprotect(base, byteCount, isOpen ? PROT_READ | PROT_WRITE : PROT_NONE)
  }

  package static func unmap(_ base: UnsafeMutableRawPointer, byteCount: Int) {
    // UNSAFE: exactly the range that `map` returned. It can fail only for a range that is not one.
    _ = unsafe munmap(base, byteCount)
  }

  /// Asks for the pages of a range now rather than at first touch. A kernel without it does it at first touch.
  package static func populate(_ base: UnsafeMutableRawPointer, byteCount: Int, forWriting: Bool) {
    let populateRead: Int32 = 22  // MADV_POPULATE_READ, Linux 5.14
    let populateWrite: Int32 = 23  // MADV_POPULATE_WRITE
    // UNSAFE: advice on a range the caller owns.
    _ = unsafe madvise(base, byteCount, forWriting ? populateWrite : populateRead)
  }

  // MARK: Locks

  /// Takes the open-file-description lock on the whole file, if nobody holds it.
  package static func tryLock(_ file: borrowing FileDescriptor) throws(SystemError) -> Bool {
    try tryLock(file, wholeFileLock)
  }

  /// Takes the open-file-description lock on one byte of the file, if nobody holds it.
  package static func tryLock(_ file: borrowing FileDescriptor, byte offset: Int) throws(SystemError) -> Bool
  {
    try tryLock(file, byteLock(offset))
  }

  private static func tryLock(
    _ file: borrowing FileDescriptor, _ request: Glibc.flock
  ) throws(SystemError) -> Bool {
    var request = request
    do {
      // UNSAFE: the call reads the struct.
      _ = try retrying("fcntl", file.path) { unsafe fcntl(file.rawValue, setLockCommand, &request) }
      return true
    } catch {
      if error.code == EAGAIN || error.code == EACCES { return false }
      throw error
    }
  }

  /// Drops the open-file-description lock on the file.
  package static func unlock(_ file: borrowing FileDescriptor) throws(SystemError) {
    try unlock(file, wholeFileLock)
  }

  /// Drops the open-file-description lock on one byte of the file.
  package static func unlock(_ file: borrowing FileDescriptor, byte offset: Int) throws(SystemError) {
    try unlock(file, byteLock(offset))
  }

  private static func unlock(_ file: borrowing FileDescriptor, _ request: Glibc.flock) throws(SystemError) {
    var request = request
    request.l_type = Int16(F_UNLCK)
    // UNSAFE: the call reads the struct.
    _ = try retrying("fcntl", file.path) { unsafe fcntl(file.rawValue, setLockCommand, &request) }
  }

  /// Whether another open file description holds the lock on the file.
  package static func isLockedElsewhere(_ file: borrowing FileDescriptor) throws(SystemError) -> Bool {
    var answer = wholeFileLock
    // UNSAFE: the call fills the struct.
    _ = try retrying("fcntl", file.path) { unsafe fcntl(file.rawValue, getLockCommand, &answer) }
    return answer.l_type != Int16(F_UNLCK)
  }

  /// Takes the advisory lock of a folder, waiting up to two seconds for it; `false` when it was not to be had.
  package static func lockFolder(_ folder: borrowing FileDescriptor) throws(SystemError) -> Bool {
    let pause = timespec(tv_sec: 0, tv_nsec: 2_000_000)
    for _ in 0..<1000 {
      do {
        let raw = folder.rawValue
        _ = try retrying("flock", folder.path) { flock(raw, LOCK_EX | LOCK_NB) }
        return true
      } catch {
        if error.code != EWOULDBLOCK { throw error }
      }
      // UNSAFE: the call reads the struct.
      unsafe withUnsafePointer(to: pause) { _ = unsafe nanosleep($0, nil) }
    }
    return false
  }

  private static var wholeFileLock: Glibc.flock {
    Glibc.flock(l_type: Int16(F_WRLCK), l_whence: Int16(SEEK_SET), l_start: 0, l_len: 0, l_pid: 0)
  }
  private static func byteLock(_ offset: Int) -> Glibc.flock {
    Glibc.flock(
      l_type: Int16(F_WRLCK), l_whence: Int16(SEEK_SET), l_start: off_t(offset), l_len: 1, l_pid: 0)
  }
  private static let getLockCommand: Int32 = 36  // F_OFD_GETLK; hidden behind _GNU_SOURCE
  private static let setLockCommand: Int32 = 37  // F_OFD_SETLK

  // MARK: Process

  package static var processID: Int32 { getpid() }
  package static var userID: UInt32 { geteuid() }

  // MARK: Ways to open

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
      default: .other
      }
    owner = status.st_uid
    permissions = status.st_mode & 0o7777
    byteCount = Int(status.st_size)
    identity = Identity(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
  }
}
