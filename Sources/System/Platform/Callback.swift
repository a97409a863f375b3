/// A function as the value of a `Mutex`, or of another generic type that is changed in place.
///
/// ```swift
/// let action = Mutex<Callback<@Sendable () -> Void>?>(nil)
/// action.withLock { $0 }?.call()
/// ```
/// A function alone would be converted to the form of a generic value and back at each access, and each conversion wraps it once
/// more: it takes longer with each call, keeps more memory, and overflows the stack in the end.
package struct Callback<Function: Sendable>: Sendable {
  package let call: Function

  package init(_ call: Function) { self.call = call }
}
