import TestPatterns

/// Random numbers that are the same in every run.
package struct SeededGenerator: RandomNumberGenerator {
  private var numbers: SplitMix

  /// The numbers that belong to a seed.
  package init(seed: UInt64) { numbers = SplitMix(state: seed) }

  /// The next number.
  package mutating func next() -> UInt64 { numbers.next() }

  /// The next numbers as bytes.
  package mutating func bytes(count: Int) -> [UInt8] {
    let words = (0..<(count + 7) / 8).map { _ in next() }
    // UNSAFE: the array's own bytes.
    return unsafe Array(words.withUnsafeBytes { unsafe Array($0) }.prefix(count))
  }
}
