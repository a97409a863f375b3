/// The pixels of a frame, in whatever form they come.
///
/// A buffer belongs to frames that cross threads; it must not change once a frame holds it.
public protocol RTCVideoFrameBuffer: NSObjectProtocol, Sendable {
  /// The width, in pixels.
  var width: Int32 { get }
  /// The height, in pixels.
  var height: Int32 { get }
}
