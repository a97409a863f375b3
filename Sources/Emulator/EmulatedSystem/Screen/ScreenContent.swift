import CommandLineSupport
import CoreVideo

/// What an emulated screen shows: draws one picture after another into pixel buffers.
@MainActor
public protocol ScreenContent: AnyObject {
  /// The width of every picture, in pixels.
  var width: Int { get }
  /// The height of every picture, in pixels.
  var height: Int { get }
  /// Tells the private memory the content has for what is the system's on a device; called on any thread.
  var systemMemory: @Sendable () -> SystemMemory { get }

  /// Draws the next picture, which will be frame `number` of the broadcast, counted from 1.
  func draw(frame number: UInt64, into pixelBuffer: CVPixelBuffer) throws(ScreenContentError) -> ScreenDrawing

  /// The same in another size; `nil` when it has no other.
  func resized(to size: Size) throws(ScreenContentError) -> (any ScreenContent)?
}

extension ScreenContent {
  /// It has no other size.
  public func resized(to size: Size) throws(ScreenContentError) -> (any ScreenContent)? { nil }
}

extension ScreenContent {
  /// None.
  public var systemMemory: @Sendable () -> SystemMemory { { SystemMemory() } }
}

/// What became of a request for the next picture.
public enum ScreenDrawing: Equatable, Sendable {
  /// The picture is in the buffer.
  case drawn
  /// There is no new picture yet, as on a screen that stands still.
  case unchanged
  /// There will be no more pictures.
  case ended
}
