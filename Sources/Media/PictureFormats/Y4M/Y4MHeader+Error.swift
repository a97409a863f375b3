extension Y4MHeader {
  /// Why a line is not a header that can be read here.
  public enum Error: Swift.Error, Equatable, CustomStringConvertible {
    /// The line does not begin with `YUV4MPEG2`.
    case notY4M
    /// The line is longer than ``Y4MHeader/maximumLineLength``.
    case lineTooLong
    /// A tag that every header has is not there.
    case missing(String)
    /// A tag cannot be understood.
    case malformed(String)
    /// The size is outside of 1…8192.
    case size(width: Int, height: Int)
    /// The colour space is not 8-bit 4:2:0.
    case colourSpace(String)
    /// The frames are interlaced.
    case interlaced(String)

    /// One sentence that names the thing and the way out.
    public var description: String {
      switch self {
      case .notY4M:
        "it is not a Y4M stream; make one with: ffmpeg -i INPUT -pix_fmt yuv420p out.y4m"
      case .lineTooLong:
        "its header line is longer than \(Y4MHeader.maximumLineLength) bytes; "
          + "make it anew with: ffmpeg -i INPUT -pix_fmt yuv420p out.y4m"
      case .missing(let tag):
        "its header has no \(tag) tag, which every Y4M stream needs for its size"
      case .malformed(let tag):
        "its header tag \(tag) cannot be understood; "
          + "make it anew with: ffmpeg -i INPUT -pix_fmt yuv420p out.y4m"
      case .size(let width, let height):
        "its frames are \(width)x\(height); scale them to a width and height from 1 to 8192"
      case .colourSpace(let name):
        "its colour space is C\(name), and only 8-bit 4:2:0 is read; "
          + "convert it with: ffmpeg -i INPUT -pix_fmt yuv420p out.y4m"
      case .interlaced(let order):
        "its frames are interlaced (I\(order)), and a screen is not; "
          + "convert it with: ffmpeg -i INPUT -vf yadif -pix_fmt yuv420p out.y4m"
      }
    }
  }
}
