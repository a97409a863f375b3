import Synchronization

/// What happened on several threads, in order.
final class Recorder<Value: Sendable>: Sendable {
  private let recorded = Mutex<[Value]>([])

  var values: [Value] { recorded.withLock { $0 } }

  func add(_ value: Value) { recorded.withLock { $0.append(value) } }
}
