/// The first line of a YUV4MPEG2 stream: size, frame rate and format of the samples.
///
/// ```swift
/// let header = try Y4MHeader(line: "YUV4MPEG2 W1170 H2532 F60:1 Ip A1:1 C420jpeg XCOLORRANGE=FULL")
/// ```
public struct Y4MHeader: Sendable, Equatable {
  /// A fraction of two positive numbers.
  public struct Ratio: Sendable, Equatable {
    /// The numerator.
    public var numerator: Int
    /// The denominator.
    public var denominator: Int

    /// Creates a fraction.
    public init(_ numerator: Int, _ denominator: Int) {
      self.numerator = numerator
      self.denominator = denominator
    }
  }

  /// The position of the chroma samples of 4:2:0 between the luma samples. Reader and writer do not resample.
  public enum Chroma: String, Sendable, CaseIterable {
    /// Not stated; also the meaning of a header without a colour space.
    case unspecified = "420"
    /// In the middle of four luma samples.
    case jpeg = "420jpeg"
    /// Beside the left luma samples.
    case mpeg2 = "420mpeg2"
    /// On luma samples, Cb and Cr on alternate lines.
    case paldv = "420paldv"
  }

  /// The width, 1…8192 pixels.
  public var width: Int
  /// The height, 1…8192 pixels.
  public var height: Int
  /// Frames per second; `nil` when the stream does not state it.
  public var frameRate: Ratio?
  /// The width of a pixel divided by its height; `nil` when the stream does not state it.
  public var pixelAspect: Ratio?
  /// The position of the chroma samples.
  public var chroma: Chroma
  /// The range of the samples. Default of a stream: limited.
  public var range: SampleRange

  /// The supported widths and heights, in pixels.
  public static let dimensions = 1...8192
  /// The maximum length of a header line without its line feed, in bytes.
  public static let maximumLineLength = 4096
  /// The first word of every stream.
  static let magic = "YUV4MPEG2"

  /// Creates a header of progressive frames. Throws `.size` outside of ``dimensions``.
  public init(
    width: Int, height: Int, frameRate: Ratio?, pixelAspect: Ratio? = Ratio(1, 1), chroma: Chroma = .jpeg,
    range: SampleRange
  ) throws(Error) {
    guard Self.dimensions.contains(width), Self.dimensions.contains(height) else {
      throw .size(width: width, height: height)
    }
    self.width = width
    self.height = height
    self.frameRate = frameRate
    self.pixelAspect = pixelAspect
    self.chroma = chroma
    self.range = range
  }

  /// Parses a header line without its line feed. Tags may have any order; unknown ones are ignored.
  public init(line: String) throws(Error) {
    var words = line.split(separator: " ", omittingEmptySubsequences: true)
    guard line.hasPrefix(Self.magic), words.first.map(String.init) == Self.magic else { throw .notY4M }
    guard line.utf8.count <= Self.maximumLineLength else { throw .lineTooLong }
    words.removeFirst()

    var size: (width: Int?, height: Int?)
    var frameRate: Ratio?
    var pixelAspect: Ratio?
    var chroma = Chroma.unspecified
    var range = SampleRange.limited
    for word in words {
      let (tag, value) = (word.first, word.dropFirst())
      switch tag {
      case "W": size.width = try Self.number(value, in: word)
      case "H": size.height = try Self.number(value, in: word)
      case "F": frameRate = try Self.ratio(value, in: word)
      case "A": pixelAspect = try Self.ratio(value, in: word)
      case "I": try Self.checkInterlace(value)
      case "C":
        guard let known = Chroma(rawValue: String(value)) else { throw .colourSpace(Self.shortened(value)) }
        chroma = known
      case "X" where value.hasPrefix("COLORRANGE="):
        switch value.dropFirst("COLORRANGE=".count) {
        case "FULL": range = .full
        case "LIMITED": range = .limited
        default: throw .malformed(Self.shortened(word))
        }
      default: break
      }
    }
    guard let width = size.width else { throw .missing("W") }
    guard let height = size.height else { throw .missing("H") }
    try self.init(
      width: width, height: height, frameRate: frameRate, pixelAspect: pixelAspect, chroma: chroma,
      range: range)
  }

