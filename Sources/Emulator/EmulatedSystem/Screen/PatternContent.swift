import CommandLineSupport
import CoreVideo
import TestPatterns

/// A screen that shows a test pattern.
public final class PatternContent: ScreenContent {
  private let painter: PatternPainter
  private let pattern: TestPattern
  private let framesPerSecond: Double

  /// A screen of a size that shows `pattern`; the time code counts `framesPerSecond`.
  public init(
    _ pattern: TestPattern, width: Int, height: Int, pixelFormat: OSType, framesPerSecond: Double
  ) throws(ScreenContentError) {
    self.pattern = pattern
    self.framesPerSecond = framesPerSecond
    do {
      painter = try PatternPainter(
        pattern, width: width, height: height, pixelFormat: pixelFormat,
        framesPerSecond: Int(min(max(1, framesPerSecond.rounded()), 1_000_000)))
    } catch {
      throw .pattern(error)
    }
  }

  /// The width of the pattern, in pixels.
  public var width: Int { painter.width }
  /// The height of the pattern, in pixels.
  public var height: Int { painter.height }

  /// Draws the pattern with the frame's number burned in.
  public func draw(
    frame number: UInt64, into pixelBuffer: CVPixelBuffer
  ) throws(ScreenContentError) -> ScreenDrawing {
    do { try painter.paint(frame: number, into: pixelBuffer) } catch { throw .pattern(error) }
    return .drawn
  }

  /// The pattern in another size.
  public func resized(to size: Size) throws(ScreenContentError) -> (any ScreenContent)? {
    try PatternContent(
      pattern, width: size.width, height: size.height, pixelFormat: painter.pixelFormat,
      framesPerSecond: framesPerSecond)
  }
}
