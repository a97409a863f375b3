import CommandLineSupport
import CoreVideo
import PictureFormats
import PixelAccess
import TestPatterns

/// What an emulated screen shows: draws frames into pixel buffers.
@MainActor
package struct ScreenContent {
  package let size: PixelSize
  /// The private memory of the content, which belongs to the system on a device; called on any thread.
  package var systemMemory: @Sendable () -> SystemMemory = { SystemMemory() }
  /// Whether any frame can be drawn again.
  var canRepeat = false
  /// Draws the next frame, which will be frame `number` of the broadcast, counted from 1.
  let draw: (_ number: UInt64, _ pixels: CVPixelBuffer) throws(ScreenContentError) -> ScreenDrawing
  /// Returns the same content in another size and pixel format; `nil` if both are fixed.
  var resized: (PixelSize, OSType) throws(ScreenContentError) -> ScreenContent? = { _, _ in nil }

  /// A test pattern, with the frame's number burned in. Its time code counts 1 to 1000 frames per second.
  package static func pattern(
    _ pattern: TestPattern, size: PixelSize, pixelFormat: OSType, framesPerSecond: Double
  ) throws(ScreenContentError) -> ScreenContent {
    let painter: PatternPainter
    do {
      painter = try PatternPainter(
        pattern, width: size.width, height: size.height, pixelFormat: pixelFormat,
        framesPerSecond: Int(min(max(1, framesPerSecond.rounded()), 1000)))
    } catch {
      throw .pattern(error)
    }
    return ScreenContent(size: size, canRepeat: true) { number, pixels throws(ScreenContentError) in
      do throws(PatternPainter.Error) { try painter.paint(frame: number, into: pixels) } catch {
        throw .pattern(error)
      }
      return .drawn
    } resized: { size, pixelFormat throws(ScreenContentError) in
      try .pattern(pattern, size: size, pixelFormat: pixelFormat, framesPerSecond: framesPerSecond)
    }
  }

  /// A clip, or a live stream from a pipe.
  static func clip(_ clip: Clip) -> ScreenContent {
    ScreenContent(size: clip.size, systemMemory: { clip.systemMemory }) {
      _, pixels throws(ScreenContentError) in try clip.draw(into: pixels)
    }
  }
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
