import CoreVideo
import Foundation
import PixelAccess

/// Writes pixel buffers as a YUV4MPEG2 stream to a file descriptor.
///
/// ```swift
/// let header = try Y4MHeader(width: 1170, height: 2532, frameRate: .init(60, 1), range: .full)
/// let writer = try Y4MWriter(fileDescriptor: 1, header: header)
/// try writer.write(pixelBuffer)
/// ```
///
/// A frame goes out in one `write` call unless the system takes less. The descriptor stays the caller's. A
/// program that wants `.closed` instead of a signal when a pipe's reader goes ignores `SIGPIPE`. To be used
/// from one thread at a time.
public final class Y4MWriter {
  /// What the stream says about its frames.
  public let header: Y4MHeader
  /// The number of frames written.
  public private(set) var frameCount = 0

  private let descriptor: Int32
  private var buffer: [UInt8]

  private static let frameLine = Array("FRAME\n".utf8)

  /// Writes the header.
  public init(fileDescriptor: Int32, header: Y4MHeader) throws(Error) {
    self.header = header
    descriptor = fileDescriptor
    buffer = Self.frameLine + [UInt8](repeating: 0, count: header.frameByteCount)
    try Self.write(Array((header.line + "\n").utf8), to: fileDescriptor)
  }

  /// Writes one frame. The buffer has the header's size, and the format of its range: '420f' when full, '420v'
  /// when limited.
  public func write(_ pixelBuffer: CVPixelBuffer) throws(Error) {
    let header = header
    guard SampleRange(pixelFormat: CVPixelBufferGetPixelFormatType(pixelBuffer)) == header.range,
      pixelBuffer.planeShape(0).width == header.width, pixelBuffer.planeShape(0).height == header.height,
      pixelBuffer.planeShape(1).width == header.chromaWidth,
      pixelBuffer.planeShape(1).height == header.chromaHeight
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
    try Self.write(buffer, to: descriptor)
    frameCount += 1
  }

  private static func write(_ bytes: [UInt8], to descriptor: Int32) throws(Error) {
    do {
      try FileDescriptorIO.writeAll(descriptor, bytes.span)
    } catch {
      throw error.errno == EPIPE ? .closed : .write(errno: error.errno)
    }
  }
}
