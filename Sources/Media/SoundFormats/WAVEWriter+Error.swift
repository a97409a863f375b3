import Foundation

extension WAVEWriter {
  /// Why a stream cannot be written.
  public enum Error: Swift.Error, Equatable, CustomStringConvertible {
    /// The reader of the pipe has gone.
    case closed
    /// The file has as much sound as its lengths can tell, 4 GB.
    case full
    /// A system call failed.
    case system(errno: Int32)

    /// The system's error number, when a system call failed.
    public var errno: Int32? {
      switch self {
      case .closed: EPIPE
      case .full: EFBIG
      case .system(let errno): errno
      }
    }

    /// One sentence without a full stop.
    public var description: String {
      switch self {
      case .closed: "the reader of the pipe has gone"
      case .full:
        "the file has 4 GB, which is all a WAV file can hold; end the watch earlier, or write to a pipe"
      case .system(let errno):
        "the sound cannot be written ("
          + NSError(domain: NSPOSIXErrorDomain, code: Int(errno)).localizedDescription + ")"
      }
    }
  }
}
