import CommandLineSupport
import CoreVideo
import ScreenBroadcast
import WebRTC

/// A destination of what a watch receives: a file, a stream or a terminal.
@MainActor
package protocol WatchOutput: AnyObject, Sendable {
  /// Why the output stopped; `nil` while it goes well.
  var failure: ProgramFailure? { get }

  /// Information for people at the end, although nothing failed.
  var notice: String? { get }

  /// Completes the output; it receives nothing afterwards. Throws the failure of the output.
  func finish() throws(ProgramFailure)
}

extension WatchOutput {
  package var failure: ProgramFailure? { nil }
  package var notice: String? { nil }
}

/// An output of the frames that enter the call. The track calls it on the queue of the source, which is the main queue.
package protocol VideoOutput: WatchOutput, RTCVideoRenderer {}

extension VideoOutput {
  /// Does nothing: each frame has its size.
  package nonisolated func setSize(_ size: CGSize) {}
}

/// An output of the audio of a broadcast.
package protocol AudioOutput: WatchOutput {
  /// Receives audio of any stream, in order.
  func receive(_ audio: BroadcastAudio)
}

extension RTCVideoFrame {
  /// The pixels of the frame, at their final size.
  package var pixelBuffer: CVPixelBuffer? { (buffer as? RTCCVPixelBuffer)?.pixelBuffer }
}
