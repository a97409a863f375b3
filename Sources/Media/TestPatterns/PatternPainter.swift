import CoreVideo
import PixelAccess

/// Draws the frames of a test pattern, with a burned-in frame number and time code.
///
/// ```swift
/// let painter = try PatternPainter(
///   .bars, width: 1170, height: 2532, pixelFormat: kCVPixelFormatType_420YpCbCr8BiPlanarFullRange,
///   framesPerSecond: 60)
/// try painter.paint(frame: 7, into: pixelBuffer)
/// ```
///
/// A frame depends on its number alone, so threads may share a painter.
package struct PatternPainter: Sendable {
  package let pattern: TestPattern
  package let width: Int
  package let height: Int
  package let pixelFormat: OSType
  package let framesPerSecond: Int

  let burnIn: BurnIn
  private let background: any Background

  /// The supported widths and heights, in pixels; odd ones too, as some screens have them.
  package static let dimensions = 16...8192

  /// Creates a painter and prepares its background: create one and keep it.
  ///
  /// - Parameters:
  ///   - pixelFormat: 420f (full range) or 420v (video range).
  ///   - framesPerSecond: 1…1000, for the time code alone.
  package init(
    _ pattern: TestPattern, width: Int, height: Int, pixelFormat: OSType, framesPerSecond: Int
  ) throws(Error) {
    guard Self.dimensions.contains(width), Self.dimensions.contains(height) else {
      throw .size(width: width, height: height)
    }
    guard let levels = PixelLevels(pixelFormat: pixelFormat) else { throw .pixelFormat(pixelFormat) }
    guard (1...1000).contains(framesPerSecond) else { throw .frameRate(framesPerSecond) }
    self.pattern = pattern
    self.width = width
    self.height = height
    self.pixelFormat = pixelFormat
    self.framesPerSecond = framesPerSecond
    burnIn = BurnIn(width: width, height: height)
    background =
      switch pattern {
      case .bars: PreparedBackground.bars(width: width, levels: levels)
      case .gradient: PreparedBackground.gradient(width: width, levels: levels)
      case .noise: PreparedBackground.noise(width: width, levels: levels)
      case .static: PreparedBackground.static(width: width, height: height, levels: levels)
      case .proof: ProofBackground()
      }
  }

  /// Draws frame number `frame` over every visible byte of a buffer of the painter's size and format. The padding of rows
  /// stays.
  ///
  /// The burned-in number has the last eight digits; ``TestPattern/proof`` has the lowest 32 bits.
  package func paint(frame: UInt64, into pixelBuffer: CVPixelBuffer) throws(Error) {
    let format = CVPixelBufferGetPixelFormatType(pixelBuffer)
    guard format == pixelFormat else { throw .pixelFormat(format) }
    let (luma, chroma) = (pixelBuffer.planeShape(0), pixelBuffer.planeShape(1))
    guard luma.width == width, luma.height == height, chroma.width == (width + 1) / 2,
      chroma.height == (height + 1) / 2
    else {
      throw .bufferSize(width: luma.width, height: luma.height, wantedWidth: width, wantedHeight: height)
    }

    pixelBuffer.writePlane(0) { plane, shape in
      background.paint(0, frame: frame, into: &plane, shape: shape)
      var overlay = [(burnIn.track, false), (burnIn.mark(frame: frame), true), (burnIn.box, false)]
      overlay += burnIn.litRects(frame: frame, framesPerSecond: framesPerSecond).map { ($0, true) }
      for (area, isLit) in overlay {
        background.drawOverlay(lit: isLit, area, frame: frame, into: &plane, shape: shape)
      }
    }
    pixelBuffer.writePlane(1) { plane, shape in
      background.paint(1, frame: frame, into: &plane, shape: shape)
      background.neutralise(burnIn.box, in: &plane, shape: shape)
      background.neutralise(burnIn.track, in: &plane, shape: shape)
    }
  }
}

extension PatternPainter {
  package enum Error: Swift.Error, Equatable, CustomStringConvertible {
    case size(width: Int, height: Int)
    case pixelFormat(OSType)
    case frameRate(Int)
    case bufferSize(width: Int, height: Int, wantedWidth: Int, wantedHeight: Int)

    package var description: String {
      switch self {
      case .size(let width, let height):
        "a test pattern of \(width)x\(height) cannot be drawn; choose a width and height from 16 to 8192"
      case .pixelFormat(let format):
        "pixels of format \(format.fourCharacters) cannot be drawn here; use the painter's format, 420f or 420v"
      case .frameRate(let rate):
        "\(rate) frames per second cannot be counted; choose a rate from 1 to 1000"
      case .bufferSize(let width, let height, let wantedWidth, let wantedHeight):
        "the pixel buffer is \(width)x\(height); give the painter one of \(wantedWidth)x\(wantedHeight)"
      }
    }
  }
}

/// A synthetic screen content, with a burned-in frame number and time code.
package enum TestPattern: String, CaseIterable, Sendable {
  /// The eight colour bars of a television test card, with a moving mark.
  case bars
  /// A smooth gradient that moves with the frame number.
  case gradient
  /// New random luma in every frame: the worst case for an encoder.
  case noise
  /// A constant image, except for the burned-in numbers.
  case `static`
  /// Rows with their frame number in every byte, so that a reader can detect a torn frame.
  case proof
}
