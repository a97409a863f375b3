import PixelAccess
import Platform

/// A stream that is read through a single buffer.
struct BufferedInput {
  let descriptor: Int32
  private(set) var bytes = [UInt8](repeating: 0, count: Y4MHeader.maximumLineLength + 1)
  /// The range of the unused bytes in `bytes`.
  private(set) var available = 0..<0

  init(descriptor: Int32) { self.descriptor = descriptor }

  /// A line that consists of a word, or begins with the word and a space.
  enum Line: Equatable {
    case line(length: Int)
    /// The stream ends after this many bytes of the line.
    case end(after: Int)
    case otherWord
    case tooLong
  }

  /// Finds the next line. It reads no further than necessary, because a terminal or a FIFO may never end.
  mutating func findLine(_ word: [UInt8]) throws(FileError) -> Line {
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

  /// Reads until `count` unused bytes are available. Returns `false` if the stream ends before.
  mutating func fill(to count: Int) throws(FileError) -> Bool {
    guard available.count < count else { return true }
    let unused = available
    var span = bytes.mutableSpan
    span.copyWithin(unused, to: 0)
    available = 0..<available.count
    if bytes.count < count { bytes += [UInt8](repeating: 0, count: count - bytes.count) }
    while available.count < count {
      let free = available.upperBound..<bytes.count
      let read = try System.readStream(descriptor, into: &bytes, free)
      guard read > 0 else { return false }
      available = 0..<available.upperBound + read
    }
    return true
  }

  mutating func skip(_ count: Int) { available.removeFirst(count) }

  /// Discards the unused bytes, after a seek.
  mutating func discard() { available = 0..<0 }
}
