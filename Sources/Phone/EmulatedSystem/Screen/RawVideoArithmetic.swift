import CommandLineSupport
import CoreVideo
import PixelAccess
import Platform

/// The amount of uncompressed video that a screen of this size, rate and format produces.
struct RawVideoArithmetic {
  var width: Int
  var height: Int
  var framesPerSecond: Double
  /// 420f or 420v.
  var pixelFormat: OSType
  /// The bytes from one luma row to the next, padding included.
  var bytesPerRow: Int

  /// The bytes of a frame without padding: one luma byte per pixel, two chroma bytes per four pixels.
  var bytesPerFrame: Int { BiPlanar.byteCount(width: width, height: height) }
  /// The bytes of a frame in memory, with the padding of its rows.
  var bytesPerFrameInMemory: Int { bytesPerRow * (height + (height + 1) / 2) }
  /// Uncompressed, in bits per second.
  var bitRate: Double { Double(bytesPerFrame) * 8 * framesPerSecond }

  var colourSpace: String {
    pixelFormat == kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange
      ? "YpCbCr 4:2:0, two planes, video range 16–235 (420v)"
      : "YpCbCr 4:2:0, two planes, full range 0–255 (420f)"
  }

  /// The lines that a program prints at its start. A side that is odd makes its chroma plane half a sample larger.
  var lines: [String] {
    let rate = Int(exactly: framesPerSecond).map { "\($0)" } ?? "\(framesPerSecond)"
    return [
      "\(width)x\(height) at \(rate) fps, \(colourSpace), 8 bits a sample",
      "\(width) × \(height) × 12 bits \(width % 2 + height % 2 == 0 ? "=" : "≈") \(Self.grouped(bytesPerFrame)) bytes a frame "
        + "(\(Self.grouped(bytesPerFrameInMemory)) in memory, rows of \(bytesPerRow) bytes)",
      "× \(rate) fps = \(bitRate.bitRateText) uncompressed",
    ]
  }

  /// A number with a space between its thousands: "4 443 660".
  private static func grouped(_ number: Int) -> String {
    number < 1000
      ? "\(number)" : grouped(number / 1000) + " " + String("\(1000 + number % 1000)".dropFirst())
  }
}

extension RawVideoArithmetic {
  @MainActor
  init(_ screen: EmulatedScreen) {
    self.init(
      width: screen.content.size.width, height: screen.content.size.height,
      framesPerSecond: screen.framesPerSecond, pixelFormat: screen.pixelFormat,
      bytesPerRow: screen.bytesPerRow)
  }
}
