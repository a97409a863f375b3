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
/// Each frame is one `write` call unless the system takes less. The caller closes the descriptor, and ignores `SIGPIPE` to
/// get `.closed` instead of a signal when the reader of a pipe exits. For one thread at a time.
public final class Y4MWriter {
  /// The header of the stream.
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

  /// Writes a frame. The buffer has the header's size, and the format of its range: 420f for full, 420v for limited.
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

extension Y4MWriter {
  /// An error of the writer.
  public enum Error: Swift.Error, Equatable, CustomStringConvertible {
    /// The reader of the pipe closed it (`EPIPE`), often when a player exits.
    case closed
    /// A write failed.
    case write(errno: Int32)
    /// The pixel buffer does not match the header.
    case pixelBuffer(Y4MHeader)

    /// The system's error number, when a system call failed.
    public var errno: Int32? {
      switch self {
      case .closed: EPIPE
      case .write(let errno): errno
      case .pixelBuffer: nil
      }
    }

    /// One sentence with the cause and the remedy.
    public var description: String {
      switch self {
      case .closed:
        "the reader of the Y4M stream closed it; start it again to see more frames"
      case .write(let errno):
        "the Y4M stream cannot be written (\(FileDescriptorIO.text(errno))); check its destination"
      case .pixelBuffer(let header):
        "the Y4M stream takes pixel buffers of \(header.range == .full ? "420f" : "420v") and "
          + "\(header.width)x\(header.height); start a new stream for other frames"
      }
    }
  }
}
