/// How a picture of one shape gets into a frame of another.
package enum PictureFit: String, CaseIterable, Sendable {
  /// Fill the frame and cut what stands over, as WebRTC does.
  case crop
  /// Keep the whole picture, with black bars.
  case contain
}
