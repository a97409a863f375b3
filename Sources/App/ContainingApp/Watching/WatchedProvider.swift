import CommandLineSupport
import Dispatch
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

/// Runs callbacks from any thread on the main queue.
package enum MainQueue {
  private static let key: DispatchSpecificKey<Bool> = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
  }()

  /// Runs `body` on the main actor, and returns after it. It runs at once on the main queue; other callers wait for the
  /// main queue.
  package static func run(_ body: @MainActor () -> Void) {
    // The queue decides, not the thread: under `dispatchMain` the main queue runs on any thread.
    if DispatchQueue.getSpecific(key: key) == true {
      MainActor.assumeIsolated { body() }
    } else {
      DispatchQueue.main.sync { body() }
    }
  }

  /// Runs `body` on the main actor after `time`.
  @MainActor
  package static func run(after time: Duration, _ body: @escaping @MainActor () -> Void) {
    // Dispatch cannot represent more than 2^63 nanoseconds.
    let nanoseconds = Int(min(time / .nanoseconds(1), 1e18))
    DispatchQueue.main.asyncAfter(deadline: .now() + .nanoseconds(nanoseconds)) {
      MainActor.assumeIsolated { body() }
    }
  }
}
