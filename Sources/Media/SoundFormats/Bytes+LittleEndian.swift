extension [UInt8] {
  /// The number in two bytes from `offset` on, which the caller has checked are there.
  func littleEndian16(at offset: Int) -> Int { Int(self[offset]) | Int(self[offset + 1]) << 8 }

  /// The number in four bytes from `offset` on, which the caller has checked are there.
  func littleEndian32(at offset: Int) -> Int {
    littleEndian16(at: offset) | littleEndian16(at: offset + 2) << 16
  }

  /// Adds a number in two bytes.
  mutating func appendLittleEndian(_ value: UInt16) {
    append(UInt8(truncatingIfNeeded: value))
    append(UInt8(truncatingIfNeeded: value >> 8))
  }

  /// Adds a number in four bytes.
  mutating func appendLittleEndian(_ value: UInt32) {
    appendLittleEndian(UInt16(truncatingIfNeeded: value))
    appendLittleEndian(UInt16(truncatingIfNeeded: value >> 16))
  }
}
