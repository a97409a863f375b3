import CommandLineSupport
import WebRTC

/// A destination of the frames that enter the call: a file, a page or a report. The track calls it on the queue of the source, which
/// is the main queue.
@MainActor
package protocol VideoOutput: RTCVideoRenderer, Sendable {
  /// Why the output stopped; `nil` while it goes well.
  var failure: ProgramFailure? { get }

  /// Information for people at the end, although nothing failed.
  var notice: String? { get }

  /// Completes the output; it receives nothing afterwards. Throws the failure of the output.
  func finish() throws(ProgramFailure)
}

extension VideoOutput {
  package var failure: ProgramFailure? { nil }
  package var notice: String? { nil }

  /// Does nothing: each frame has its size.
  package nonisolated func setSize(_ size: CGSize) {}
}
