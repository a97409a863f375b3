import CoreMedia
import Foundation
import PixelAccess

/// The format of the images that an encoder reads.
package struct EncoderInput: Sendable, Equatable {
  package let width: Int
  package let height: Int
  /// The name of the pixel format in ffmpeg's raw video.
  package let fourCC: String
  /// Whether the samples of video use the whole range of a byte.
  package let isFullRange: Bool
  /// The matrix of the colours that the image states, and then the stream too.
  package let matrix: ColourMatrix?

  /// The format of an image; `nil` when it cannot be encoded.
  package init?(of image: CVPixelBuffer) {
    width = CVPixelBufferGetWidth(image)
    height = CVPixelBufferGetHeight(image)
    let format = CVPixelBufferGetPixelFormatType(image)
    switch format {
    case kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange:
      fourCC = "NV12"
    case kCVPixelFormatType_32BGRA: fourCC = "BGRA"
    default: return nil
    }
    isFullRange = format == kCVPixelFormatType_420YpCbCr8BiPlanarFullRange
    matrix = fourCC == "BGRA" ? nil : image.statedMatrix
  }

  private var isBGRA: Bool { fourCC == "BGRA" }

  /// The track of these images.
  package var track: RawMatroska.Track {
    .video(width: width, height: height, fourCC: fourCC, isFullRange: isFullRange, matrix: matrix)
  }

  /// The bytes of an image without padding.
  var byteCount: Int { isBGRA ? 4 * width * height : BiPlanar.byteCount(width: width, height: height) }

  /// Replaces `message` by room for the frame's header and the pixels of an image without padding.
  package func write(_ image: CVPixelBuffer, to message: inout [UInt8]) {
    let count = RawMatroska.frameHeaderSize + byteCount
    if message.count != count { message = [UInt8](repeating: 0, count: count) }
    var bytes = message.mutableSpan
    var offset = RawMatroska.frameHeaderSize
    image.lockForHardware()
    defer { CVPixelBufferUnlockBaseAddress(image, .readOnly) }
    for plane in 0..<image.planeCount {
      image.readPlane(plane) { source, shape in
        let rowBytes = isBGRA ? 4 * shape.width : (plane + 1) * shape.width
        bytes.copyRows(
          shape.height, of: source, every: shape.bytesPerRow, to: offset, toEvery: rowBytes,
          rowBytes: rowBytes)
        offset += shape.height * rowBytes
      }
    }
  }
}
