import CoreMedia
import Foundation
import PixelAccess

/// The format of the images for an encoder.
package struct EncoderInput: Sendable, Equatable {
  package let width: Int
  package let height: Int
  /// The name of the pixel format in ffmpeg's raw video.
  package let fourCC: String
  /// Whether the samples use the full range of a byte.
  package let isFullRange: Bool
  /// The matrix that the images state, and that the encoded stream states too.
  package let matrix: ColourMatrix?

  /// Creates the format of an image; `nil` if the image cannot be encoded.
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

  /// The track for these images.
  package var track: RawMatroska.Track {
    .video(width: width, height: height, fourCC: fourCC, isFullRange: isFullRange, matrix: matrix)
  }

  /// The bytes of an image without padding.
  private var byteCount: Int {
    isBGRA ? 4 * width * height : BiPlanar.byteCount(width: width, height: height)
  }

  /// How many bytes are copied at a time. The number is small, because on a device the memory of an encoder does not
  /// count for the extension.
  private static let partSize = 65_536

  /// Sends a frame: its header, and the pixels of an image without padding.
  package func send(
    _ image: CVPixelBuffer, ticks: UInt64, to process: EncoderProcess
  ) throws(EncoderProcess.Failure) {
    try process.send(RawMatroska.frameHeader(ticks: ticks, byteCount: byteCount))
    for plane in 0..<image.planeCount {
      let shape = image.planeShape(plane)
      let rowBytes = isBGRA ? 4 * shape.width : (plane + 1) * shape.width
      let rows = max(1, Self.partSize / rowBytes)
      for first in stride(from: 0, to: shape.height, by: rows) {
        let rows = first..<min(first + rows, shape.height)
        try process.send(copy(rows, of: image, plane, rowBytes: rowBytes))
      }
    }
  }

  /// Returns the pixels of some rows. The image is locked only during the call.
  private func copy(_ rows: Range<Int>, of image: CVPixelBuffer, _ plane: Int, rowBytes: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: rows.count * rowBytes)
    var copy = bytes.mutableSpan
    image.lockForHardware()
    defer { CVPixelBufferUnlockBaseAddress(image, .readOnly) }
    image.readPlane(plane) { source, shape in
      copy.copyRows(
        rows.count, of: source.extracting((rows.lowerBound * shape.bytesPerRow)..<source.count),
        every: shape.bytesPerRow, toEvery: rowBytes, rowBytes: rowBytes)
    }
    return bytes
  }
}
