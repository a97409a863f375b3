import CoreVideo

/// Core Video could not make a pixel buffer.
public struct PixelBufferError: Error, Equatable, Sendable, CustomStringConvertible {
  /// What Core Video answered; see `CVReturn`.
  public var code: CVReturn
  /// The size that was asked for, in pixels.
  public var width: Int
  /// The size that was asked for, in pixels.
  public var height: Int
  /// The pixel format that was asked for.
  public var pixelFormat: OSType

  /// An error from what was asked for and what came.
  public init(code: CVReturn, width: Int, height: Int, pixelFormat: OSType) {
    self.code = code
    self.width = width
    self.height = height
    self.pixelFormat = pixelFormat
  }

  /// One sentence: what was asked for, and what Core Video answered.
  public var description: String {
    "no pixel buffer of \(width)x\(height) in format \(pixelFormat.fourCharacters) can be made (Core Video error \(code))"
  }
}

extension OSType {
  /// The code as its four characters, such as `420f`; as a number when they are not printable.
  public var fourCharacters: String {
    let bytes = stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: self >> UInt32($0)) }
    guard bytes.allSatisfy({ (0x20...0x7E).contains($0) }) else { return "\(self)" }
    return String(decoding: bytes, as: UTF8.self)
  }
}
