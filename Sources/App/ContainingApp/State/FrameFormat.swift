import CoreVideo
import PixelAccess
import ReplayKit
import ScreenBroadcast

/// The format of a frame; sizes in pixels.
package struct FrameFormat: Equatable, Sendable {
  package var width: Int
  package var height: Int
  package var orientation: CGImagePropertyOrientation
  package var pixelFormat: OSType

  package init(_ frame: BroadcastFrame) { self.init(frame.pixelBuffer, orientation: frame.orientation) }

  init(_ pixelBuffer: CVPixelBuffer, orientation: CGImagePropertyOrientation) {
    width = CVPixelBufferGetWidth(pixelBuffer)
    height = CVPixelBufferGetHeight(pixelBuffer)
    self.orientation = orientation
    pixelFormat = CVPixelBufferGetPixelFormatType(pixelBuffer)
  }

  /// The bits of a frame, uncompressed and without padding.
  var bitsPerFrame: Double { Double(BiPlanar.byteCount(width: width, height: height) * 8) }
}
