import CoreVideo
import PixelAccess
import Platform
import WebRTC

/// Fits whole frames into another shape, with black bars.
package struct Letterbox {
  private var canvases = AdaptivePixelBufferPool()
  private var pictures = AdaptivePixelBufferPool()

  package init() {}

  /// Returns a buffer of the given size (rotated to the orientation of `picture`) with the whole picture in its middle,
  /// scaled down if it is too large. Returns the picture itself if it has that size.
  mutating func contain(
    _ picture: CVPixelBuffer, width: Int, height: Int
  ) throws(PixelBufferError) -> CVPixelBuffer {
    let (pictureWidth, pictureHeight) = (CVPixelBufferGetWidth(picture), CVPixelBufferGetHeight(picture))
    let isPortrait = pictureHeight > pictureWidth
    let frame = isPortrait == (height > width) ? (width, height) : (height, width)
    return try place(picture, into: frame)
  }

  /// Like ``contain(_:width:height:)``, but with exactly this size.
  package mutating func place(
    _ picture: CVPixelBuffer, into frame: (width: Int, height: Int)
  ) throws(PixelBufferError) -> CVPixelBuffer {
    let (width, height) = (CVPixelBufferGetWidth(picture), CVPixelBufferGetHeight(picture))
    guard (width, height) != frame else { return picture }
    let format = CVPixelBufferGetPixelFormatType(picture)
    let inner = PixelSize(width: width, height: height)
      .fitted(into: PixelSize(width: frame.width, height: frame.height))

    let canvas = try canvases.makeBuffer(width: frame.width, height: frame.height, pixelFormat: format)
    CVBufferPropagateAttachments(picture, canvas)
    var scaled = picture
    if inner != PixelSize(width: width, height: height) {
      scaled = try pictures.makeBuffer(width: inner.width, height: inner.height, pixelFormat: format)
      // UNSAFE: only because of the type of the scratch buffer, which is not needed.
      guard unsafe RTCCVPixelBuffer(pixelBuffer: picture).cropAndScale(to: scaled, withTempBuffer: nil) else {
        throw PixelBufferError(
          code: kCVReturnInvalidPixelFormat, width: inner.width, height: inner.height, pixelFormat: format)
      }
    }
    let (x, y) = ((frame.width - inner.width) / 2 & ~1, (frame.height - inner.height) / 2 & ~1)
    let black: UInt8 = format == kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange ? 16 : 0
    Self.draw(scaled, plane: 0, onto: canvas, offset: x, row: y, rowBytes: inner.width, background: black)
    Self.draw(scaled, plane: 1, onto: canvas, offset: x, row: y / 2, rowBytes: inner.width, background: 128)
    return canvas
  }

  private static func draw(
    _ picture: CVPixelBuffer, plane: Int, onto canvas: CVPixelBuffer, offset: Int, row: Int, rowBytes: Int,
    background: UInt8
  ) {
    picture.readPlane(plane) { source, from in
      canvas.writePlane(plane) { destination, to in
        destination.fill(0..<destination.count, with: background)
        destination.copyRows(
          min(from.height, to.height - row), of: source, every: from.bytesPerRow,
          to: row * to.bytesPerRow + offset, toEvery: to.bytesPerRow, rowBytes: rowBytes)
      }
    }
  }
}
