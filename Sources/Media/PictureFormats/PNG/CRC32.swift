/// The check sum of a PNG chunk (ISO 3309).
struct CRC32 {
  private var state: UInt32 = ~0

  private static let table: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte)) { value, _ in value & 1 == 1 ? 0xEDB8_8320 ^ value >> 1 : value >> 1 }
  }

  /// The sum over all bytes so far.
  var value: UInt32 { ~state }

  mutating func update(_ bytes: [UInt8]) {
    let table = Self.table
    var state = state
    for byte in bytes { state = table[Int(UInt8(truncatingIfNeeded: state) ^ byte)] ^ state >> 8 }
    self.state = state
  }
}
