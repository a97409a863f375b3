import CoreVideo
import PixelAccess

/// The first line of a YUV4MPEG2 stream, with size, frame rate and sample format.
///
/// ```swift
/// let header = try Y4MHeader(line: "YUV4MPEG2 W1170 H2532 F60:1 Ip A1:1 C420jpeg XCOLORRANGE=FULL")
/// ```
/// The Y4M format has no tag for the colour matrix. This package writes it as the comment `XCOLORMATRIX=BT709` or `BT601`; other
/// programs ignore unknown comments.
package struct Y4MHeader: Sendable, Equatable {
  package struct Ratio: Sendable, Equatable {
    package var numerator: Int
    package var denominator: Int

    package init(_ numerator: Int, _ denominator: Int) {
      self.numerator = numerator
      self.denominator = denominator
    }
  }

  /// The position of the 4:2:0 chroma samples relative to the luma samples. Reader and writer do not resample.
  package enum Chroma: String, Sendable, CaseIterable {
    /// Unspecified, which is also the meaning of a header without a colour space.
    case unspecified = "420"
    /// In the middle of four luma samples.
    case jpeg = "420jpeg"
    /// Horizontally at the left luma samples, vertically between two rows.
    case mpeg2 = "420mpeg2"
    /// On luma samples, with Cb and Cr on alternate lines.
    case paldv = "420paldv"
  }

  package var width: Int
  package var height: Int
  /// Frames per second; `nil` if the stream does not declare it.
  package var frameRate: Ratio?
  package var chroma: Chroma
  package var range: SampleRange
  /// The colour matrix; `nil` if the stream does not declare it.
  package var matrix: ColourMatrix?

  /// The supported widths and heights, in pixels.
  package static let dimensions = 1...8192
  /// The maximum length of a header line without its line feed, in bytes.
  package static let maximumLineLength = 4096
  static let magic = "YUV4MPEG2"

  /// Creates a header of progressive frames. Throws `.size` outside of ``dimensions``.
  package init(
    width: Int, height: Int, frameRate: Ratio?, chroma: Chroma = .jpeg, range: SampleRange,
    matrix: ColourMatrix? = nil
  ) throws(Error) {
    guard Self.dimensions.contains(width), Self.dimensions.contains(height) else {
      throw .size(width: width, height: height)
    }
    self.width = width
    self.height = height
    self.frameRate = frameRate
    self.chroma = chroma
    self.range = range
    self.matrix = matrix
  }

  /// Parses a header line without its line feed. Tags may be in any order; unknown tags are ignored.
  package init(line: String) throws(Error) {
    var words = line.split(separator: " ", omittingEmptySubsequences: true)
    guard line.hasPrefix(Self.magic), words.first.map(String.init) == Self.magic else { throw .notY4M }
    guard line.utf8.count <= Self.maximumLineLength else { throw .lineTooLong }
    words.removeFirst()

    var size: (width: Int?, height: Int?)
    var frameRate: Ratio?
    var (chroma, range, matrix) = (Chroma.unspecified, SampleRange.limited, ColourMatrix?.none)
    for word in words {
      let (tag, value) = (word.first, word.dropFirst())
      switch tag {
      case "W": size.width = try Self.number(value, in: word)
      case "H": size.height = try Self.number(value, in: word)
      case "F": frameRate = try Self.ratio(value, in: word)
      // The pixel aspect ratio is only validated.
      case "A": _ = try Self.ratio(value, in: word)
      case "I" where ["t", "b", "m"].contains(value): throw .interlaced(String(value))
      case "I" where !["p", "?", ""].contains(value): throw .malformed(Self.shortened(word))
      case "C":
        guard let known = Chroma(rawValue: String(value)) else { throw .colourSpace(Self.shortened(value)) }
        chroma = known
      case "X" where value == "COLORRANGE=FULL": range = .full
      case "X" where value == "COLORRANGE=LIMITED": range = .limited
      case "X" where value.hasPrefix("COLORRANGE="): throw .malformed(Self.shortened(word))
      case "X" where value == "COLORMATRIX=BT709": matrix = .bt709
      case "X" where value == "COLORMATRIX=BT601": matrix = .bt601
      default: break
      }
    }
    guard let width = size.width else { throw .missing("W") }
    guard let height = size.height else { throw .missing("H") }
    try self.init(
      width: width, height: height, frameRate: frameRate, chroma: chroma, range: range, matrix: matrix)
  }

  /// The header line, without a line feed.
  package var line: String {
    let rate = frameRate.map { "\($0.numerator):\($0.denominator)" } ?? "0:0"
    let range = range == .full ? "FULL" : "LIMITED"
    return "\(Self.magic) W\(width) H\(height) F\(rate) Ip A1:1 "
      + "C\(chroma.rawValue) XCOLORRANGE=\(range)"
      + (matrix.map { " XCOLORMATRIX=\($0 == .bt709 ? "BT709" : "BT601")" } ?? "")
  }

  package var chromaWidth: Int { (width + 1) / 2 }
  package var chromaHeight: Int { (height + 1) / 2 }
  package var frameByteCount: Int { width * height + 2 * chromaWidth * chromaHeight }

  /// Whether a pixel buffer with two planes has the size of the frames.
  func hasSize(of pixelBuffer: CVPixelBuffer) -> Bool {
    let (luma, chroma) = (pixelBuffer.planeShape(0), pixelBuffer.planeShape(1))
    return (luma.width, luma.height) == (width, height)
      && (chroma.width, chroma.height) == (chromaWidth, chromaHeight)
  }

  private static func number(_ text: Substring, in word: Substring) throws(Error) -> Int {
    // Only digits, because the initializer also accepts a sign. Nine digits fit an `Int`.
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

  private static func shortened(_ word: some StringProtocol) -> String {
    word.count <= 24 ? String(word) : word.prefix(24) + "…"
  }
}

extension Y4MHeader {
  package enum Error: Swift.Error, Equatable, CustomStringConvertible {
    case notY4M
    case lineTooLong
    case missing(String)
    case malformed(String)
    case size(width: Int, height: Int)
    case colourSpace(String)
    case interlaced(String)

    static let ffmpeg = "ffmpeg -i INPUT -pix_fmt yuv420p out.y4m"

    package var description: String {
      switch self {
      case .notY4M:
        "it is not a Y4M stream; create one with: \(Self.ffmpeg)"
      case .lineTooLong:
        "its header line is longer than \(Y4MHeader.maximumLineLength) bytes; create it again with: \(Self.ffmpeg)"
      case .missing(let tag):
        "its header lacks the \(tag) tag, which is mandatory"
      case .malformed(let tag):
        "its header tag \(tag) is malformed; create it again with: \(Self.ffmpeg)"
      case .size(let width, let height):
        "its frames are \(width)x\(height); scale them to a width and height from 1 to 8192"
      case .colourSpace(let name):
        "its colour space is C\(name), and only 8-bit 4:2:0 is supported; "
          + "convert it with: \(Self.ffmpeg)"
      case .interlaced(let order):
        "its frames are interlaced (I\(order)), and a screen is not; "
          + "convert it with: ffmpeg -i INPUT -vf yadif -pix_fmt yuv420p out.y4m"
      }
    }
  }
}
