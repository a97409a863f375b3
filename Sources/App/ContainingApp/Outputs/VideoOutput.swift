import CommandLineSupport
import CoreVideo
import PixelAccess
import WebRTC

/// A renderer of the call's track that leaves something behind: a file, a stream, a picture in the terminal.
@MainActor
package protocol VideoOutput: AnyObject, Sendable {
  /// Shows one frame as it enters the call.
  func show(_ frame: RTCVideoFrame)

  /// Why it cannot go on, once it cannot.
  var failure: ProgramFailure? { get }

  /// What a person should know of it at the end, although nothing failed.
  var notice: String? { get }

  /// Brings what is under way to its end; nothing is shown afterwards.
  func finish() throws(ProgramFailure)
}

extension VideoOutput {
  /// Nothing to know.
  package var notice: String? { nil }
}

/// What makes a ``VideoOutput`` one of the track's renderers.
final class OutputRenderer: NSObject, RTCVideoRenderer {
  private let output: any VideoOutput
  private let copier: FrameCopier?

  /// A renderer that shows frames in `output`; copies of them when there is a copier.
  init(_ output: any VideoOutput, copier: FrameCopier? = nil) {
    self.output = output
    self.copier = copier
    super.init()
  }

  /// Outputs take the size from each frame.
  func setSize(_ size: CGSize) {}

  func renderFrame(_ frame: RTCVideoFrame?) {
    guard let frame else { return }
    // The call captures on the main actor, and its track calls renderers before the capture returns.
    MainActor.assumeIsolated { [output, copier] in
      guard let copier else { return output.show(frame) }
      // Without memory for a copy there is no frame to show.
      do throws(PixelBufferError) { output.show(try copier.copy(of: frame)) } catch { return }
    }
  }
}

extension RTCVideoFrame {
  /// The frame's pixels, at their final size.
  var pixelBuffer: CVPixelBuffer? { (buffer as? RTCCVPixelBuffer)?.pixelBuffer }
}
