/// The limit of a frame rate, for the terminals, the causes and the page.
package enum FrameRateLimit {
  /// The share of the expected frames below which a second is too slow.
  ///
  /// The frames of a second are counted with an error of one, which is 3 % of 30, and a busy host costs a few more. A rate below four
  /// fifths is visible, and a cause is found for it. So all that warn of a rate warn of the same seconds.
  package static let leastShare = 0.8
}
