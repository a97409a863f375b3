import Foundation
import Platform

/// A sine wave, 18 dB below full scale, with a ``TimeMark`` at each whole second of the monotonic clock.
package struct TestTone: Sendable {
  package let frequency: Int
  /// The peak of the sine wave (18 dB below full scale).
  package static let peak = 4_125.0

  package init(frequency: Int) { self.frequency = frequency }

  /// Returns `count` samples, one per frame, from `frame` on. Marks of seconds before the start of the stream are omitted.
  package func samples(from frame: UInt64, count: Int, of clock: SampleClock) -> [Int16] {
    guard count > 0 else { return [] }
    var samples = sine(from: frame, count: count, sampleRate: clock.sampleRate)
    let markLength = UInt64(TimeMark.frameCount(sampleRate: clock.sampleRate))
    let end = frame + UInt64(count)
    // Start with the second whose mark may reach into the first frame. End with the second whose mark may start at the last
    // frame.
    let second: UInt64 = 1_000_000_000
    var time = MonotonicTime(nanoseconds: clock.time(ofFrame: frame).nanoseconds / second * second)
    while time < clock.start { time = time + .seconds(1) }
    while true {
      let begin = clock.firstFrame(notBefore: time)
      guard begin < end else { return samples }
      for place in max(begin, frame)..<max(min(begin + markLength, end), max(begin, frame)) {
        samples[Int(place - frame)] = TimeMark.sample(Int(place - begin), sampleRate: clock.sampleRate)
      }
      time = time + .seconds(1)
    }
  }

  private func sine(from frame: UInt64, count: Int, sampleRate: Int) -> [Int16] {
    // A sine wave of an integer frequency repeats every second, so its phase is always exact.
    let stride = frequency % sampleRate
    var step = Int(frame % UInt64(sampleRate)) * stride % sampleRate
    var samples = [Int16](repeating: 0, count: count)
    // In a debug build, a loop without closures and iterators takes a third of the time.
    var place = 0
    while place < count {
      samples[place] = Int16((Self.peak * sin(2 * .pi * Double(step) / Double(sampleRate))).rounded())
      step += stride
      if step >= sampleRate { step -= sampleRate }
      place += 1
    }
    return samples
  }
}
