import CommandLineSupport
import WebRTC

@testable import ContainingApp

@MainActor final class RecordingView: WatchView {
  private(set) var messages: [WatchMessage] = []

  func show(_ message: WatchMessage) { messages.append(message) }

  var summaries: [AppSummary] {
    messages.compactMap { if case .summary(let summary) = $0 { summary } else { nil } }
  }
  var statuses: [Bool] {
    messages.compactMap { if case .status(let isActive, _) = $0 { isActive } else { nil } }
  }
  var notices: [String] { messages.compactMap { if case .notice(let text) = $0 { text } else { nil } } }
}

/// An output that records its frames, and fails at frame number `failsAt`.
final class RecordingOutput: NSObject, VideoOutput {
  private(set) var frames: [RTCVideoFrame] = []
  private(set) var finishes = 0
  var notice: String?
  private(set) var failure: ProgramFailure?
  var failsAt: Int?

  nonisolated func renderFrame(_ frame: RTCVideoFrame?) {
    MainActor.assumeIsolated {
      frames += [frame].compactMap { $0 }
      if frames.count == failsAt { failure = ProgramFailure(.inputOutput, "No room.") }
    }
  }

  func finish() throws(ProgramFailure) {
    finishes += 1
    if let failure { throw failure }
  }
}
