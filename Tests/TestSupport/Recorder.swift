import Synchronization

/// What happened on several threads, in order.
package final class Recorder<Value: Sendable>: Sendable {
  private let recorded = Mutex<[Value]>([])

  /// A recorder that has nothing yet.
  package init() {}

  package var values: [Value] { recorded.withLock { $0 } }

  package func add(_ value: Value) { recorded.withLock { $0.append(value) } }

  /// Releases what was added so far.
  package func removeAll() { recorded.withLock { $0.removeAll() } }
}
