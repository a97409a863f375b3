/// What precedes the planes of a frame in `/frames`, as JSON. Times are nanoseconds of the monotonic clock.
struct LiveFrameHeader: Codable, Equatable {
  struct Plane: Codable, Equatable {
    /// From the start of the planes, in bytes.
    var offset: Int
    /// The bytes of a row.
    var stride: Int
  }

  /// The picture: `phone` or `call`.
  var of: String
  var number: UInt64
  var captureNs: UInt64
  /// When the app had the frame.
  var receiveNs: UInt64
  /// When the header was written, for the difference of the clocks.
  var sendNs: UInt64
  /// The size as stored, before the rotation.
  var width: Int
  var height: Int
  /// The size as sent: smaller for a page that shows it smaller.
  var columns: Int
  var rows: Int
  /// Whether a part of the screen was cut off.
  var isCropped: Bool
  var pixelFormat: String
  var isFullRange: Bool
  /// The name that WebCodecs has for the matrix of the colours.
  var matrix: String
  var orientation: String
  /// The degrees clockwise that turn the picture upright.
  var rotation: Int
  var planes: [Plane]
  /// The frames that this page did not get, so far.
  var framesDropped: UInt64
}
