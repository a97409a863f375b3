import Foundation

/// Checks that pictures show the colour bars of the emulated screen, upright, and that each differs from the previous one.
public struct TestCard {
  private var previous: [UInt8] = []

  /// Creates a check of a new sequence of pictures.
  public init() {}

  /// Checks the next picture: rows of luma, then of interleaved chroma, both without padding. `rotation` is the clockwise
  /// rotation (in degrees) that shows it upright.
  ///
  /// The bars are in the upper three quarters of the picture, and a grey scale is below them, each from left to right. A
  /// picture that is mirrored, rotated, upside down or has other colours differs in one of them.
  public mutating func check(_ pixels: [UInt8], width: Int, height: Int, rotation: Int = 0) throws {
    guard width % 2 == 0, height % 2 == 0, pixels.count == width * height * 3 / 2 else {
      throw Failure("\(pixels.count) bytes are not a picture of \(width)x\(height)")
    }
    guard pixels != previous else { throw Failure("the picture is the same as the one before") }
    previous = pixels
    let picture = Picture(pixels: pixels, storedWidth: width, storedHeight: height, rotation: rotation)
    let height = picture.height
    // Above and below the frame number, and the grey scale above and below the moving mark.
    for row in [height / 24, height * 2 / 3] { try picture.check(Self.bars, atRow: row) }
    for row in [height * 7 / 8, height - 2] { try picture.check(Self.greys, atRow: row) }
  }

  /// Returns the rotation that shows a frame of ReplayKit upright. The orientation names the edge with the content's top.
  public static func rotation(ofOrientation orientation: Int) -> Int {
    [8: 90, 3: 180, 6: 270][orientation] ?? 0
  }

  /// White, yellow, cyan, green, magenta, red, blue and black, at three quarters of full brightness.
  private static let bars: [Sample] = [
    (1, 1, 1), (1, 1, 0), (0, 1, 1), (0, 1, 0), (1, 0, 1), (1, 0, 0), (0, 0, 1), (0, 0, 0),
  ].map { Sample(red: $0.0 * 0.75, green: $0.1 * 0.75, blue: $0.2 * 0.75) }

  private static let greys: [Sample] = (0...10).map { Double($0) / 10 }.map {
    Sample(red: $0, green: $0, blue: $0)
  }

  /// The fault of a picture.
  public struct Failure: Error, CustomStringConvertible {
    /// The sentence.
    public let description: String

    init(_ description: String) { self.description = description }
  }
}

/// Luma and chroma of a colour, 420f.
private struct Sample: CustomStringConvertible {
  var values: [Int]

  init(_ values: [Int]) { self.values = values }

  /// BT.709; the parts are 0…1.
  init(red: Double, green: Double, blue: Double) {
    let luma = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    values = [luma * 255, 128 + (blue - luma) / 1.8556 * 255, 128 + (red - luma) / 1.5748 * 255].map {
      Int($0.rounded())
    }
  }

  /// Whether the colours are equal, except for the loss of JPEG.
  func isClose(to other: Sample) -> Bool { zip(values, other.values).allSatisfy { abs($0 - $1) < 12 } }

  var description: String { "\(values)" }
}

private struct Picture {
  let pixels: [UInt8]
  let storedWidth: Int
  let storedHeight: Int
  let rotation: Int

  var width: Int { rotation % 180 == 0 ? storedWidth : storedHeight }
  var height: Int { rotation % 180 == 0 ? storedHeight : storedWidth }

  /// Returns the stored pixel at a position of the upright picture.
  private func stored(_ x: Int, _ y: Int) -> (x: Int, y: Int) {
    switch rotation {
    case 90: (y, storedHeight - 1 - x)
    case 180: (storedWidth - 1 - x, storedHeight - 1 - y)
    case 270: (storedWidth - 1 - y, x)
    default: (x, y)
    }
  }

  /// Checks the centres of `samples.count` fields of equal width.
  func check(_ samples: [Sample], atRow row: Int) throws {
    for (index, expected) in samples.enumerated() {
      let column = width * (2 * index + 1) / (2 * samples.count)
      let (x, y) = stored(column, row)
      let chroma = storedWidth * storedHeight + y / 2 * storedWidth + x / 2 * 2
      let sample = Sample([pixels[y * storedWidth + x], pixels[chroma], pixels[chroma + 1]].map(Int.init))
      guard sample.isClose(to: expected) else {
        throw TestCard.Failure(
          "at column \(column) of row \(row) the picture has \(sample), not \(expected): it is mirrored, turned or wrong"
        )
      }
    }
  }
}
