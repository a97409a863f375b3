/// The codes of a JPEG's symbols: within a length they follow each other.
struct HuffmanTable {
  private var first = [Int](repeating: 0, count: 17)
  private var start = [Int](repeating: 0, count: 17)
  private var count = [Int](repeating: 0, count: 17)
  private let values: [UInt8]

  /// - Parameters:
  ///   - counts: how many codes have 1 to 16 bits.
  ///   - values: the symbols, in the order of their codes.
  init?(counts: [Int], values: [UInt8]) {
    guard counts.count == 16, values.count == counts.reduce(0, +) else { return nil }
    self.values = values
    var (code, index) = (0, 0)
    for length in 1...16 {
      (first[length], start[length], count[length]) = (code, index, counts[length - 1])
      code += counts[length - 1]
      index += counts[length - 1]
      guard code <= 1 << length else { return nil }
      code <<= 1
    }
  }

  /// The symbol of a code; `nil` when none of that length has it.
  func value(of code: Int, length: Int) -> UInt8? {
    let offset = code - first[length]
    return offset >= 0 && offset < count[length] ? values[start[length] + offset] : nil
  }
}
