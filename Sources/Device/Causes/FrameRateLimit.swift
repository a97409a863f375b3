/// The limit of a frame rate, for terminals, causes and the page.
package enum FrameRateLimit {
  /// The share of the expected frames below which a second is too slow.
  ///
  /// The frame count of a second is exact to one frame (3 % of 30), and an overloaded host costs a few more. A rate below four
  /// fifths is visible, and has a cause. All warnings about a frame rate use this limit, so they concern the same seconds.
  package static let leastShare = 0.8

  /// Whether a rate is too low.
  ///
  /// - Parameters:
  ///   - asked: the rate that the settings of screen and polls allow.
  ///   - shown: the rate at which the screen changed, including dropped frames. An unchanged screen has fewer frames than `asked`.
  package static func isShort(_ rate: Double, of asked: Double, shown: Double) -> Bool {
    rate < leastShare * min(asked, shown)
  }
}
