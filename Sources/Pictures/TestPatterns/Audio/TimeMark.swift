import Foundation

/// A time mark in audio: a short burst that begins with the first sample of a whole second of the monotonic clock, which the
/// capture times of frames use too.
///
/// The burst starts at its peak, so that its first sample differs from the previous one.
package enum TimeMark {
  /// The frequency of the burst, in hertz.
  package static let frequency = 2_000
  /// The number of marks that fill a second: a mark is 20 ms long.
  package static let marksPerSecond = 50
  /// The peak of the burst (6 dB below full scale).
  package static let peak = 16_422.0
  /// The first sample of every mark exceeds this level, and the sine wave of a test tone never reaches it.
  package static let threshold: Int16 = 10_000

  /// Returns the length of a mark in frames.
  package static func frameCount(sampleRate: Int) -> Int { sampleRate / marksPerSecond }

  /// Returns a sample of a mark, counted from 0.
  package static func sample(_ index: Int, sampleRate: Int) -> Int16 {
    Int16((peak * cos(2 * .pi * Double(index * frequency % sampleRate) / Double(sampleRate))).rounded())
  }
}
