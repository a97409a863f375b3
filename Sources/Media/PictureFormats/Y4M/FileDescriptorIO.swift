import Foundation
import PixelAccess
import Platform

/// Reads and writes on file descriptors that repeat interrupted calls and wait for descriptors that do not block.
enum FileDescriptorIO {
  /// Reads into `range` of `buffer` and returns the number of bytes; zero at the end of the file.
  static func read(
    _ descriptor: Int32, into buffer: inout [UInt8], _ range: Range<Int>
  ) throws(SystemError) -> Int {
    precondition(range.lowerBound >= 0 && range.upperBound <= buffer.count)
    return try waiting(descriptor, for: POLLIN, "read") {
      // UNSAFE: the range is checked above; the pointer does not leave the call.
      unsafe buffer.withUnsafeMutableBytes { bytes in
        unsafe Foundation.read(
          descriptor, bytes.baseAddress.map { unsafe $0 + range.lowerBound }, range.count)
      }
    }
  }

  /// Writes all of `bytes`, in as few calls as the system allows.
  static func writeAll(_ descriptor: Int32, _ bytes: [UInt8]) throws(SystemError) {
    var written = 0
    while written < bytes.count {
      written += try waiting(descriptor, for: POLLOUT, "write") {
        // UNSAFE: `written` is below the count; the pointer does not leave the call.
        unsafe bytes.withUnsafeBytes { bytes in
          unsafe Foundation.write(
            descriptor, bytes.baseAddress.map { unsafe $0 + written }, bytes.count - written)
        }
      }
    }
  }

  private static func waiting(
    _ descriptor: Int32, for events: Int32, _ call: String, _ body: () -> Int
  ) throws(SystemError) -> Int {
    while true {
      do { return try System.retrying(call, "", body) } catch {
        guard error.errno == .wouldBlock else { throw error }
        var entry = pollfd(fd: descriptor, events: Int16(events), revents: 0)
        // UNSAFE: one entry, valid for the call. The loop repeats the caller's call whatever the result.
        _ = unsafe poll(&entry, 1, -1)
      }
    }
  }
}

/// A stream that is read through one buffer.
struct BufferedInput {
  let descriptor: Int32
  private(set) var bytes = [UInt8](repeating: 0, count: Y4MHeader.maximumLineLength + 1)
  /// The unused bytes of `bytes`.
  private(set) var available = 0..<0

  init(descriptor: Int32) { self.descriptor = descriptor }

  /// A line that begins with a word and a space, or is that word.
  enum Line: Equatable {
    case line(length: Int)
    /// The stream ends after these bytes of the line.
    case end(after: Int)
    case otherWord
    case tooLong
  }

  /// Finds the next line, and reads no further than that needs: a terminal or a FIFO may never end.
  mutating func findLine(_ word: [UInt8]) throws(SystemError) -> Line {
    for length in 0...Y4MHeader.maximumLineLength {
      guard try fill(to: length + 1) else { return .end(after: length) }
      let byte = bytes[available.lowerBound + length]
      if length < word.count {
        if byte != word[length] { return .otherWord }
      } else if byte == UInt8(ascii: "\n") {
        return .line(length: length)
      } else if length == word.count, byte != UInt8(ascii: " ") {
        return .otherWord
      }
    }
    return .tooLong
  }

  /// Reads until `count` unused bytes are available; `false` when the stream ends before.
  mutating func fill(to count: Int) throws(SystemError) -> Bool {
    guard available.count < count else { return true }
    let unused = available
    var span = bytes.mutableSpan
    span.copyWithin(unused, to: 0)
    available = 0..<available.count
    if bytes.count < count { bytes += [UInt8](repeating: 0, count: count - bytes.count) }
    while available.count < count {
      let free = available.upperBound..<bytes.count
      let read = try FileDescriptorIO.read(descriptor, into: &bytes, free)
      guard read > 0 else { return false }
      available = 0..<available.upperBound + read
    }
    return true
  }

  mutating func skip(_ count: Int) { available.removeFirst(count) }

  /// Drops the unused bytes, after a seek.
  mutating func discard() { available = 0..<0 }
}
