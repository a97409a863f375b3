import Foundation

/// A sine of a fixed pitch, 18 dB below full scale, with a ``TimeMark`` at each whole second of the monotonic clock.
public struct TestTone: Sendable {
  /// The pitch, in hertz.
  public let frequency: Int
  /// The peak of the sine, 18 dB below full scale.
  public static let peak = 4_125.0

  /// A tone of a pitch above 0.
  public init(frequency: Int) { self.frequency = frequency }

  /// The samples of `count` frames of a stream from `frame` on, one for each frame. A mark whose second lies before
  /// the stream's start is left out.
  public func samples(from frame: UInt64, count: Int, of clock: SampleClock) -> [Int16] {
    var samples = (0..<count).map { sine(frame &+ UInt64($0), sampleRate: clock.sampleRate) }
    guard count > 0 else { return samples }
    let markLength = UInt64(TimeMark.frameCount(sampleRate: clock.sampleRate))
    let (end, second) = (frame + UInt64(count), UInt64(1_000_000_000))
    // From the second whose mark may still sound at the first frame to the one that may begin at the last.
    var time = clock.time(ofFrame: frame) / second * second
    while time < clock.start { time += second }
    while true {
      let begin = clock.firstFrame(notBefore: time)
      guard begin < end else { return samples }
      for place in max(begin, frame)..<max(min(begin + markLength, end), max(begin, frame)) {
        samples[Int(place - frame)] = TimeMark.sample(Int(place - begin), sampleRate: clock.sampleRate)
      }
      time += second
    }
  }

  private func sine(_ frame: UInt64, sampleRate: Int) -> Int16 {
    // Within a second a sine of a whole pitch repeats, so its phase is exact however long it sounds.
    let step = Int(frame % UInt64(sampleRate)) * frequency % sampleRate
    return Int16((Self.peak * sin(2 * .pi * Double(step) / Double(sampleRate))).rounded())
  }
}
