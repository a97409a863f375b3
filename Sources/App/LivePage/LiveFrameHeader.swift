/// The JSON header before the planes of a frame in `/frames`. Times are nanoseconds of the monotonic clock.
struct LiveFrameHeader: Codable, Equatable {
  struct Plane: Codable, Equatable {
    /// The offset from the start of the planes, in bytes.
    var offset: Int
    /// The number of bytes per row.
    var stride: Int
  }

  /// The picture: `phone` or `call`.
  var of: String
  var number: UInt64
  var captureNs: UInt64
  /// When the app received the frame.
  var receiveNs: UInt64
  /// When the header was written, so that the page can compute the offset of the clocks.
  var sendNs: UInt64
  /// The size as stored, before the rotation.
  var width: Int
  var height: Int
  /// The size as sent: smaller if the page shows the picture smaller.
  var columns: Int
  var rows: Int
  /// Whether a part of the screen was cropped.
  var isCropped: Bool
  var pixelFormat: String
  var isFullRange: Bool
  /// The WebCodecs name of the colour matrix.
  var matrix: String
  var orientation: String
  /// The clockwise rotation that makes the picture upright, in degrees.
  var rotation: Int
  var planes: [Plane]
  /// The number of frames that this page has missed so far.
  var framesDropped: UInt64
}
