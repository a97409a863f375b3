import CommandLineSupport
import ContainingApp
import Foundation
import Platform
import ScreenBroadcast
import WebRTC

/// The article's app in this process, on a virtual clock. Follows a broadcast, or captures the screen itself.
@MainActor
package final class VirtualApp {
  private let provider: any WatchedProvider
  private let coordinator: WatchCoordinator
  private let renderer = LastFrame()

  /// Starts the app. Call it in the scope of the clock's device.
  /// - Parameter note: receives the app's JSON lines, each with the name of its event.
  package init(
    clock: VirtualClock, note: @escaping @Sendable (_ event: String, Data) -> Void,
    following makeProvider: (VideoCall) -> any WatchedProvider
  ) {
    let call = VideoCall(outputSize: .native, fit: .crop)
    provider = makeProvider(call)
    let view = JSONWatchView(lines: JSONLines(note), console: Console(messages: nil, errors: nil))
    coordinator = WatchCoordinator(
      provider, in: call, view: view, outputs: [renderer], showsLive: false, clock: clock)
    coordinator.start { _ in }
  }

  /// Whether the app has not noticed the end of the broadcast yet.
  package var isFollowing: Bool { provider.state.isActive }

  /// The statistics so far.
  package var summary: AppSummary {
    provider.refresh()
    return AppSummary(provider.state, provider.delays)
  }

  /// The last frame that entered the call; `nil` before the first frame.
  package var lastFrame: RTCVideoFrame? { renderer.frame }
}

/// Keeps the last frame that entered the call.
@MainActor
private final class LastFrame: NSObject, VideoOutput {
  private(set) var frame: RTCVideoFrame?

  nonisolated func renderFrame(_ frame: RTCVideoFrame?) {
    MainActor.assumeIsolated { self.frame = frame ?? self.frame }
  }

  func finish() throws(ProgramFailure) {}
}
