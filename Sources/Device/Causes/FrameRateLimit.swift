/// The limit of a frame rate, for terminals, causes and the page.
package enum FrameRateLimit {
  /// The share of the expected frames below which a second is too slow.
  ///
  /// The count of frames in a second has an error of one (3 % of 30), and an overloaded host costs a few more. A rate below four
  /// fifths is visible, and has a cause. All warnings about a frame rate use this limit, so they concern the same seconds.
  package static let leastShare = 0.8
}
