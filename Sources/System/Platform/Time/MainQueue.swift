import Dispatch

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
    DispatchQueue.main.asyncAfter(deadline: .now() + time / .seconds(1)) {
      MainActor.assumeIsolated { body() }
    }
  }
}
