import Foundation

extension Y4MWriter {
  /// Why a stream cannot be written.
  public enum Error: Swift.Error, Equatable, CustomStringConvertible {
    /// The reader of the pipe has gone (`EPIPE`): often just the end of a player.
    case closed
    /// Writing failed.
    case write(errno: Int32)
    /// The pixel buffer does not fit the header.
    case pixelBuffer(Y4MHeader)

    /// The system's error number, when a system call failed.
    public var errno: Int32? {
      switch self {
      case .closed: EPIPE
      case .write(let errno): errno
      case .pixelBuffer: nil
      }
    }

    /// One sentence that names the thing and the way out.
    public var description: String {
      switch self {
      case .closed:
        "the reader of the Y4M stream has gone; start it again to see more frames"
      case .write(let errno):
        "the Y4M stream cannot be written (\(FileDescriptorIO.text(errno))); check the place it goes to"
      case .pixelBuffer(let header):
        "the Y4M stream takes pixel buffers of \(header.range == .full ? "420f" : "420v") and "
          + "\(header.width)x\(header.height); start a new stream for other frames"
      }
    }
  }
}
