/// A small zlib compressor (RFC 1950, RFC 1951): one block of fixed Huffman codes in which only runs of one byte are
/// matches.
///
/// That suits filtered rows of screens, which are mostly runs of zeros. Data that does not compress grows by less than one
/// eighth.
struct Deflate {
  private var output: [UInt8]
  private var pending: UInt64 = 0
  private var pendingBits: UInt64 = 0
  private var checksum = Adler32()
  private let codes = Codes()

  /// The codes of each byte, and of each length of a run at distance 1.
  private struct Codes {
    struct Code {
      var bits: UInt64
      var count: UInt64
    }
    var literals: [Code] = []
    /// Indexed by length, 3…258.
    var runs: [Code] = []
    let end = Code(bits: 0, count: 7)

    init() {
      literals = (0..<256).map { Self.symbol($0) }
      runs = Array(repeating: end, count: 259)
      // Lengths are in groups of four symbols; from the third group on, each group has one more extra bit.
      var length = 3
      for symbol in 257...284 {
        let extra = symbol < 265 ? 0 : UInt64((symbol - 261) / 4)
        for rest in 0..<(1 << extra) where length < 258 {
          runs[length] = Self.run(symbol, extra: extra, rest: UInt64(rest))
          length += 1
        }
      }
      runs[258] = Self.run(285, extra: 0, rest: 0)
    }

    private static func run(_ symbol: Int, extra: UInt64, rest: UInt64) -> Code {
      let code = Self.symbol(symbol)
      // Five zero bits are the code of distance 1.
      return Code(bits: code.bits | rest << code.count, count: code.count + extra + 5)
    }

    private static func symbol(_ symbol: Int) -> Code {
      switch symbol {
      case 0..<144: reversed(0x30 + symbol, 8)
      case 144..<256: reversed(0x190 + symbol - 144, 9)
      case 256..<280: reversed(symbol - 256, 7)
      default: reversed(0xC0 + symbol - 280, 8)
      }
    }

    private static func reversed(_ code: Int, _ count: UInt64) -> Code {
      var bits: UInt64 = 0
      for bit in 0..<count where code >> Int(bit) & 1 == 1 { bits |= 1 << (count - 1 - bit) }
      return Code(bits: bits, count: count)
    }
  }

  /// Starts a stream and reserves memory for `expectedCount` uncompressed bytes.
  init(expectedCount: Int) {
    output = [0x78, 0x01]
    output.reserveCapacity(expectedCount / 4 + 64)
    put(Codes.Code(bits: 0b011, count: 3))
  }

  /// Compresses bytes. A run ends with its call.
  mutating func append(_ bytes: [UInt8]) {
    checksum.update(bytes)
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      put(codes.literals[Int(byte)])
      index += 1
      var run = index
      while run < bytes.count, bytes[run] == byte { run += 1 }
      var length = run - index
      while length >= 3 {
        let part = min(258, length)
        put(codes.runs[part])
        length -= part
        index += part
      }
    }
  }

  /// Returns the finished stream.
  consuming func finish() -> [UInt8] {
    put(codes.end)
    put(Codes.Code(bits: 0, count: (8 - pendingBits % 8) % 8))
    for shift in [24, 16, 8, 0] { output.append(UInt8(truncatingIfNeeded: checksum.value >> UInt32(shift))) }
    return output
  }

  private mutating func put(_ code: Codes.Code) {
    pending |= code.bits << pendingBits
    pendingBits &+= code.count
    while pendingBits >= 8 {
      output.append(UInt8(truncatingIfNeeded: pending))
      pending >>= 8
      pendingBits &-= 8
    }
  }
}

/// The checksum of a zlib stream (RFC 1950).
private struct Adler32 {
  private var low: UInt32 = 1
  private var high: UInt32 = 0

  /// The checksum of all bytes so far.
  var value: UInt32 { high << 16 | low }

  mutating func update(_ bytes: [UInt8]) {
    // After 5552 bytes the sums must be reduced.
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
