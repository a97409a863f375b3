import Synchronization

/// An action that runs the first time it is asked to, and never again.
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
