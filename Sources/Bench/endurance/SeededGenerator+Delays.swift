import Foundation
import LaunchedPrograms
import Platform

extension SeededGenerator {
  mutating func sleep(upTo limit: Duration) {
    usleep(useconds_t.random(in: 0...useconds_t(limit / .microseconds(1)), using: &self))
  }

  /// Returns the number of bytes that a slow reader reads before its next pause: whole words, usually few.
  mutating func piece(of byteCount: Int) -> Int {
    let most = max(1, (byteCount / 8) >> Int.random(in: 0...5, using: &self))
    return 8 * Int.random(in: 1...most, using: &self)
  }

  /// Delays the caller, so that the writer can run: yields, spins for up to 16 µs, or sleeps.
  mutating func pause() {
    switch next() % 16 {
    case 0..<5: sched_yield()
    case 5..<15: spin(within: 14)
    default: sleep(upTo: .microseconds(200))
    }
  }

  /// Spins for up to 2 to the power of `bits` nanoseconds, usually much less.
  mutating func spin(within bits: UInt64) {
    let end = SystemClock().now.nanoseconds + 1 << (next() % (bits + 1))
    while SystemClock().now.nanoseconds < end {}
  }
}
