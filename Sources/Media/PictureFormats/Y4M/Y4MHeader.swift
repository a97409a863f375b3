/// The first line of a YUV4MPEG2 stream: size, frame rate and how the samples are to be understood.
///
/// ```swift
/// let header = try Y4MHeader(line: "YUV4MPEG2 W1170 H2532 F60:1 Ip A1:1 C420jpeg XCOLORRANGE=FULL")
/// ```
public struct Y4MHeader: Sendable, Equatable {
  /// Two positive numbers, one over the other.
  public struct Ratio: Sendable, Equatable {
    /// The number above the line.
    public var numerator: Int
    /// The number below the line.
    public var denominator: Int

    /// A ratio of two positive numbers.
    public init(_ numerator: Int, _ denominator: Int) {
      self.numerator = numerator
      self.denominator = denominator
    }
  }

  /// Where the chroma samples of 4:2:0 lie between the luma samples. Nothing here resamples, so it is only
  /// carried along.
  public enum Chroma: String, Sendable, CaseIterable {
    /// 4:2:0 without a word on the place; also meant when the header has no colour space.
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
  /// Frames per second; `nil` when the stream does not tell.
  public var frameRate: Ratio?
  /// The width of a pixel over its height; `nil` when the stream does not tell.
  public var pixelAspect: Ratio?
  /// Where the chroma samples lie.
  public var chroma: Chroma
  /// The range of the samples; limited when the stream does not tell.
  public var range: SampleRange

  /// The widths and heights accepted, in pixels.
  public static let dimensions = 1...8192
  /// The longest header line read, in bytes, without its line feed.
  public static let maximumLineLength = 4096
  /// The word every stream begins with.
  static let magic = "YUV4MPEG2"

  /// A header of progressive frames with square pixels.
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

  /// Parses a header line without its line feed. Tags may come in any order; unknown ones are passed over.
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
    // Digits only: the initialiser alone would take a sign too. Nine of them fit any `Int`.
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
