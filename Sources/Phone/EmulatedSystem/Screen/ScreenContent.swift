import CommandLineSupport
import CoreVideo
import PictureFormats
import PixelAccess
import Platform
import TestPatterns

/// The content of an emulated screen. Draws frames into pixel buffers.
@MainActor
package struct ScreenContent {
  package let size: PixelSize
  /// The colour matrix if the content states it; `nil` for the matrix of the iOS version.
  var matrix: ColourMatrix?
  /// Returns the private memory of the content, which on a device belongs to the system; called on any thread.
  package var systemMemory: @Sendable () -> SystemMemory = { SystemMemory() }
  /// Whether any earlier frame can be drawn again.
  var canRepeat = false
  /// Draws the next frame.
  let draw: (_ frame: ScreenFrame, _ pixels: CVPixelBuffer) throws(ScreenContentError) -> ScreenDrawing
  /// Returns the same content in another size and pixel format; `nil` if both are fixed.
  var resized: (PixelSize, OSType) throws(ScreenContentError) -> ScreenContent? = { _, _ in nil }

  /// Creates a test pattern with the frame's number burned in. Its time code counts 1 to 1000 frames per second.
  package static func pattern(
    _ pattern: TestPattern, size: PixelSize, pixelFormat: OSType, framesPerSecond: Double,
    matrix: ColourMatrix = .bt709
  ) throws(ScreenContentError) -> ScreenContent {
    let screen = PatternScreen(
      pattern, size: size, pixelFormat: pixelFormat, framesPerSecond: framesPerSecond, matrix: matrix)
    _ = try screen.painter(for: .none)
    return .pattern(screen)
  }

  private static func pattern(_ screen: PatternScreen) -> ScreenContent {
    ScreenContent(size: screen.size, systemMemory: { screen.systemMemory }, canRepeat: true) {
      frame, pixels throws(ScreenContentError) in
      try screen.draw(frame, into: pixels)
    } resized: { size, pixelFormat throws(ScreenContentError) in
      let other = screen.resized(size, pixelFormat)
      _ = try other.painter(for: .none)
      return .pattern(other)
    }
  }

  /// Creates the content of a clip, or of a live stream from a pipe.
  static func clip(_ clip: Clip) -> ScreenContent {
    ScreenContent(size: clip.size, matrix: clip.matrix, systemMemory: { clip.systemMemory }) {
      _, pixels throws(ScreenContentError) in try clip.draw(into: pixels)
    }
  }
}

/// A frame to draw.
struct ScreenFrame: Sendable {
  /// The number of the frame in the broadcast, counted from 1.
  var number: UInt64
  var time: MonotonicTime
  /// The rotation that shows the frame upright when the device is held.
  var rotation = PictureRotation.none
  /// Whether the frame is drawn even if the screen does not change.
  var isDue = false
}

package enum ScreenDrawing: Equatable, Sendable {
  /// The frame is in the buffer.
  case drawn
  /// There is no new frame yet, because the screen does not change.
  case unchanged
  /// The content has ended.
  case ended
}

/// The reason why an emulated screen has no content.
package enum ScreenContentError: Error, Equatable, Sendable, CustomStringConvertible {
  case pattern(PatternPainter.Error)
  case clip(Y4MReader.Error)
  /// There is no memory for the screen's pixels.
  case noBuffer(PixelBufferError)

  /// A sentence without a full stop: the problem and the fix.
  package var description: String {
    switch self {
    case .pattern(let error): error.description
    case .clip(let error): error.description
    case .noBuffer(let error): error.description
    }
  }
}

extension ProgramFailure {
  /// Creates the failure of a program whose emulated screen has no content.
  package init(_ error: ScreenContentError) {
    let errno: Int32? = if case .clip(let error) = error { error.errno } else { nil }
    self.init(errno.map { ExitCode(errno: $0) } ?? .inputOutput, "\(error).")
  }
}
