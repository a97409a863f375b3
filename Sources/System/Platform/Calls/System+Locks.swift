import Glibc

// Locks of files and folders, which the kernel drops when the process ends.
extension System {
  /// Takes the open-file-description lock on the first `length` bytes of the file, which need not exist; `false` if
  /// another one holds a part of it. The corresponding C function is `fcntl` with `F_OFD_SETLK`.
  ///
  /// - Parameter length: above 0; without it the whole file.
  package static func tryLock(
    _ file: borrowing FileDescriptor, length: Int = wholeFile
  ) throws(SystemError) -> Bool {
    var request = wholeFileLock
    request.l_len = off_t(length)
    return try tryLock(file, request)
  }

  /// Takes the open-file-description lock on one byte of the file; `false` if another one holds it.
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
      if error.errno == .wouldBlock || error.errno == .permissionDenied { return false }
      throw error
    }
  }

  /// Releases the open-file-description lock on the file.
  package static func unlock(_ file: borrowing FileDescriptor) throws(SystemError) {
    try unlock(file, wholeFileLock)
  }

  /// Releases the open-file-description lock on one byte of the file.
  package static func unlock(_ file: borrowing FileDescriptor, byte offset: Int) throws(SystemError) {
    try unlock(file, byteLock(offset))
  }

  private static func unlock(_ file: borrowing FileDescriptor, _ request: Glibc.flock) throws(SystemError) {
    var request = request
    request.l_type = Int16(F_UNLCK)
    // UNSAFE: the call reads the struct.
    _ = try retrying("fcntl", file.path) { unsafe fcntl(file.rawValue, setLockCommand, &request) }
  }

  /// The length of the lock that another open file description holds on the file, ``wholeFile`` for all of it; `nil` if
  /// there is none. The corresponding C function is `fcntl` with `F_OFD_GETLK`.
  package static func lengthOfLockElsewhere(_ file: borrowing FileDescriptor) throws(SystemError) -> Int? {
    var answer = wholeFileLock
    // UNSAFE: the call fills the struct.
    _ = try retrying("fcntl", file.path) { unsafe fcntl(file.rawValue, getLockCommand, &answer) }
    return answer.l_type == Int16(F_UNLCK) ? nil : Int(answer.l_len)
  }

  /// The length of a lock on the whole file, however long it becomes.
  package static let wholeFile = 0

  /// Takes the advisory lock of a folder; `false` if another process holds it for two seconds. The corresponding C function
  /// is `flock`.
  package static func lockFolder(_ folder: borrowing FileDescriptor) throws(SystemError) -> Bool {
    let pause = timespec(tv_sec: 0, tv_nsec: 2_000_000)
    for _ in 0..<1000 {
      do {
        let raw = folder.rawValue
        _ = try retrying("flock", folder.path) { flock(raw, LOCK_EX | LOCK_NB) }
        return true
      } catch {
        if error.errno != .wouldBlock { throw error }
      }
      // UNSAFE: the call reads the struct.
      unsafe withUnsafePointer(to: pause) { _ = unsafe nanosleep($0, nil) }
    }
    return false
  }

  private static var wholeFileLock: Glibc.flock {
    Glibc.flock(
      l_type: Int16(F_WRLCK), l_whence: Int16(SEEK_SET), l_start: 0, l_len: off_t(wholeFile), l_pid: 0)
  }
  private static func byteLock(_ offset: Int) -> Glibc.flock {
    Glibc.flock(
      l_type: Int16(F_WRLCK), l_whence: Int16(SEEK_SET), l_start: off_t(offset), l_len: 1, l_pid: 0)
  }
  private static let getLockCommand: Int32 = 36  // F_OFD_GETLK; hidden behind _GNU_SOURCE
  private static let setLockCommand: Int32 = 37  // F_OFD_SETLK
}
