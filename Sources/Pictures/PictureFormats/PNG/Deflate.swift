/// A small zlib compressor (RFC 1950, RFC 1951): one block of fixed Huffman codes in which only runs of one byte are
/// matches.
///
/// That suits filtered rows of screens, which are mostly runs of zeros. Data that does not compress grows by less than one
/// eighth.
struct Deflate {
  private var output: [UInt8] = [0x78, 0x01]
  private var pending: UInt64 = 0
  private var pendingBits = 0
  /// The two sums of the checksum, Adler-32.
  private var sums: (low: UInt32, high: UInt32) = (1, 0)
  /// The fixed code of each symbol, the first bit in the lowest place.
  private let codes: [(bits: UInt64, count: Int)] = (0..<288).map { symbol in
    let (code, count) =
      switch symbol {
      case 0..<144: (0x30 + symbol, 8)
      case 144..<256: (0x190 + symbol - 144, 9)
      case 256..<280: (symbol - 256, 7)
      default: (0xC0 + symbol - 280, 8)
      }
    return ((0..<count).reduce(0) { $0 << 1 | UInt64(code >> $1 & 1) }, count)
  }

  init() { put(0b011, 3) }

  /// Compresses bytes. A run ends with its call.
  mutating func append(_ bytes: [UInt8]) {
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      put(codes[Int(byte)].bits, codes[Int(byte)].count)
      let start = index + 1
      index = bytes[start...].firstIndex { $0 != byte } ?? bytes.count
      putRun(of: index - start, byte)
    }
    // After 5552 bytes the sums must be reduced.
    for start in stride(from: 0, to: bytes.count, by: 5552) {
      for byte in bytes[start..<min(start + 5552, bytes.count)] {
        sums.low &+= UInt32(byte)
        sums.high &+= sums.low
      }
      sums = (sums.low % 65_521, sums.high % 65_521)
    }
  }

  /// Returns the finished stream.
  consuming func finish() -> [UInt8] {
    put(codes[256].bits, codes[256].count)
    put(0, -pendingBits & 7)
    for sum in [sums.high, sums.low] { output += [UInt8(sum >> 8), UInt8(sum & 255)] }
    return output
  }

  private mutating func putRun(of count: Int, _ byte: UInt8) {
    var rest = count
    while rest >= 3 {
      let length = min(258, rest)
      // Lengths are in groups of four symbols; from the third group on, each group has one more extra bit.
      let offset = length - 3
      let extra = max(0, Int.bitWidth - offset.leadingZeroBitCount - 3)
      let symbol = length == 258 ? 285 : 257 + extra * 4 + offset >> extra
      put(codes[symbol].bits, codes[symbol].count)
      if length < 258 { put(UInt64(offset & (1 << extra - 1)), extra) }
      // Five zero bits are the code of distance 1.
      put(0, 5)
      rest -= length
    }
    for _ in 0..<rest { put(codes[Int(byte)].bits, codes[Int(byte)].count) }
  }

  private mutating func put(_ bits: UInt64, _ count: Int) {
    pending |= bits << UInt64(pendingBits)
    pendingBits += count
    while pendingBits >= 8 {
      output.append(UInt8(truncatingIfNeeded: pending))
      pending >>= 8
      pendingBits -= 8
    }
  }
}
