/// Passes a value that is not `Sendable` to another thread. The code that makes the box ensures that only one thread at a time
/// uses the value.
///
/// ```swift
/// let handler = UncheckedBox(handler)
/// queue.async { handler.value?(nil) }
/// ```
// Unchecked: Foundation, Combine and ReplayKit pass values and closures between threads without requiring `Sendable`.
package struct UncheckedBox<Value>: @unchecked Sendable {
  package var value: Value

  package init(_ value: Value) { self.value = value }
}

extension UncheckedBox where Value == @Sendable () -> Void {
  package init(_ call: @escaping () -> Void) {
    // UNSAFE: the box passes the closure to the thread that calls it.
    nonisolated(unsafe) let call = call
    value = { unsafe call() }
  }
}