  /// The header as a line of text, without a line feed.
  public var line: String {
    func text(_ ratio: Ratio?) -> String { ratio.map { "\($0.numerator):\($0.denominator)" } ?? "0:0" }
    let range = range == .full ? "FULL" : "LIMITED"
    return "\(Self.magic) W\(width) H\(height) F\(text(frameRate)) Ip A\(text(pixelAspect)) "
      + "C\(chroma.rawValue) XCOLORRANGE=\(range)"
  }

  /// The width of a chroma plane: half the width, rounded up.
  public var chromaWidth: Int { (width + 1) / 2 }
  /// The height of a chroma plane: half the height, rounded up.
  public var chromaHeight: Int { (height + 1) / 2 }
  /// The bytes of one frame's three planes.
  public var frameByteCount: Int { width * height + 2 * chromaWidth * chromaHeight }

  private static func number(_ text: Substring, in word: Substring) throws(Error) -> Int {
    // Digits only: the initialiser accepts a sign too. Nine digits fit an `Int`.
    guard (1...9).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      let number = Int(text)
    else { throw .malformed(shortened(word)) }
    return number
  }

  private static func ratio(_ text: Substring, in word: Substring) throws(Error) -> Ratio? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2 else { throw .malformed(shortened(word)) }
    let ratio = Ratio(try number(parts[0], in: word), try number(parts[1], in: word))
    if ratio == Ratio(0, 0) { return nil }
    guard ratio.numerator > 0, ratio.denominator > 0 else { throw .malformed(shortened(word)) }
    return ratio
  }

  private static func checkInterlace(_ value: Substring) throws(Error) {
    switch value {
    case "p", "?", "": break
    case "t", "b", "m": throw .interlaced(String(value))
    default: throw .malformed(shortened("I" + value))
    }
  }

  private static func shortened(_ word: some StringProtocol) -> String {
    word.count <= 24 ? String(word) : word.prefix(24) + "…"
  }
}

extension Y4MHeader {
  /// An error of a header line.
  public enum Error: Swift.Error, Equatable, CustomStringConvertible {
    /// The line does not begin with `YUV4MPEG2`.
    case notY4M
    /// The line is longer than ``Y4MHeader/maximumLineLength``.
    case lineTooLong
    /// A required tag is missing.
    case missing(String)
    /// A tag is malformed.
    case malformed(String)
    /// The size is outside of 1…8192.
    case size(width: Int, height: Int)
    /// The colour space is not 8-bit 4:2:0.
    case colourSpace(String)
    /// The frames are interlaced.
    case interlaced(String)

    /// One sentence with the cause and the remedy.
    public var description: String {
      switch self {
      case .notY4M:
        "it is not a Y4M stream; create one with: ffmpeg -i INPUT -pix_fmt yuv420p out.y4m"
      case .lineTooLong:
        "its header line is longer than \(Y4MHeader.maximumLineLength) bytes; "
          + "create it again with: ffmpeg -i INPUT -pix_fmt yuv420p out.y4m"
      case .missing(let tag):
        "its header has no \(tag) tag, which every Y4M stream needs"
      case .malformed(let tag):
        "its header tag \(tag) is malformed; "
          + "create it again with: ffmpeg -i INPUT -pix_fmt yuv420p out.y4m"
      case .size(let width, let height):
        "its frames are \(width)x\(height); scale them to a width and height from 1 to 8192"
      case .colourSpace(let name):
        "its colour space is C\(name), and only 8-bit 4:2:0 is supported; "
          + "convert it with: ffmpeg -i INPUT -pix_fmt yuv420p out.y4m"
      case .interlaced(let order):
        "its frames are interlaced (I\(order)), and a screen is not; "
          + "convert it with: ffmpeg -i INPUT -vf yadif -pix_fmt yuv420p out.y4m"
      }
    }
  }
}
