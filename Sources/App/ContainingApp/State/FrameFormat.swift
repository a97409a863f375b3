import CoreVideo
import PixelAccess
import ReplayKit
import ScreenBroadcast

/// The shape of the frames that come.
package struct FrameFormat: Equatable, Sendable {
  /// The width, in pixels.
  package var width: Int
  /// The height, in pixels.
  package var height: Int
  /// How the pictures must be turned.
  package var orientation: CGImagePropertyOrientation
  /// The pixel format.
  package var pixelFormat: OSType

  init(_ frame: BroadcastFrame) { self.init(frame.pixelBuffer, orientation: frame.orientation) }

  init(_ pixelBuffer: CVPixelBuffer, orientation: CGImagePropertyOrientation) {
    width = CVPixelBufferGetWidth(pixelBuffer)
    height = CVPixelBufferGetHeight(pixelBuffer)
    self.orientation = orientation
    pixelFormat = CVPixelBufferGetPixelFormatType(pixelBuffer)
  }

  /// The bits of one frame, uncompressed and without padding.
  var bitsPerFrame: Double { Double(BiPlanar.byteCount(width: width, height: height) * 8) }
}
