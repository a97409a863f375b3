import CoreVideo
import PixelAccess

/// Encodes pixel buffers as the frames of a YUV4MPEG2 stream.
package struct Y4MFrameEncoder: Sendable {
  package let header: Y4MHeader
  private var buffer: [UInt8]

  private static let frameLine = Array("FRAME\n".utf8)

  package init(header: Y4MHeader) {
    self.header = header
    buffer = Self.frameLine + [UInt8](repeating: 0, count: header.frameByteCount)
  }

  /// Returns a frame with its line. The buffer must have the header's size, and the pixel format of its range (420f for full,
  /// 420v for limited).
  package mutating func encode(_ pixelBuffer: CVPixelBuffer) throws(Y4MWriter.Error) -> [UInt8] {
    let header = header
    guard SampleRange(pixelFormat: CVPixelBufferGetPixelFormatType(pixelBuffer)) == header.range,
      header.hasSize(of: pixelBuffer)
    else { throw .pixelBuffer(header) }

    var span = buffer.mutableSpan
    let start = Self.frameLine.count
    pixelBuffer.readPlane(0) { plane, shape in
      span.copyRows(
        header.height, of: plane, every: shape.bytesPerRow, to: start, toEvery: header.width)
    }
    pixelBuffer.readPlane(1) { plane, shape in
      let cb = start + header.width * header.height
      let cr = cb + header.chromaWidth * header.chromaHeight
      for row in 0..<header.chromaHeight {
        span.deinterleave(
          plane, at: row * shape.bytesPerRow, count: header.chromaWidth,
          first: cb + row * header.chromaWidth, second: cr + row * header.chromaWidth)
      }
    }
    return buffer
  }
}
