import CommandLineSupport
import ContainingApp
import Foundation
import PictureFormats
import PixelAccess
import Platform
import ScreenBroadcast
import WebRTC

/// The article's app in this process, on a virtual clock.
@MainActor
final class VirtualApp {
  private let provider: BroadcastProvider
  private let coordinator: WatchCoordinator
  private let renderer = LastFrame()

  /// Starts the app. The caller is in the scope of the clock's device.
  init(_ container: AppGroupContainer, clock: VirtualClock, verifies: Bool, log: EventLog) {
    let call = VideoCall(outputSize: .native, fit: .crop)
    provider = BroadcastProvider(container: container, call: call, verifies: verifies, clock: clock)
    let view = JSONWatchView(
      lines: JSONLines { log.add(line: $0, from: .app) }, console: Console(messages: nil, errors: nil))
    coordinator = WatchCoordinator(
      provider, in: call, view: view, outputs: [renderer], showsLive: false, clock: clock)
    coordinator.start { _ in }
  }

  /// Whether the app has not noticed the end of the broadcast.
  var isFollowing: Bool { provider.state.isActive }

  func summary() throws -> AppSummary {
    provider.refresh()
    return try JSONDecoder().decode(
      AppSummary.self, from: JSONEncoder().encode(WatchSummary(provider.state, provider.delays)))
  }

  func lastFrame() throws -> Data? {
    guard let frame = renderer.frame, let pixels = frame.pixelBuffer else { return nil }
    return try PNGEncoder.encode(pixels, rotation: PictureRotation(frame.rotation))
  }
}

/// Keeps the frame that entered the call last.
@MainActor
private final class LastFrame: NSObject, VideoOutput {
  private(set) var frame: RTCVideoFrame?

  nonisolated func renderFrame(_ frame: RTCVideoFrame?) {
    MainActor.assumeIsolated { self.frame = frame ?? self.frame }
  }

  func finish() throws(ProgramFailure) {}
}
