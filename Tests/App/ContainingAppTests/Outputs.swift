import CommandLineSupport
import WebRTC

@testable import ContainingApp

/// A view that records its messages.
@MainActor final class RecordingView: WatchView {
  private(set) var messages: [WatchMessage] = []

  func show(_ message: WatchMessage) { messages.append(message) }

  var summaries: [WatchSummary] {
    messages.compactMap { if case .summary(let summary) = $0 { summary } else { nil } }
  }
  var statuses: [Bool] {
    messages.compactMap { if case .status(let isActive, _) = $0 { isActive } else { nil } }
  }
  var notices: [String] {
    messages.compactMap { if case .notice(let text) = $0 { text } else { nil } }
  }
}

/// An output that records its frames, and fails at a frame of the test's choice.
final class RecordingOutput: VideoOutput {
  private(set) var frames: [RTCVideoFrame] = []
  private(set) var finishes = 0
  private var text: String?
  private var error: ProgramFailure?
  override var notice: String? {
    get { text }
    set { text = newValue }
  }
  override var failure: ProgramFailure? { error }
  /// The number of the frame at which it fails.
  var failsAt: Int?

  override func show(_ frame: RTCVideoFrame) {
    frames.append(frame)
    if frames.count == failsAt { error = ProgramFailure(.inputOutput, "No room.") }
  }

  override func finish() throws(ProgramFailure) {
    finishes += 1
    if let failure { throw failure }
  }
}
