/// Records values from several threads, in order.
package final class Recorder<Value: Sendable>: Sendable {
  private let recorded = Mutex<[Value]>([])

  package init() {}

  package var values: [Value] { recorded.withLock { $0 } }

  package func add(_ value: Value) { recorded.withLock { $0.append(value) } }

  /// Removes the values recorded so far.
  package func removeAll() { recorded.withLock { $0.removeAll() } }
}
