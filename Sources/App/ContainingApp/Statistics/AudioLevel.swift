import Foundation

/// The level of audio, in decibels below full scale: -96 to 0.
enum AudioLevel {
  static let silence = -96.0

  /// The level of a peak of 16-bit samples.
  static func decibels(_ peak: UInt16) -> Double {
    peak == 0 ? silence : max(silence, 20 * log10(Double(peak) / 32_768))
  }

  /// The level as a character of eight heights, the lowest for -56 dB or less.
  static func bar(_ decibels: Double) -> Character {
    let bars = Array("▁▂▃▄▅▆▇█")
    let height = Int(((min(max(decibels, -64), 0) + 64) / 8).rounded(.down))
    return bars[min(height, bars.count - 1)]
  }
}
