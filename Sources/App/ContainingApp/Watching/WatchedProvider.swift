import CommandLineSupport
import ScreenBroadcast

/// What a watch follows: a broadcast, or a capture within the app.
@MainActor
package protocol WatchedProvider: AnyObject {
  /// The state and its changes.
  var store: BroadcastStateStore { get }
  /// Called with all audio, in order, on the main queue.
  var audioHandler: (BroadcastAudio) -> Void { get set }
  /// The word for what is followed, as in "The broadcast is live."
  var subject: String { get }
  /// The messages to show at the start.
  var opening: [WatchMessage] { get }

  func start()
  /// Stops following. The state remains.
  func stop()
  /// Updates counts and what else comes without a callback.
  func refresh()
  /// Why no frame came, or why the capture ended; `nil` if nothing failed. The state has torn frames and crashes.
  func failure(wasInterrupted: Bool) -> ProgramFailure?
}

extension WatchedProvider {
  package var state: BroadcastState { store.state }
  package var delays: FrameDelays { store.delays }
}
