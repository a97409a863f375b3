import CoreVideo
import Foundation

extension PNGEncoder {
  /// Why a picture cannot be written.
  public enum Error: Swift.Error, Equatable, CustomStringConvertible {
    /// The pixel format is neither '420f' nor '420v'.
    case pixelFormat(OSType)
    /// The file cannot be written.
    case write(path: String, errno: Int32)

    /// The system's error number, when a system call failed.
    public var errno: Int32? {
      switch self {
      case .pixelFormat: nil
      case .write(_, let errno): errno
      }
    }

    /// One sentence that names the thing and the way out.
    public var description: String {
      switch self {
      case .pixelFormat(let format):
        "pixels of format \(format) cannot be written as PNG; convert them to 420f or 420v"
      case .write(let path, let errno):
        "\(path) cannot be written (\(FileDescriptorIO.text(errno))); name a file in a folder you may write to"
      }
    }
  }
}
