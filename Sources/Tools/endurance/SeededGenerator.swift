import TestPatterns

/// Random numbers that are the same for the same seed.
struct SeededGenerator: RandomNumberGenerator {
  private var numbers: SplitMix

  /// The numbers that belong to a seed; `stream` tells apart the generators of one run.
  init(seed: UInt64, stream: UInt64 = 0) {
    numbers = SplitMix(state: seed &+ stream &* 0xD1B5_4A32_D192_ED03)
  }

  /// The next number.
  mutating func next() -> UInt64 { numbers.next() }

  /// Whether something that happens once in `count` times happens.
  mutating func once(in count: UInt64) -> Bool { next() % count == 0 }
}
