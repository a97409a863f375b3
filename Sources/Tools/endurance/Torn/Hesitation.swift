import Foundation
import Platform
import SharedMemory

/// A reader's slowness: where it stops in the middle of a frame, and for how long.
struct Hesitation {
  private var random: SeededGenerator

  /// The slowness that belongs to a seed.
  init(seed: UInt64, stream: UInt64) { random = SeededGenerator(seed: seed, stream: stream) }

  /// Whether something that happens once in `count` times happens.
  mutating func once(in count: UInt64) -> Bool { random.once(in: count) }

  /// How many bytes to read before the next pause: whole words, mostly few.
  mutating func piece(of byteCount: Int) -> Int {
    let most = max(1, (byteCount / 8) >> Int.random(in: 0...5, using: &random))
    return 8 * Int.random(in: 1...most, using: &random)
  }

  /// Lets the writer come nearer: gives the processor away, spins for up to 16 µs, or sleeps.
  mutating func pause() {
    switch random.next() % 16 {
    case 0..<5: sched_yield()
    case 5..<15: spin(within: 14)
    default: usleep(useconds_t(random.next() % 200))
    }
  }

  /// Spins for up to 2 to the power of `bits` nanoseconds, mostly much shorter.
  mutating func spin(within bits: UInt64) {
    let end = SystemClock().now.nanoseconds + 1 << (random.next() % (bits + 1))
    while SystemClock().now.nanoseconds < end {}
  }
}
