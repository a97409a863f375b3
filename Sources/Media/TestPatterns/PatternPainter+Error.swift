import CoreVideo
import PixelAccess

extension PatternPainter {
  /// Why a painter cannot be made or cannot draw into a buffer.
  public enum Error: Swift.Error, Equatable, CustomStringConvertible {
    /// The width or the height is outside of 16…8192.
    case size(width: Int, height: Int)
    /// The pixel format is not the painter's, or none a painter draws.
    case pixelFormat(OSType)
    /// The frame rate is outside of 1…1000.
    case frameRate(Int)
    /// The buffer is of another size than the painter.
    case bufferSize(width: Int, height: Int, wantedWidth: Int, wantedHeight: Int)

    /// One sentence that names the thing and the way out.
    public var description: String {
      switch self {
      case .size(let width, let height):
        "a test pattern of \(width)x\(height) cannot be drawn; choose a width and height from 16 to 8192"
      case .pixelFormat(let format):
        "pixels of format \(format.fourCharacters) cannot be drawn here; use the painter's format, 420f or 420v"
      case .frameRate(let rate):
        "\(rate) frames per second cannot be counted; choose a rate from 1 to 1000"
      case .bufferSize(let width, let height, let wantedWidth, let wantedHeight):
        "the pixel buffer is \(width)x\(height); give the painter one of \(wantedWidth)x\(wantedHeight)"
      }
    }
  }
}
