import Foundation
import Platform

/// A sine wave, 18 dB below full scale, with a ``TimeMark`` at each whole second of the monotonic clock.
public struct TestTone: Sendable {
  /// The frequency, in hertz.
  public let frequency: Int
  /// The peak of the sine wave: 18 dB below full scale.
  public static let peak = 4_125.0

  /// Creates a tone of a positive frequency.
  public init(frequency: Int) { self.frequency = frequency }

  /// Returns the samples of `count` frames from `frame` on, one per frame. Marks of seconds before the start of the stream
  /// are omitted.
  public func samples(from frame: UInt64, count: Int, of clock: SampleClock) -> [Int16] {
    var samples = (0..<count).map { sine(frame &+ UInt64($0), sampleRate: clock.sampleRate) }
    guard count > 0 else { return samples }
    let markLength = UInt64(TimeMark.frameCount(sampleRate: clock.sampleRate))
    let (end, second) = (frame + UInt64(count), Duration.seconds(1))
    // From the second whose mark may reach into the first frame to the one whose mark may start at the last.
    var time = clock.time(ofFrame: frame)
    time.nanoseconds -= time.nanoseconds % 1_000_000_000
    while time < clock.start { time = time + second }
    while true {
      let begin = clock.firstFrame(notBefore: time)
      guard begin < end else { return samples }
      for place in max(begin, frame)..<max(min(begin + markLength, end), max(begin, frame)) {
        samples[Int(place - frame)] = TimeMark.sample(Int(place - begin), sampleRate: clock.sampleRate)
      }
      time = time + second
    }
  }

  private func sine(_ frame: UInt64, sampleRate: Int) -> Int16 {
    // A sine wave of an integer frequency repeats every second, so its phase is always exact.
    let step = Int(frame % UInt64(sampleRate)) * frequency % sampleRate
    return Int16((Self.peak * sin(2 * .pi * Double(step) / Double(sampleRate))).rounded())
  }
}
