import CommandLineSupport
import CoreVideo
import PixelAccess
import Platform
import ReplayKitCore
import Synchronization
import TestPatterns

/// Shows a test pattern on a screen, and remembers the last frame.
final class PatternScreen: Sendable {
  private struct State {
    /// The painter for the current rotation.
    var painter: PatternPainter?
    /// When the first frame was drawn.
    var start: MonotonicTime?
    var last: ScreenFrame?
  }

  let size: PixelSize
  private let pattern: TestPattern
  private let pixelFormat: OSType
  private let framesPerSecond: Double
  private let matrix: ColourMatrix
  private let state: Mutex<State>

  init(
    _ pattern: TestPattern, size: PixelSize, pixelFormat: OSType, framesPerSecond: Double,
    matrix: ColourMatrix, start: MonotonicTime? = nil
  ) {
    self.pattern = pattern
    self.size = size
    self.pixelFormat = pixelFormat
    self.framesPerSecond = framesPerSecond
    self.matrix = matrix
    state = Mutex(State(start: start))
  }

  /// Returns the same pattern, in the same state, in another size and pixel format.
  func resized(_ size: PixelSize, _ pixelFormat: OSType) -> PatternScreen {
    PatternScreen(
      pattern, size: size, pixelFormat: pixelFormat, framesPerSecond: framesPerSecond, matrix: matrix,
      start: state.withLock(\.start))
  }

  var systemMemory: SystemMemory {
    SystemMemory(other: state.withLock { UInt64(clamping: $0.painter?.byteCount ?? 0) })
  }

  /// Returns the painter for a rotation. It is cached until another rotation is needed.
  func painter(for rotation: PictureRotation) throws(ScreenContentError) -> PatternPainter {
    if let painter = state.withLock(\.painter), painter.rotation == rotation { return painter }
    do throws(PatternPainter.Error) {
      let painter = try PatternPainter(
        pattern, width: size.width, height: size.height, pixelFormat: pixelFormat,
        framesPerSecond: Int(min(max(1, framesPerSecond.rounded()), 1000)), rotation: rotation, matrix: matrix
      )
      state.withLock { $0.painter = painter }
      return painter
    } catch {
      throw .pattern(error)
    }
  }

  func draw(_ frame: ScreenFrame, into pixels: CVPixelBuffer) throws(ScreenContentError) -> ScreenDrawing {
    let painter = try painter(for: frame.rotation)
    let (start, last) = state.withLock { state in
      let start = state.start ?? frame.time
      state.start = start
      return (start, state.last)
    }
    let time = frame.time - start
    // A frame with the number of the last one is drawn again, because the last one was not accepted.
    if let last, !frame.isDue, last.number != frame.number, last.rotation == frame.rotation,
      painter.isIdle(from: last.time - start, to: time)
    {
      return .unchanged
    }
    do throws(PatternPainter.Error) {
      try painter.paint(frame: frame.number, at: time, into: pixels)
    } catch {
      throw .pattern(error)
    }
    state.withLock { $0.last = frame }
    return .drawn
  }
}
