import Platform
import SharedMemory

/// The bytes of a file, read so that no place in them is out of bounds.
package struct FileBytes: Sendable {
  /// All of them.
  package let all: [UInt8]

  /// Bytes as they were read.
  package init(_ all: [UInt8]) { self.all = all }

  /// How many there are.
  package var count: Int { all.count }

  /// The little-endian number at `offset`; `nil` when it is not all there.
  func number<Number: FixedWidthInteger & BitwiseCopyable>(
    at offset: Int, as type: Number.Type
  ) -> Number? {
    guard offset >= 0, offset <= count - MemoryLayout<Number>.size else { return nil }
    return all.span.loadLittleEndian(at: offset, as: type)
  }

  /// The bytes of a range; `nil` when they are not all there.
  func slice(_ offset: Int, _ count: Int) -> ArraySlice<UInt8>? {
    guard offset >= 0, count >= 0, offset <= self.count - count else { return nil }
    return all[offset..<(offset + count)]
  }

  /// Whether these bytes stand at `offset`.
  func has(_ text: String, at offset: Int) -> Bool {
    slice(offset, text.utf8.count).map { $0.elementsEqual(text.utf8) } ?? false
  }
}
