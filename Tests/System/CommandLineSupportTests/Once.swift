import Synchronization

/// Runs an action at most once.
final class Once: Sendable {
  private let action: Mutex<(@Sendable () -> Void)?>

  init(_ action: @escaping @Sendable () -> Void) { self.action = Mutex(action) }

  func run() {
    let action = action.withLock { action in
      defer { action = nil }
      return action
    }
    action?()
  }
}
