import CommandLineSupport
import CoreVideo
import TestPatterns

/// A screen that shows a test pattern, with the frame's number burned in.
package final class PatternContent: ScreenContent {
  private let painter: PatternPainter
  private let framesPerSecond: Double

  /// A screen of a size that shows `pattern`.
  ///
  /// - Parameter framesPerSecond: the rate of the time code, which is limited to 1…1000.
  package init(
    _ pattern: TestPattern, width: Int, height: Int, pixelFormat: OSType, framesPerSecond: Double
  ) throws(ScreenContentError) {
    self.framesPerSecond = framesPerSecond
    do {
      painter = try PatternPainter(
        pattern, width: width, height: height, pixelFormat: pixelFormat,
        framesPerSecond: Int(min(max(1, framesPerSecond.rounded()), 1000)))
    } catch {
      throw .pattern(error)
    }
  }

  package var width: Int { painter.width }
  package var height: Int { painter.height }

  package func draw(
    frame number: UInt64, into pixelBuffer: CVPixelBuffer
  ) throws(ScreenContentError) -> ScreenDrawing {
    do { try painter.paint(frame: number, into: pixelBuffer) } catch { throw .pattern(error) }
    return .drawn
  }

  package func resized(to size: PixelSize) throws(ScreenContentError) -> (any ScreenContent)? {
    try PatternContent(
      painter.pattern, width: size.width, height: size.height, pixelFormat: painter.pixelFormat,
      framesPerSecond: framesPerSecond)
  }
}
