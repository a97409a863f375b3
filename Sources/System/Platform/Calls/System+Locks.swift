import Glibc

// Locks of files and folders. The kernel releases them when the process ends.
extension System {
  /// Acquires an open-file-description lock on the first bytes of a file (they need not exist), or on the whole file. Returns
  /// `false` if another open file description holds a part of it. Wraps `fcntl(2)` with `F_OFD_SETLK`.
  package static func tryLock(
    _ file: borrowing FileDescriptor, first byteCount: Int? = nil
  ) throws(FileError) -> Bool {
    do {
      _ = try control(file, setLockCommand, lock(F_WRLCK, byteCount ?? 0))
      return true
    } catch {
      if error.errno == .wouldBlock || error.errno == .permissionDenied { return false }
      throw error
    }
  }

  package static func unlock(_ file: borrowing FileDescriptor) throws(FileError) {
    _ = try control(file, setLockCommand, lock(F_UNLCK, 0))
  }

  /// The length of the lock that another open file description holds on the file (0: the whole file); `nil` if there is none.
  /// Wraps `fcntl(2)` with `F_OFD_GETLK`.
  package static func lengthOfLockElsewhere(_ file: borrowing FileDescriptor) throws(FileError) -> Int? {
    let answer = try control(file, getLockCommand, lock(F_WRLCK, 0))
    return answer.l_type == Int16(F_UNLCK) ? nil : Int(answer.l_len)
  }

  /// Acquires the advisory lock of a folder; `false` if it is still held elsewhere after two seconds. Wraps `flock(2)`.
  package static func lockFolder(
    _ folder: borrowing FileDescriptor, clock: any MonotonicClock
  ) throws(FileError) -> Bool {
    for _ in 0..<1000 {
      do {
        try folder.retrying("flock") { flock($0, LOCK_EX | LOCK_NB) }
        return true
      } catch {
        if error.errno != .wouldBlock { throw error }
      }
      clock.wait(until: clock.now + .milliseconds(2))
    }
    return false
  }

  /// Releases the advisory lock of a folder, even if a child process shares the open file. Wraps `flock(2)`.
  package static func unlockFolder(_ folder: borrowing FileDescriptor) throws(FileError) {
    try folder.retrying("flock") { flock($0, LOCK_UN) }
  }

  private static func control(
    _ file: borrowing FileDescriptor, _ command: Int32, _ request: Glibc.flock
  ) throws(FileError) -> Glibc.flock {
    var request = request
    // UNSAFE: the call reads and fills the struct.
    try file.retrying("fcntl") { unsafe fcntl($0, command, &request) }
    return request
  }

  /// Returns a lock on the first bytes of a file (0: the whole file).
  private static func lock(_ type: Int32, _ byteCount: Int) -> Glibc.flock {
    Glibc.flock(
      l_type: Int16(type), l_whence: Int16(SEEK_SET), l_start: 0, l_len: off_t(byteCount), l_pid: 0)
  }

  private static let getLockCommand: Int32 = 36  // F_OFD_GETLK; hidden behind _GNU_SOURCE
  private static let setLockCommand: Int32 = 37  // F_OFD_SETLK
}
