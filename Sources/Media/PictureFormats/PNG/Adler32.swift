/// The check sum of a zlib stream (RFC 1950).
struct Adler32 {
  private var low: UInt32 = 1
  private var high: UInt32 = 0

  /// The sum over all bytes so far.
  var value: UInt32 { high << 16 | low }

  mutating func update(_ bytes: [UInt8]) {
    // 5552 bytes are as many as fit before the sums must be reduced.
    for start in stride(from: 0, to: bytes.count, by: 5552) {
      for index in start..<min(start + 5552, bytes.count) {
        low &+= UInt32(bytes[index])
        high &+= low
      }
      low %= 65_521
      high %= 65_521
    }
  }
}
