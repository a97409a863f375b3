import CommandLineSupport
import CoreVideo
import PictureFormats
import PixelAccess
import TestPatterns

/// The content of an emulated screen: draws frames into pixel buffers.
@MainActor
package protocol ScreenContent: AnyObject {
  /// The width of every frame, in pixels.
  var width: Int { get }
  /// The height of every frame, in pixels.
  var height: Int { get }
  /// The private memory of the content, which belongs to the system on a device; called on any thread.
  var systemMemory: @Sendable () -> SystemMemory { get }

  /// Draws the next frame, which will be frame `number` of the broadcast, counted from 1.
  func draw(frame number: UInt64, into pixelBuffer: CVPixelBuffer) throws(ScreenContentError) -> ScreenDrawing

  /// Returns the same content in another size; `nil` if its size is fixed.
  func resized(to size: PixelSize) throws(ScreenContentError) -> (any ScreenContent)?
}

extension ScreenContent {
  /// The default: a fixed size.
  package func resized(to size: PixelSize) throws(ScreenContentError) -> (any ScreenContent)? { nil }
  /// The default: no memory.
  package var systemMemory: @Sendable () -> SystemMemory { { SystemMemory() } }
}

/// The result of drawing the next frame.
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
  /// The pattern cannot be drawn.
  case pattern(PatternPainter.Error)
  /// The clip cannot be read.
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

  /// The `errno` of the system call that failed, if one did.
  package var errno: Int32? {
    if case .clip(let error) = self { error.errno } else { nil }
  }
}

extension ProgramFailure {
  /// The failure of a program whose emulated screen has no content.
  package init(_ error: ScreenContentError) {
    self.init(error.errno.map { ExitCode(errno: $0) } ?? .inputOutput, "\(error).")
  }
}

/// The pixel format of the emulated screen, typed as Core Video's four characters.
package enum ScreenFormat: String, CaseIterable, Sendable {
  /// Full range, luma 0 to 255: what ReplayKit delivers.
  case fullRange = "420f"
  /// Video range, luma 16 to 235.
  case videoRange = "420v"

  /// Core Video's constant.
  package var pixelFormat: OSType {
    switch self {
    case .fullRange: kCVPixelFormatType_420YpCbCr8BiPlanarFullRange
    case .videoRange: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange
    }
  }
}
