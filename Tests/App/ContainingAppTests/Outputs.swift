import CommandLineSupport
import WebRTC

@testable import ContainingApp

/// A view that writes down what it is shown.
@MainActor final class RecordingView: WatchView {
  private(set) var outputs: [WatchOutput] = []

  func show(_ output: WatchOutput) { outputs.append(output) }

  var summaries: [WatchSummary] {
    outputs.compactMap { if case .summary(let summary) = $0 { summary } else { nil } }
  }
  var statuses: [Bool] {
    outputs.compactMap { if case .status(let isActive, _) = $0 { isActive } else { nil } }
  }
  var notices: [String] {
    outputs.compactMap { if case .notice(let text) = $0 { text } else { nil } }
  }
}

/// An output that fails when a test says so.
@MainActor final class RecordingOutput: VideoOutput {
  private(set) var frames: [RTCVideoFrame] = []
  private(set) var finishes = 0
  var notice: String?
  var failure: ProgramFailure?
  /// The number of the frame at which it fails.
  var failsAt: Int?

  func show(_ frame: RTCVideoFrame) {
    frames.append(frame)
    if frames.count == failsAt { failure = ProgramFailure(.inputOutput, "No room.") }
  }

  func finish() throws(ProgramFailure) {
    finishes += 1
    if let failure { throw failure }
  }
}
