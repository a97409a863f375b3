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
/// A frame depends only on its number and time, so threads may share a painter.
package struct PatternPainter: Sendable {
  package let pattern: TestPattern
  /// The size of the pixel buffers, in pixels.
  package let width: Int
  package let height: Int
  package let pixelFormat: OSType
  package let framesPerSecond: Int
  /// The rotation that shows a frame upright. The pattern is drawn as the held device stores it.
  package let rotation: PictureRotation

  let burnIn: BurnIn
  private let background: any Background

  /// The supported widths and heights, in pixels. Odd values are supported because some screens have them.
  package static let dimensions = 16...8192

  /// Creates a painter and prepares its background. This is expensive, so keep the painter for all frames.
  ///
  /// - Parameters:
  ///   - pixelFormat: 420f (full range) or 420v (video range).
  /// - framesPerSecond: the frame rate (1…1000), used only for the time code.
  ///   - rotation: the rotation that shows a frame upright.
  package init(
    _ pattern: TestPattern, width: Int, height: Int, pixelFormat: OSType, framesPerSecond: Int,
    rotation: PictureRotation = .none, matrix: ColourMatrix = .bt709
  ) throws(Error) {
    guard Self.dimensions.contains(width), Self.dimensions.contains(height) else {
      throw .size(width: width, height: height)
    }
    guard let levels = PixelLevels(pixelFormat: pixelFormat, matrix: matrix) else {
      throw .pixelFormat(pixelFormat)
    }
    guard (1...1000).contains(framesPerSecond) else { throw .frameRate(framesPerSecond) }
    self.pattern = pattern
    self.width = width
    self.height = height
    self.pixelFormat = pixelFormat
    self.framesPerSecond = framesPerSecond
    self.rotation = rotation
    let size = rotation.uprightSize(width: width, height: height)
    burnIn = BurnIn(width: size.width, height: size.height)
    func canvas() -> Canvas {
      Canvas(width: size.width, height: size.height, rotation: rotation, levels: levels)
    }
    background =
      switch pattern {
      case .bars: StillBackground.bars(canvas())
      case .noise: NoiseBackground(width: width, levels: levels)
      case .proof: ProofBackground()
      case .app:
        AppBackground(width: size.width, height: size.height, rotation: rotation, levels: levels)
      case .chart: StillBackground.chart(canvas())
      }
  }

  /// The memory of prepared content, in bytes.
  package var byteCount: Int { background.byteCount }

  /// Whether the frames at two times are equal, except for their numbers.
  package func isIdle(from earlier: Duration, to time: Duration) -> Bool {
    pattern == .app && AppBackground.position(at: earlier) == AppBackground.position(at: time)
  }

  /// Draws frame number `frame` over every visible byte of a buffer of the painter's size and format. Row padding is not changed.
  ///
  /// The burned-in number has the last eight digits, ``TestPattern/proof`` the lowest 32 bits, and ``TestPattern/chart`` the
  /// lowest twelve bits.
  ///
  /// - Parameter time: the time since the first frame, for ``TestPattern/app`` (default: from the frame number and rate).
  package func paint(
    frame: UInt64, at time: Duration? = nil, into pixelBuffer: CVPixelBuffer
  ) throws(Error) {
    let format = CVPixelBufferGetPixelFormatType(pixelBuffer)
    guard format == pixelFormat else { throw .pixelFormat(format) }
    let (luma, chroma) = (pixelBuffer.planeShape(0), pixelBuffer.planeShape(1))
    guard luma.width == width, luma.height == height, chroma.width == (width + 1) / 2,
      chroma.height == (height + 1) / 2
    else {
      throw .bufferSize(width: luma.width, height: luma.height, wantedWidth: width, wantedHeight: height)
    }

    let time =
      time ?? .seconds(Double(frame % UInt64(86_400 * framesPerSecond)) / Double(framesPerSecond))
    func stored(_ part: PixelRect) -> PixelRect { rotation.storedRect(part, width: width, height: height) }
    pixelBuffer.writePlane(0) { plane, shape in
      background.paint(0, frame: frame, time: time, into: &plane, shape: shape)
      for (area, isLit) in overlay(frame) {
        background.drawOverlay(lit: isLit, stored(area), frame: frame, into: &plane, shape: shape)
      }
    }
    pixelBuffer.writePlane(1) { plane, shape in
      background.paint(1, frame: frame, time: time, into: &plane, shape: shape)
      guard pattern != .chart else { return }
      background.neutralise(stored(burnIn.box), in: &plane, shape: shape)
      background.neutralise(stored(burnIn.track), in: &plane, shape: shape)
    }
  }

  /// Returns the areas drawn over the background, dark or bright.
  private func overlay(_ frame: UInt64) -> [(area: PixelRect, isLit: Bool)] {
    if pattern == .chart {
      let size = rotation.uprightSize(width: width, height: height)
      return Chart.blocks(frame, width: size.width, height: size.height)
    }
    return [(burnIn.track, false), (burnIn.mark(frame: frame), true), (burnIn.box, false)]
      + burnIn.litRects(frame: frame, framesPerSecond: framesPerSecond).map { ($0, true) }
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
        "the pixel buffer is \(width)x\(height); the painter needs \(wantedWidth)x\(wantedHeight)"
      }
    }
  }
}
