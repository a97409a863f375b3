/// Wraps a closure for storage in a `Mutex` or another generic container that is mutated in place.
///
/// ```swift
/// let action = Mutex<Callback<@Sendable () -> Void>?>(nil)
/// action.withLock { $0 }?.call()
/// ```
/// Swift re-abstracts a bare closure on every access, adding a thunk each time. Calls get slower, memory grows, and finally the
/// stack overflows.
package struct Callback<Function: Sendable>: Sendable {
  package let call: Function

  package init(_ call: Function) { self.call = call }
}
