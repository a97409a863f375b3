extension Span<UInt8> {
  /// Returns the little-endian number at `offset`. Traps if it is outside of the span.
  @inlinable
  public func loadLittleEndian<Number: FixedWidthInteger & BitwiseCopyable>(
    at offset: Int, as type: Number.Type = Number.self
  )
    -> Number
  {
    precondition(offset >= 0 && offset <= count - MemoryLayout<Number>.size, "outside of the span")
    // UNSAFE: just checked to be within the span; any bits are a number.
    return Number(littleEndian: unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: Number.self))
  }
}

extension MutableSpan<UInt8> {
  /// Writes a little-endian number at `offset`. Traps if it is outside of the span.
  @inlinable
  public mutating func storeLittleEndian<Number: FixedWidthInteger & BitwiseCopyable>(
    _ number: Number, at offset: Int
  ) {
    // UNSAFE: any byte of a number is a valid byte.
    var bytes = unsafe mutableBytes
    bytes.storeBytes(of: number.littleEndian, toByteOffset: offset, as: Number.self)
  }

  /// Writes a string as a 16-bit length and at most `capacity - 2` bytes of UTF-8, truncated at a character boundary.
  package mutating func storeText(_ text: String, at offset: Int, capacity: Int) {
    var utf8 = Array(text.utf8.prefix(capacity - 2))
    if utf8.count < text.utf8.count {
      while !utf8.isEmpty, String(validating: utf8, as: UTF8.self) == nil { utf8.removeLast() }
    }
    storeLittleEndian(UInt16(utf8.count), at: offset)
    for (index, byte) in utf8.enumerated() { self[offset + 2 + index] = byte }
  }
}

extension Span<UInt8> {
  /// Returns the string that ``MutableSpan/storeText(_:at:capacity:)`` wrote. Never traps, whatever the bytes are.
  package func loadText(at offset: Int, capacity: Int) -> String {
    let count = Swift.min(Int(loadLittleEndian(at: offset, as: UInt16.self)), capacity - 2)
    return String(decoding: (0..<count).map { self[offset + 2 + $0] }, as: UTF8.self)
  }
}
