import CoreVideo
import PixelAccess
import ReplayKit
import ScreenBroadcast

/// The shape of the frames that come.
public struct FrameFormat: Equatable, Sendable {
  /// The width, in pixels.
  public var width: Int
  /// The height, in pixels.
  public var height: Int
  /// How the pictures must be turned.
  public var orientation: CGImagePropertyOrientation
  /// The pixel format.
  public var pixelFormat: OSType

  init(_ frame: BroadcastFrame) {
    width = CVPixelBufferGetWidth(frame.pixelBuffer)
    height = CVPixelBufferGetHeight(frame.pixelBuffer)
    orientation = frame.orientation
    pixelFormat = CVPixelBufferGetPixelFormatType(frame.pixelBuffer)
  }

  /// The bits of one frame, uncompressed and without padding.
  var bitsPerFrame: Double { Double(BiPlanar.byteCount(width: width, height: height) * 8) }
}
