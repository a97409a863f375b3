import TestPatterns

/// Generates random numbers that are the same for the same seed.
package struct SeededGenerator: RandomNumberGenerator {
  private var numbers: SplitMix

  /// - Parameter stream: distinguishes the generators of one run.
  package init(seed: UInt64, stream: UInt64 = 0) {
    numbers = SplitMix(state: seed &+ stream &* 0xD1B5_4A32_D192_ED03)
  }

  package mutating func next() -> UInt64 { numbers.next() }

  /// Returns `true` in one of `count` calls, on average.
  package mutating func once(in count: UInt64) -> Bool { next() % count == 0 }

  /// Returns the next numbers as bytes.
  package mutating func bytes(count: Int) -> [UInt8] {
    let words = (0..<(count + 7) / 8).map { _ in next() }
    // UNSAFE: the array's own bytes.
    return unsafe Array(words.withUnsafeBytes { unsafe Array($0) }.prefix(count))
  }
}
