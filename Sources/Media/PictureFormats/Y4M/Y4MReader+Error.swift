import Foundation

extension Y4MReader {
  /// Why a stream cannot be read.
  public enum Error: Swift.Error, Equatable, CustomStringConvertible {
    /// The file cannot be opened; a directory has `EISDIR`.
    case open(path: String, errno: Int32)
    /// Reading failed.
    case read(path: String, errno: Int32)
    /// The first line is not a header that can be read here.
    case header(path: String, Y4MHeader.Error)
    /// The stream ends within its first line.
    case truncatedHeader(path: String)
    /// The stream ends within a frame, counted from 0.
    case truncated(path: String, frame: Int)
    /// A frame, counted from 0, does not begin with `FRAME`.
    case frameLine(path: String, frame: Int)
    /// The stream cannot go back to its start.
    case notSeekable(path: String)
    /// The pixel buffer is not '420f' or '420v' of the clip's size.
    case pixelBuffer(path: String, width: Int, height: Int)

    /// The system's error number, when a system call failed.
    public var errno: Int32? {
      switch self {
      case .open(_, let errno), .read(_, let errno): errno
      default: nil
      }
    }

    /// One sentence that names the thing and the way out.
    public var description: String {
      switch self {
      case .open(let path, ENOENT):
        "\(path) does not exist; name a Y4M file, or - for standard input"
      case .open(let path, EISDIR):
        "\(path) is a directory; name a Y4M file in it"
      case .open(let path, EACCES):
        "\(path) may not be read by this user; change its permissions or name another Y4M file"
      case .open(let path, let errno):
        "\(path) cannot be opened (\(FileDescriptorIO.text(errno))); name a Y4M file, or - for standard input"
      case .read(let path, let errno):
        "\(path) cannot be read (\(FileDescriptorIO.text(errno))); check the disk or the writing program"
      case .header(let path, .notY4M):
        "\(path) is not a Y4M stream; make one with: ffmpeg -i INPUT -pix_fmt yuv420p out.y4m"
      case .header(let path, let error):
        "\(path) cannot be read: \(error)"
      case .truncatedHeader(let path):
        "\(path) ends within its header line; copy it again or let its writer finish"
      case .truncated(let path, let frame):
        "\(path) ends within frame \(frame); copy it again or let its writer finish"
      case .frameLine(let path, let frame):
        "\(path) has no FRAME line where frame \(frame) begins; "
          + "make it anew with: ffmpeg -i INPUT -pix_fmt yuv420p out.y4m"
      case .notSeekable(let path):
        "\(path) cannot be played again from its start; save it to a file to loop it"
      case .pixelBuffer(let path, let width, let height):
        "the frames of \(path) need a pixel buffer of 420f or 420v and \(width)x\(height)"
      }
    }
  }
}
