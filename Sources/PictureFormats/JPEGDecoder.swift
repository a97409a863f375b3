import CoreVideo
import Foundation
import PixelAccess

/// Reads baseline JPEG pictures, as cameras and screen-sharing apps make them, into pixel buffers of '420f'.
///
/// ```swift
/// let pixelBuffer = try JPEGDecoder.decode(bytes)
/// ```
///
/// Sequential, 8 bits, Huffman-coded, grey or three components of YCbCr with any sampling up to 2 × 2. It trusts no
/// byte: what is wrong is thrown.
public enum JPEGDecoder {
  /// The picture of a JPEG file, up to 8192 pixels each way.
  public static func decode(_ bytes: [UInt8]) throws(Error) -> CVPixelBuffer {
    var file = JPEGFile(bytes)
    try file.readHeaders()
    try file.readScan()
    return try file.makePixelBuffer()
  }
}

extension JPEGDecoder {
  /// Why there is no picture.
  public enum Error: Swift.Error, Equatable, CustomStringConvertible {
    /// The file is of a kind that is not read, such as progressive; the word for it.
    case unsupported(String)
    /// This part of the file cannot be as it is.
    case malformed(String)
    /// There is no buffer for the picture.
    case pixelBuffer(PixelBufferError)

    /// One clause.
    public var description: String {
      switch self {
      case .unsupported(let kind): "a JPEG that is \(kind) is not decoded; baseline ones are"
      case .malformed(let part): "the JPEG is damaged: \(part) is impossible"
      case .pixelBuffer(let error): error.description
      }
    }
  }
}
