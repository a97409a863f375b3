/// The size of the frames that enter the call.
package enum OutputSize: Equatable, Sendable {
  /// The size of the screen, unscaled.
  case native
  /// A size of choice, in pixels. It has no orientation: a portrait screen gets it upright.
  case fixed(width: Int, height: Int)
}
