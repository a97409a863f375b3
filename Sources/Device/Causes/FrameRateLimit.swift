/// The limit of a frame rate, for terminals, causes and the page.
package enum FrameRateLimit {
  /// The share of the expected frames below which a second is too slow.
  ///
  /// The count of frames in a second has an error of one (3 % of 30), and an overloaded host costs a few more. A rate below four
  /// fifths is visible, and has a cause. All warnings about a frame rate use this limit, so they concern the same seconds.
  package static let leastShare = 0.8

  /// Whether a rate is too low.
  ///
  /// - Parameters:
  ///   - asked: the rate that screen and polls were asked for.
  ///   - shown: the rate of the frames that the screen had, with the dropped ones. A screen at rest has fewer than asked.
  package static func isShort(_ rate: Double, of asked: Double, shown: Double) -> Bool {
    rate < leastShare * min(asked, shown)
  }
}
