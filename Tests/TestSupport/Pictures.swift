import PixelAccess
import WebRTC

/// The format of pictures whose samples use the whole range of a byte.
package let fullRange = kCVPixelFormatType_420YpCbCr8BiPlanarFullRange
/// The format of pictures whose samples use the range of broadcast video.
package let videoRange = kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange

/// The samples of a plane, row by row, without the padding of its rows.
package func samples(_ buffer: CVPixelBuffer, plane: Int) -> [UInt8] {
  buffer.readPlane(plane) { bytes, shape in
    (0..<shape.height).flatMap { row in
      (0..<shape.width * (plane + 1)).map { bytes[row * shape.bytesPerRow + $0] }
    }
  }
}

/// A frame of a call that shows a picture.
package func makeFrame(
  _ picture: CVPixelBuffer, rotation: RTCVideoRotation = ._0, at timeStampNs: Int64 = 0
) -> RTCVideoFrame {
  RTCVideoFrame(
    buffer: RTCCVPixelBuffer(pixelBuffer: picture), rotation: rotation, timeStampNs: timeStampNs)
}
