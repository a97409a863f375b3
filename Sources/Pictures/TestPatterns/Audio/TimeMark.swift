import Foundation

/// A mark of the time in audio: a short burst whose first sample is the first of a whole second of the monotonic clock,
/// which the capture times of frames use too.
///
/// The burst starts at its peak, so that its first sample differs from the previous one.
package enum TimeMark {
  /// The frequency of the burst, in hertz.
  package static let frequency = 2_000
  /// The marks per second if they were adjacent: a mark lasts 20 ms.
  package static let marksPerSecond = 50
  /// The peak: 6 dB below full scale.
  package static let peak = 16_422.0
  /// The first sample of every mark exceeds this level; the rest of a test tone does not reach it.
  package static let threshold: Int16 = 10_000

  /// Returns the frames of a mark at a sample rate.
  package static func frameCount(sampleRate: Int) -> Int { sampleRate / marksPerSecond }

  /// Returns sample `index` of a mark, from 0.
  package static func sample(_ index: Int, sampleRate: Int) -> Int16 {
    Int16((peak * cos(2 * .pi * Double(index * frequency % sampleRate) / Double(sampleRate))).rounded())
  }
}
