import Platform

/// Reads of a file's bytes that never leave their bounds.
extension [UInt8] {
  /// The little-endian number at `offset`; `nil` if it is not all there.
  func number<Number: FixedWidthInteger & BitwiseCopyable>(at offset: Int, as type: Number.Type) -> Number? {
    guard offset >= 0, offset <= count - MemoryLayout<Number>.size else { return nil }
    return span.loadLittleEndian(at: offset, as: type)
  }

  /// The 32-bit number at `offset` of a header whose length was checked; 0 if it is not all there.
  func uint32(at offset: Int) -> UInt32 { number(at: offset, as: UInt32.self) ?? 0 }

  /// The 64-bit number at `offset` of a header whose length was checked; 0 if it is not all there.
  func uint64(at offset: Int) -> UInt64 { number(at: offset, as: UInt64.self) ?? 0 }

  /// `count` bytes from `offset`; `nil` if they are not all there.
  func slice(_ offset: Int, _ count: Int) -> ArraySlice<UInt8>? {
    guard offset >= 0, count >= 0, offset <= self.count - count else { return nil }
    return self[offset..<(offset + count)]
  }
}
