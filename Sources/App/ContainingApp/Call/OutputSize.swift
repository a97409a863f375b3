/// The size of the frames that enter the call.
package enum OutputSize: Equatable, Sendable {
  /// The size of the screen.
  case native
  /// A size in pixels, which is portrait for a portrait screen.
  case fixed(width: Int, height: Int)
}

/// How a frame fits into another shape.
package enum PictureFit: String, CaseIterable, Sendable {
  /// Fills the shape and crops the rest, as WebRTC does.
  case crop
  /// Keeps the whole frame, with black bars.
  case contain
}
