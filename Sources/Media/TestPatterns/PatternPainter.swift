import CoreVideo
import PixelAccess

/// Draws the frames of a test pattern, with the frame number and a time code burned in.
///
/// ```swift
/// let painter = try PatternPainter(
///   .bars, width: 1170, height: 2532, pixelFormat: kCVPixelFormatType_420YpCbCr8BiPlanarFullRange,
///   framesPerSecond: 60)
/// try painter.paint(frame: 7, into: pixelBuffer)
/// ```
///
/// A frame depends on its number and on nothing else, so a painter may be shared between threads.
public struct PatternPainter: Sendable {
  /// The pattern drawn.
  public let pattern: TestPattern
  /// The width of the picture, in pixels.
  public let width: Int
  /// The height of the picture, in pixels.
  public let height: Int
  /// The pixel format of the buffers drawn into: '420f' or '420v'.
  public let pixelFormat: OSType
  /// The rate of the time code, in frames per second.
  public let framesPerSecond: Int

  let burnIn: BurnIn
  private let background: any Background

  /// The widths and heights a painter draws, in pixels; odd ones too, as some screens have.
  public static let dimensions = 16...8192

  /// A painter of `pattern`; background pictures are prepared here, so make one painter and keep it.
  ///
  /// - Parameters:
  ///   - width: 16…8192 pixels.
  ///   - height: 16…8192 pixels.
  ///   - pixelFormat: '420f' (full range) or '420v' (video range).
  ///   - framesPerSecond: 1…1000; counts the time code only.
  public init(
    _ pattern: TestPattern, width: Int, height: Int, pixelFormat: OSType, framesPerSecond: Int
  ) throws(Error) {
    guard Self.dimensions.contains(width), Self.dimensions.contains(height) else {
      throw .size(width: width, height: height)
    }
    guard let levels = SampleLevels(pixelFormat: pixelFormat) else { throw .pixelFormat(pixelFormat) }
    guard (1...1000).contains(framesPerSecond) else { throw .frameRate(framesPerSecond) }
    self.pattern = pattern
    self.width = width
    self.height = height
    self.pixelFormat = pixelFormat
    self.framesPerSecond = framesPerSecond
    burnIn = BurnIn(width: width, height: height)
    background =
      switch pattern {
      case .bars: BarsBackground(width: width, levels: levels)
      case .gradient: GradientBackground(width: width, levels: levels)
      case .noise: NoiseBackground(width: width, levels: levels)
      case .static: StaticBackground(width: width, height: height, levels: levels)
      case .proof: ProofBackground()
      }
  }

  /// Draws frame number `frame` over every visible byte of a buffer of the painter's size and format. The
  /// padding of rows is left as it is.
  ///
  /// The number shows its last eight digits; ``TestPattern/proof`` carries the lowest 32 bits.
  public func paint(frame: UInt64, into pixelBuffer: CVPixelBuffer) throws(Error) {
    let format = CVPixelBufferGetPixelFormatType(pixelBuffer)
    guard format == pixelFormat else { throw .pixelFormat(format) }
    let (luma, chroma) = (pixelBuffer.planeShape(0), pixelBuffer.planeShape(1))
    guard luma.width == width, luma.height == height, chroma.width == (width + 1) / 2,
      chroma.height == (height + 1) / 2
    else {
      throw .bufferSize(width: luma.width, height: luma.height, wantedWidth: width, wantedHeight: height)
    }

    pixelBuffer.writePlane(0) { plane, shape in
      background.paintLuma(frame: frame, into: &plane, shape: shape)
      drawOverlay(frame: frame, into: &plane, shape: shape)
    }
    pixelBuffer.writePlane(1) { plane, shape in
      background.paintChroma(frame: frame, into: &plane, shape: shape)
      background.neutralise(burnIn.box, in: &plane, shape: shape)
      background.neutralise(burnIn.track, in: &plane, shape: shape)
    }
  }

  private func drawOverlay(frame: UInt64, into plane: inout MutableSpan<UInt8>, shape: PlaneShape) {
    func draw(lit: Bool, columns: Range<Int>, rows: Range<Int>, in plane: inout MutableSpan<UInt8>) {
      for row in rows {
        background.drawOverlay(
          lit: lit, columns: columns, row: row, frame: frame, into: &plane, shape: shape)
      }
    }
    draw(lit: false, columns: burnIn.track.columns, rows: burnIn.track.rows, in: &plane)
    let mark = burnIn.mark(frame: frame)
    draw(lit: true, columns: mark.columns, rows: mark.rows, in: &plane)
    draw(lit: false, columns: burnIn.box.columns, rows: burnIn.box.rows, in: &plane)
    for litRows in burnIn.litRows(frame: frame, framesPerSecond: framesPerSecond) {
      for run in litRows.runs { draw(lit: true, columns: run, rows: litRows.rows, in: &plane) }
    }
  }
}
