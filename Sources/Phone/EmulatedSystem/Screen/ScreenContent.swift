import CommandLineSupport
import CoreVideo
import PictureFormats
import PixelAccess
import Platform
import TestPatterns

/// What an emulated screen shows: draws frames into pixel buffers.
@MainActor
package struct ScreenContent {
  package let size: PixelSize
  /// The matrix of the colours, where the content states one; `nil` for that of the version of iOS.
  var matrix: ColourMatrix?
  /// The private memory of the content, which belongs to the system on a device; called on any thread.
  package var systemMemory: @Sendable () -> SystemMemory = { SystemMemory() }
  /// Whether any frame can be drawn again.
  var canRepeat = false
  /// Draws the next frame.
  let draw: (_ frame: ScreenFrame, _ pixels: CVPixelBuffer) throws(ScreenContentError) -> ScreenDrawing
  /// Returns the same content in another size and pixel format; `nil` if both are fixed.
  var resized: (PixelSize, OSType) throws(ScreenContentError) -> ScreenContent? = { _, _ in nil }

  /// A test pattern, with the frame's number burned in. Its time code counts 1 to 1000 frames per second.
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

  /// A clip, or a live stream from a pipe.
  static func clip(_ clip: Clip) -> ScreenContent {
    ScreenContent(size: clip.size, matrix: clip.matrix, systemMemory: { clip.systemMemory }) {
      _, pixels throws(ScreenContentError) in try clip.draw(into: pixels)
    }
  }
}

/// A frame that is to be drawn.
struct ScreenFrame: Sendable {
  /// Its number in the broadcast, counted from 1.
  var number: UInt64
  var time: MonotonicTime
  /// The turn that shows the frame upright, from how the device is held.
  var rotation = PictureRotation.none
  /// Whether it is drawn even if the screen does not change.
  var isDue = false
}

package enum ScreenDrawing: Equatable, Sendable {
  /// The frame is in the buffer.
  case drawn
  /// There is no new frame yet: the screen does not change.
  case unchanged
  /// No frame follows.
  case ended
}

/// Why an emulated screen has no content.
package enum ScreenContentError: Error, Equatable, Sendable, CustomStringConvertible {
  case pattern(PatternPainter.Error)
  case clip(Y4MReader.Error)
  /// There is no memory for the screen's pixels.
  case noBuffer(PixelBufferError)

  /// One sentence without a full stop: the problem and the way out.
  package var description: String {
    switch self {
    case .pattern(let error): error.description
    case .clip(let error): error.description
    case .noBuffer(let error): error.description
    }
  }
}

extension ProgramFailure {
  /// The failure of a program whose emulated screen has no content.
  package init(_ error: ScreenContentError) {
    let errno: Int32? = if case .clip(let error) = error { error.errno } else { nil }
    self.init(errno.map { ExitCode(errno: $0) } ?? .inputOutput, "\(error).")
  }
}
