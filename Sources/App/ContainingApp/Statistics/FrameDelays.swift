import Platform

/// The delays of a watch's frames, beside the state, which is copied and compared for every frame.
package struct FrameDelays: Sendable {
  /// From the capture of a frame to its arrival in the app.
  package var ages = DelayHistogram()
  /// From the publication of a frame to the read that found it.
  package var handOffs = DelayHistogram()
  /// How much later than each frame the newest audio was recorded; below zero if it was earlier.
  package var avOffsets = DelayHistogram()

  package init() {}
}
