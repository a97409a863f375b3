/// Random numbers that are the same in every run (SplitMix64).
package struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  /// The numbers that belong to a seed.
  package init(seed: UInt64) { state = seed }

  /// The next number.
  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    return word ^ (word >> 31)
  }

  /// The next numbers as bytes.
  package mutating func bytes(count: Int) -> [UInt8] {
    let words = (0..<(count + 7) / 8).map { _ in next() }
    // UNSAFE: the array's own bytes.
    return unsafe Array(words.withUnsafeBytes { unsafe Array($0) }.prefix(count))
  }
}
