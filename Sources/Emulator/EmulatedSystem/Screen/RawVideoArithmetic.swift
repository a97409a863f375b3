import CommandLineSupport
import CoreVideo
import PixelAccess

/// The arithmetic of uncompressed video: what a screen of this size, rate and format amounts to.
public struct RawVideoArithmetic: Equatable, Sendable {
  /// The width, in pixels.
  public var width: Int
  /// The height, in pixels.
  public var height: Int
  /// The frame rate, in frames per second.
  public var framesPerSecond: Double
  /// The pixel format, 420f or 420v.
  public var pixelFormat: OSType
  /// The bytes from one luma row to the next, padding included.
  public var bytesPerRow: Int

  /// The arithmetic of a screen.
  public init(width: Int, height: Int, framesPerSecond: Double, pixelFormat: OSType, bytesPerRow: Int) {
    self.width = width
    self.height = height
    self.framesPerSecond = framesPerSecond
    self.pixelFormat = pixelFormat
    self.bytesPerRow = bytesPerRow
  }

  /// The bits of one sample.
  public var bitDepth: Int { 8 }
  /// The bytes of one frame's pixels without padding: luma once per pixel, two chroma samples per four.
  public var bytesPerFrame: Int { BiPlanar.byteCount(width: width, height: height) }
  /// The bytes of one frame in memory, with the padding of its rows.
  public var bytesPerFrameInMemory: Int { bytesPerRow * (height + (height + 1) / 2) }
  /// The uncompressed bit rate, in bits per second.
  public var bitRate: Double { Double(bytesPerFrame) * 8 * framesPerSecond }

  /// The colour space, for people.
  public var colourSpace: String {
    switch pixelFormat {
    case kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange:
      "YpCbCr 4:2:0, two planes, video range 16–235 (420v)"
    default: "YpCbCr 4:2:0, two planes, full range 0–255 (420f)"
    }
  }

  /// The lines a program prints at its start.
  public var lines: [String] {
    let rate = Int(exactly: framesPerSecond).map { "\($0)" } ?? "\(framesPerSecond)"
    return [
      "\(width)x\(height) at \(rate) fps, \(colourSpace), \(bitDepth) bits a sample",
      "\(width) × \(height) × 12 bits = \(Self.grouped(bytesPerFrame)) bytes a frame "
        + "(\(Self.grouped(bytesPerFrameInMemory)) in memory, rows of \(bytesPerRow) bytes)",
      "× \(rate) fps = \(bitRate.bitRateText) uncompressed",
    ]
  }

  /// A number with a space between its thousands: "4 443 660".
  static func grouped(_ number: Int) -> String {
    var text = ""
    for (index, digit) in String(number).reversed().enumerated() {
      if index > 0, index % 3 == 0 { text.append(" ") }
      text.append(digit)
    }
    return String(text.reversed())
  }
}
