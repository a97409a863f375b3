import CommandLineSupport
import ScreenBroadcast

/// A source that a watch follows: a broadcast, or a capture within the app.
@MainActor
package protocol WatchedProvider: AnyObject {
  var store: BroadcastStateStore { get }
  /// The noun for this source in messages, as in "The broadcast is live."
  var subject: String { get }
  /// The messages to show at the start.
  var opening: [WatchMessage] { get }

  func start()
  /// Stops following. The state is kept.
  func stop()
  /// Updates counts and other values that change without a callback.
  func refresh()
  /// Returns the reason why no frame came or why the capture ended; `nil` if nothing failed. Torn frames and crashes are in
  /// the state instead.
  func failure(wasInterrupted: Bool) -> ProgramFailure?
}

extension WatchedProvider {
  package var state: BroadcastState { store.state }
  package var delays: FrameDelays { store.delays }
}
