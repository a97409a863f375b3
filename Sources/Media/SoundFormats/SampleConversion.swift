extension WAVEFormat.Encoding {
  /// The samples that `bytes` hold, as 16 bits with a sign: wider ones rounded, and limited where that or a
  /// floating-point number goes beyond full scale. Bytes that make no whole sample are left out.
  func samples(_ bytes: [UInt8]) -> [Int16] {
    let count = bytes.count / byteCount
    var samples: [Int16] = []
    samples.reserveCapacity(count)
    for offset in stride(from: 0, to: count * byteCount, by: byteCount) {
      samples.append(sample(bytes, at: offset))
    }
    return samples
  }

  private func sample(_ bytes: [UInt8], at offset: Int) -> Int16 {
    switch self {
    case .unsigned8: Int16(Int(bytes[offset]) - 128) << 8
    case .signed16: Int16(truncatingIfNeeded: bytes.littleEndian16(at: offset))
    case .signed24:
      Self.rounded(
        bytes.littleEndian16(at: offset) | Int(Int8(bitPattern: bytes[offset + 2])) << 16, shift: 8)
    case .signed32:
      Self.rounded(Int(Int32(truncatingIfNeeded: bytes.littleEndian32(at: offset))), shift: 16)
    case .float32:
      Self.limited(Float(bitPattern: UInt32(truncatingIfNeeded: bytes.littleEndian32(at: offset))))
    }
  }

  private static func rounded(_ value: Int, shift: Int) -> Int16 {
    Int16(clamping: (value + 1 << (shift - 1)) >> shift)
  }

  private static func limited(_ value: Float) -> Int16 {
    // Not a number is no sound.
    guard !value.isNaN else { return 0 }
    return Int16((min(max(value, -1), 1) * 32_767).rounded())
  }
}
