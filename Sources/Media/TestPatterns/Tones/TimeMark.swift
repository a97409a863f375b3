import Foundation

/// A mark in a sound that tells its time: a short burst whose first sample is the first of a whole second of the
/// monotonic clock, on which the pictures' capture times are too.
///
/// The burst begins at its peak, so that its first sample is told from what comes before it.
public enum TimeMark {
  /// The pitch of the burst, in hertz.
  public static let frequency = 2_000
  /// How many bursts of a mark's length make a second: it lasts 20 ms.
  public static let marksPerSecond = 50
  /// The peak, 6 dB below full scale.
  public static let peak = 16_422.0
  /// No other part of a test tone is as loud as this; every mark's first sample is louder.
  public static let threshold: Int16 = 10_000

  /// The frames of a mark at a sample rate.
  public static func frameCount(sampleRate: Int) -> Int { sampleRate / marksPerSecond }

  /// Sample `index` of a mark, counted from 0.
  public static func sample(_ index: Int, sampleRate: Int) -> Int16 {
    Int16((peak * cos(2 * .pi * Double(index * frequency % sampleRate) / Double(sampleRate))).rounded())
  }
}
