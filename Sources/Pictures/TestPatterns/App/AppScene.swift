import Foundation

/// The content of ``TestPattern/app`` at a time. A list scrolls down and stops, a keyboard appears, text is typed, the keyboard
/// disappears, and the list scrolls back. This takes twelve seconds and repeats.
struct AppScene: Equatable, Sendable {
  /// The scroll position of the list (0 to 1).
  private(set) var scroll = 0.0
  /// The visible part of the keyboard (0 to 1).
  private(set) var keyboard = 0.0
  /// The number of letters in the text field.
  private(set) var typed = 0

  static let text = "SEE YOU AT NINE"

  /// Creates the scene at a time since the first frame.
  init(at time: Duration) {
    let period = 12.0
    let seconds = max(0, time / .seconds(1)).truncatingRemainder(dividingBy: period)
    scroll = Self.motion(seconds, from: 0, for: 1.6) - Self.motion(seconds, from: 8, for: 1.6)
    keyboard = Self.motion(seconds, from: 3, for: 0.3) - Self.motion(seconds, from: 6.7, for: 0.3)
    if keyboard > 0 { typed = max(0, min(Self.text.count, Int((seconds - 3.4) / 0.15))) }
  }

  /// Returns the position of a motion from 0 to 1 that slows down and ends.
  private static func motion(_ seconds: Double, from start: Double, for duration: Double) -> Double {
    1 - pow(1 - min(max((seconds - start) / duration, 0), 1), 3)
  }
}
