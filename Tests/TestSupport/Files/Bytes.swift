extension [UInt8] {
  /// Whether all bytes are the same. Uses one `memcmp` of the bytes with themselves, shifted by one byte.
  package var isUniform: Bool {
    guard count > 1 else { return true }
    // UNSAFE: compares count − 1 bytes from the first and from the second byte.
    return unsafe withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress else { return true }
      return unsafe memcmp(base, base + 1, count - 1) == 0
    }
  }

  /// Writes the bytes of a number in little-endian order.
  package mutating func set<Number: FixedWidthInteger>(_ offset: Int, to number: Number) {
    for index in 0..<(Number.bitWidth / 8) {
      self[offset + index] = UInt8(truncatingIfNeeded: number >> (8 * index))
    }
  }
}
