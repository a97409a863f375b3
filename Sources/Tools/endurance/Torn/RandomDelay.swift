import Foundation
import Platform
import WorkerSupport

/// The random delays of a slow reader: where it stops inside a frame, and for how long.
struct RandomDelay {
  private var random: SeededGenerator

  init(seed: UInt64, stream: UInt64) { random = SeededGenerator(seed: seed, stream: stream) }

  /// `true` in one of `count` calls, on average.
  mutating func once(in count: UInt64) -> Bool { random.once(in: count) }

  /// The number of bytes to read before the next pause: whole words, usually few.
  mutating func piece(of byteCount: Int) -> Int {
    let most = max(1, (byteCount / 8) >> Int.random(in: 0...5, using: &random))
    return 8 * Int.random(in: 1...most, using: &random)
  }

  /// Gives the writer time: yields, spins for up to 16 µs, or sleeps.
  mutating func pause() {
    switch random.next() % 16 {
    case 0..<5: sched_yield()
    case 5..<15: spin(within: 14)
    default: usleep(useconds_t(random.next() % 200))
    }
  }

  /// Spins for up to 2 to the power of `bits` nanoseconds, usually much shorter.
  mutating func spin(within bits: UInt64) {
    let end = SystemClock().now.nanoseconds + 1 << (random.next() % (bits + 1))
    while SystemClock().now.nanoseconds < end {}
  }
}
