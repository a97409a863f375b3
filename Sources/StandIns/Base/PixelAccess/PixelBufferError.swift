import CoreVideo

/// An error of Core Video when it creates a pixel buffer.
public struct PixelBufferError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The result of Core Video's call.
  public var code: CVReturn
  /// The requested width, in pixels.
  public var width: Int
  /// The requested height, in pixels.
  public var height: Int
  /// The requested pixel format.
  public var pixelFormat: OSType

  /// Creates an error from a request and its result.
  public init(code: CVReturn, width: Int, height: Int, pixelFormat: OSType) {
    self.code = code
    self.width = width
    self.height = height
    self.pixelFormat = pixelFormat
  }

  /// One sentence with the request and its result.
  public var description: String {
    "cannot create a pixel buffer of \(width)x\(height) in format \(pixelFormat.fourCharacters) (Core Video error \(code))"
  }
}

extension OSType {
  /// The four characters of the code, such as `420f`; the number if they are not printable.
  public var fourCharacters: String {
    let bytes = stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: self >> UInt32($0)) }
    guard bytes.allSatisfy({ (0x20...0x7E).contains($0) }) else { return "\(self)" }
    return String(decoding: bytes, as: UTF8.self)
  }
}
