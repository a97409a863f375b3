/// Random numbers that are the same for the same seed (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  /// The numbers that belong to a seed; `stream` tells apart the generators of one run.
  init(seed: UInt64, stream: UInt64 = 0) { state = seed &+ stream &* 0xD1B5_4A32_D192_ED03 }

  /// The next number.
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    return word ^ (word >> 31)
  }

  /// Whether something that happens once in `count` times happens.
  mutating func once(in count: UInt64) -> Bool { next() % count == 0 }
}
