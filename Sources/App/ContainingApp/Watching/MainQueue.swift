import Dispatch

/// The main queue, for callbacks that may come on it or on a thread of their own.
enum MainQueue {
  private static let key: DispatchSpecificKey<Bool> = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
  }()

  /// Runs `body` on the main actor and returns when it is done: at once on the main queue, else by waiting for it.
  static func run(_ body: @MainActor () -> Void) {
    // Not the main thread is asked for: a program that lives in `dispatchMain` has none under its main queue.
    if DispatchQueue.getSpecific(key: key) == true {
      MainActor.assumeIsolated { body() }
    } else {
      DispatchQueue.main.sync { body() }
    }
  }
}
