import Glibc

// Locks of files and folders, which the kernel drops when the process ends.
extension System {
  /// Takes the open-file-description lock on the whole file or on one byte; `false` if another one holds it. The
  /// corresponding C function is `fcntl` with `F_OFD_SETLK`.
  package static func tryLock(
    _ file: borrowing FileDescriptor, byte offset: Int? = nil
  ) throws(SystemError) -> Bool {
    do {
      _ = try control(file, setLockCommand, lock(F_WRLCK, offset))
      return true
    } catch {
      if error.errno == .wouldBlock || error.errno == .permissionDenied { return false }
      throw error
    }
  }

  /// Releases the lock that ``tryLock(_:byte:)`` took.
  package static func unlock(
    _ file: borrowing FileDescriptor, byte offset: Int? = nil
  ) throws(SystemError) {
    _ = try control(file, setLockCommand, lock(F_UNLCK, offset))
  }

  /// Whether another open file description holds the lock on the file. The corresponding C function is `fcntl` with
  /// `F_OFD_GETLK`.
  package static func isLockedElsewhere(_ file: borrowing FileDescriptor) throws(SystemError) -> Bool {
    try control(file, getLockCommand, lock(F_WRLCK, nil)).l_type != Int16(F_UNLCK)
  }

  /// Takes the advisory lock of a folder; `false` if another process holds it for two seconds. The corresponding C function
  /// is `flock`.
  package static func lockFolder(
    _ folder: borrowing FileDescriptor, clock: any MonotonicClock
  ) throws(SystemError) -> Bool {
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

  private static func control(
    _ file: borrowing FileDescriptor, _ command: Int32, _ request: Glibc.flock
  ) throws(SystemError) -> Glibc.flock {
    var request = request
    // UNSAFE: the call reads and fills the struct.
    try file.retrying("fcntl") { unsafe fcntl($0, command, &request) }
    return request
  }

  private static func lock(_ type: Int32, _ offset: Int?) -> Glibc.flock {
    Glibc.flock(
      l_type: Int16(type), l_whence: Int16(SEEK_SET), l_start: off_t(offset ?? 0),
      l_len: offset == nil ? 0 : 1,
      l_pid: 0)
  }

  private static let getLockCommand: Int32 = 36  // F_OFD_GETLK; hidden behind _GNU_SOURCE
  private static let setLockCommand: Int32 = 37  // F_OFD_SETLK
}
