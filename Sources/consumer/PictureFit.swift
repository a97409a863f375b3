/// How a picture of one shape gets into a frame of another.
enum PictureFit: String, CaseIterable {
  /// Fill the frame and cut what stands over, as WebRTC does.
  case crop
  /// Keep the whole picture, with bars.
  case contain
}
