import CommandLineSupport
import Dispatch
import ScreenBroadcast

/// What a watch follows: a broadcast, or a capture within the app.
@MainActor
package protocol WatchedProvider: AnyObject {
  /// The state and its changes.
  var store: BroadcastStateStore { get }
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

/// The main queue, for callbacks of any thread.
package enum MainQueue {
  private static let key: DispatchSpecificKey<Bool> = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
  }()

  /// Runs `body` on the main actor and returns when it is done: at once on the main queue, else after a wait for it.
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
    // Dispatch cannot hold a longer time than 2^63 nanoseconds.
    let nanoseconds = Int(min(time / .nanoseconds(1), 1e18))
    DispatchQueue.main.asyncAfter(deadline: .now() + .nanoseconds(nanoseconds)) {
      MainActor.assumeIsolated { body() }
    }
  }
}
