import Foundation

/// Reads and writes on file descriptors that repeat interrupted calls.
enum FileDescriptorIO {
  /// A failed system call's `errno`.
  struct Failure: Error {
    var errno: Int32
  }

  /// Reads into `range` of `buffer` and returns the number of bytes; zero at the end of the file.
  static func read(_ descriptor: Int32, into buffer: inout [UInt8], _ range: Range<Int>) throws(Failure)
    -> Int
  {
    precondition(range.lowerBound >= 0 && range.upperBound <= buffer.count)
    while true {
      // UNSAFE: the range is checked above; the pointer does not leave the call.
      let count = unsafe buffer.withUnsafeMutableBytes { bytes in
        guard let base = bytes.baseAddress else { return 0 }
        return unsafe Foundation.read(descriptor, base + range.lowerBound, range.count)
      }
      if count >= 0 { return count }
      if errno == EAGAIN {
        wait(descriptor, for: Int16(POLLIN))
      } else if errno != EINTR {
        throw Failure(errno: errno)
      }
    }
  }

  /// Writes all of `bytes`, in as few calls as the system allows.
  static func writeAll(_ descriptor: Int32, _ bytes: Span<UInt8>) throws(Failure) {
    var written = 0
    while written < bytes.count {
      // UNSAFE: `written` is below the count; the pointer does not leave the call.
      let count = unsafe bytes.withUnsafeBytes { bytes in
        guard let base = bytes.baseAddress else { return 0 }
        return unsafe Foundation.write(descriptor, base + written, bytes.count - written)
      }
      if count >= 0 {
        written += count
      } else if errno == EAGAIN {
        wait(descriptor, for: Int16(POLLOUT))
      } else if errno != EINTR {
        throw Failure(errno: errno)
      }
    }
  }

  /// Returns the system's text for an error number.
  static func text(_ errno: Int32) -> String {
    // UNSAFE: the C string is copied before the call returns.
    unsafe String(cString: strerror(errno))
  }

  /// Waits until a non-blocking descriptor is ready.
  private static func wait(_ descriptor: Int32, for events: Int16) {
    var entry = pollfd(fd: descriptor, events: events, revents: 0)
    // UNSAFE: one entry, valid for the call. The caller repeats its own call whatever the result.
    _ = unsafe poll(&entry, 1, -1)
  }
}
