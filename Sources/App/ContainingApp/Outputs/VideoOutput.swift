import CommandLineSupport
import CoreVideo
import PixelAccess
import ScreenBroadcast
import WebRTC

/// A renderer of the call's track that keeps what it shows: in a file, a stream or a terminal. Subclasses override
/// everything but the conformance to `RTCVideoRenderer`.
@MainActor
package class VideoOutput: NSObject, RTCVideoRenderer {
  /// The memory for copies of frames; `nil` if frames own their pixels.
  private var copies: AdaptivePixelBufferPool?

  /// Makes the output show copies, because the source of the frames reuses their pixels.
  func copyFrames() { copies = AdaptivePixelBufferPool() }

  /// Shows a frame as it enters the call.
  package func show(_ frame: RTCVideoFrame) {}

  /// Why the output stopped; `nil` while it goes well.
  package var failure: ProgramFailure? { nil }

  /// Information for people at the end, although nothing failed.
  package var notice: String? { nil }

  /// Completes the output; no frame is shown afterwards. Throws the failure of the output.
  package func finish() throws(ProgramFailure) {}

  /// Does nothing: each frame has its size.
  package nonisolated func setSize(_ size: CGSize) {}

  /// Shows a frame. The track calls its renderers on the queue of the source, which is the main queue.
  package nonisolated func renderFrame(_ frame: RTCVideoFrame?) {
    guard let frame else { return }
    MainActor.assumeIsolated {
      guard copies != nil, let pixelBuffer = frame.pixelBuffer else { return show(frame) }
      do throws(PixelBufferError) {
        guard let copy = try copies?.makeCopy(of: pixelBuffer) else { return }
        show(
          RTCVideoFrame(
            buffer: RTCCVPixelBuffer(pixelBuffer: copy), rotation: frame.rotation,
            timeStampNs: frame.timeStampNs))
      } catch {
        return  // Without memory for the copy the output misses the frame.
      }
    }
  }
}

/// A destination for the audio of a broadcast, such as a file.
@MainActor
package protocol AudioOutput: AnyObject, Sendable {
  /// Receives audio of any stream, in order.
  func receive(_ audio: BroadcastAudio)

  /// Why the output stopped; `nil` while it goes well.
  var failure: ProgramFailure? { get }

  /// Information for people at the end, although nothing failed.
  var notice: String? { get }

  /// Completes the output; no audio is received afterwards. Throws the failure of the output.
  func finish() throws(ProgramFailure)
}

extension RTCVideoFrame {
  /// The pixels of the frame, at their final size.
  var pixelBuffer: CVPixelBuffer? { (buffer as? RTCCVPixelBuffer)?.pixelBuffer }
}
