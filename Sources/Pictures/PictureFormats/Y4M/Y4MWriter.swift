import CoreVideo
import Foundation
import PixelAccess
import Platform

/// Writes pixel buffers as a YUV4MPEG2 stream to a file descriptor.
///
/// ```swift
/// let header = try Y4MHeader(width: 1170, height: 2532, frameRate: .init(60, 1), range: .full)
/// let writer = try Y4MWriter(fileDescriptor: 1, header: header)
/// try writer.write(pixelBuffer)
/// ```
///
/// Each frame is a single `write` call, unless the system accepts fewer bytes. The caller closes the descriptor. If the caller
/// ignores `SIGPIPE`, it gets the error `.closed` instead of a signal when the reader of a pipe exits. Not thread-safe: use it
/// from one thread at a time.
package final class Y4MWriter {
  private let descriptor: Int32
  private var encoder: Y4MFrameEncoder

  package init(fileDescriptor: Int32, header: Y4MHeader) throws(Error) {
    descriptor = fileDescriptor
    encoder = Y4MFrameEncoder(header: header)
    try Self.write(Array((header.line + "\n").utf8), to: fileDescriptor)
  }

  /// Writes a frame. The buffer must have the header's size, and the pixel format of its range (420f for full, 420v for limited).
  package func write(_ pixelBuffer: CVPixelBuffer) throws(Error) {
    try Self.write(try encoder.encode(pixelBuffer), to: descriptor)
  }

  private static func write(_ bytes: [UInt8], to descriptor: Int32) throws(Error) {
    do {
      try System.writeStream(bytes, to: descriptor)
    } catch {
      throw error.code == EPIPE ? .closed : .write(errno: error.code)
    }
  }
}

extension Y4MWriter {
  package enum Error: Swift.Error, Equatable, CustomStringConvertible {
    case closed
    case write(errno: Int32)
    case pixelBuffer(Y4MHeader)

    package var description: String {
      switch self {
      case .closed:
        "the reader of the Y4M stream closed it; start it again to see more frames"
      case .write(let errno):
        "the Y4M stream cannot be written (\(Errno(rawValue: errno))); check its destination"
      case .pixelBuffer(let header):
        "the Y4M stream takes pixel buffers of \(header.range == .full ? "420f" : "420v") and "
          + "\(header.width)x\(header.height); start a new stream for other frames"
      }
    }
  }
}
