import CPlatform
import Glibc

// Files, FIFOs and terminals at their current position. If a descriptor is non-blocking, these calls wait for it.
extension System {
  /// Reads into `range` of `buffer` and returns the number of bytes (0: the end). Wraps `read(2)`.
  package static func readStream(
    _ descriptor: Int32, into buffer: inout [UInt8], _ range: Range<Int>
  ) throws(FileError) -> Int {
    precondition(range.lowerBound >= 0 && range.upperBound <= buffer.count)
    return try waiting(descriptor, for: POLLIN, "read") {
      // UNSAFE: the range is checked above; the pointer does not escape the call.
      unsafe buffer.withUnsafeMutableBytes { bytes in
        unsafe Glibc.read(descriptor, bytes.baseAddress.map { unsafe $0 + range.lowerBound }, range.count)
      }
    }
  }

  /// Writes all of `bytes`, in as few calls as the system allows. Wraps `write(2)`.
  package static func writeStream(_ bytes: [UInt8], to descriptor: Int32) throws(FileError) {
    var written = 0
    while written < bytes.count {
      written += try waiting(descriptor, for: POLLOUT, "write") {
        // UNSAFE: `written` is below the count; the pointer does not escape the call.
        unsafe bytes.withUnsafeBytes { bytes in
          unsafe Glibc.write(descriptor, bytes.baseAddress.map { unsafe $0 + written }, bytes.count - written)
        }
      }
    }
  }

  private static func waiting(
    _ descriptor: Int32, for events: Int32, _ call: String, _ body: () -> Int
  ) throws(FileError) -> Int {
    while true {
      do { return try retrying(call, "", body) } catch {
        guard error.errno == .wouldBlock else { throw error }
        var entry = pollfd(fd: descriptor, events: Int16(events), revents: 0)
        // UNSAFE: one entry, valid for the call. The loop repeats the caller's call, whatever the result.
        _ = unsafe poll(&entry, 1, -1)
      }
    }
  }

  /// Returns a new descriptor of stdout that only this process has, and redirects descriptor 1 to stderr. Wraps `fcntl(2)` with
  /// `F_DUPFD_CLOEXEC`, and `dup2(2)`.
  package static func separateOutput() throws(FileError) -> Int32 {
    bufferOutputByLine()
    let own = try retrying("fcntl", "stdout") {
      fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
    }
    _ = try retrying("dup2", "stdout") { dup2(STDERR_FILENO, STDOUT_FILENO) }
    return own
  }

  /// Makes `print` write line by line, even to a pipe or a file. Wraps `setvbuf(3)`.
  package static func bufferOutputByLine() { buffer_output_by_line() }
}
