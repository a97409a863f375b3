/// What shows a track's frames: a view, or anything else that wants them.
///
/// Both methods are called on the thread that captures.
public protocol RTCVideoRenderer: NSObjectProtocol {
  /// The size of the frames to come, in pixels, as they are seen once turned upright: before the first
  /// frame, and whenever it changes.
  func setSize(_ size: CGSize)

  /// Shows a frame.
  func renderFrame(_ frame: RTCVideoFrame?)
}
