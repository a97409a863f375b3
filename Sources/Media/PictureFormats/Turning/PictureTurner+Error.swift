import CoreVideo
import PixelAccess

extension PictureTurner {
  /// Why a picture cannot be turned.
  public enum Error: Swift.Error, Equatable, CustomStringConvertible {
    /// The pixel format is neither '420f' nor '420v'.
    case pixelFormat(OSType)
    /// The chroma plane, of this many pairs, does not cover the luma plane.
    case chromaSize(width: Int, height: Int)
    /// There is no buffer for the upright picture.
    case pixelBuffer(PixelBufferError)

    /// One sentence that names the thing and the way out.
    public var description: String {
      switch self {
      case .pixelFormat(let format):
        "pixels of format \(format.fourCharacters) cannot be turned; convert them to 420f or 420v"
      case .chromaSize(let width, let height):
        "a chroma plane of \(width)x\(height) does not cover its picture; give it a pair for every 2x2 pixels"
      case .pixelBuffer(let error):
        "the upright picture cannot be made: \(error)"
      }
    }
  }
}
