import CommandLineSupport
import WebRTC

/// A destination of the frames that enter the call: a file, a page or a report. The track calls it on the source's queue,
/// which is the main queue.
@MainActor
package protocol VideoOutput: RTCVideoRenderer, Sendable {
  /// The reason why the output stopped; `nil` if it is working.
  var failure: ProgramFailure? { get }

  /// A message for the user once the output is complete, also after a success; `nil` if there is nothing to say.
  var notice: String? { get }

  /// Completes the output. It receives nothing afterwards. Throws the failure of the output.
  func finish() throws(ProgramFailure)
}

extension VideoOutput {
  package var failure: ProgramFailure? { nil }
  package var notice: String? { nil }

  /// Does nothing, because each frame carries its size.
  package nonisolated func setSize(_ size: CGSize) {}
}
