import Synchronization

/// A publisher whose values come from calls. Models the protocol of Combine.
public protocol Subject<Output, Failure>: AnyObject, Publisher {
  /// Sends a value.
  func send(_ value: Output)
  /// Completes: later values are dropped.
  func send(completion: Subscribers.Completion<Failure>)
}

extension Subject where Output == Void {
  /// Sends a value.
  public func send() { send(()) }
}

/// A subject that keeps no value. Models the class of Combine. Usable from any thread.
public final class PassthroughSubject<Output, Failure: Error>: Subject, @unchecked Sendable {
  private let subscribers = SubscriberList<Output, Failure>()

  /// Creates a subject.
  public init() {}

  /// Sends a value to the subscribers.
  public func send(_ value: Output) { subscribers.send(value) }
  /// Completes: later values are dropped.
  public func send(completion: Subscribers.Completion<Failure>) { subscribers.send(completion: completion) }

  /// Calls the closures for later values and for the completion.
  public func attach(
    completion: @escaping (Subscribers.Completion<Failure>) -> Void, value: @escaping (Output) -> Void
  ) -> AnyCancellable { subscribers.add(completion, value) }
}

/// A subject that keeps its last value. Models the class of Combine. Usable from any thread.
public final class CurrentValueSubject<Output, Failure: Error>: Subject, @unchecked Sendable {
  private struct Box: @unchecked Sendable { var value: Output }
  private let current: Mutex<Box>
  private let subscribers = SubscriberList<Output, Failure>()

  /// Creates a subject with a value.
  public init(_ value: Output) { current = Mutex(Box(value: value)) }

  /// The last value. A new one is sent to the subscribers.
  public var value: Output {
    get { current.withLock(\.self).value }
    set { send(newValue) }
  }

  /// Keeps a value and sends it to the subscribers.
  public func send(_ value: Output) {
    let box = Box(value: value)
    current.withLock { $0 = box }
    subscribers.send(value)
  }

  /// Completes: later values are dropped.
  public func send(completion: Subscribers.Completion<Failure>) { subscribers.send(completion: completion) }

  /// Calls `value` with the last value and with later ones.
  public func attach(
    completion: @escaping (Subscribers.Completion<Failure>) -> Void, value: @escaping (Output) -> Void
  ) -> AnyCancellable {
    value(self.value)
    return subscribers.add(completion, value)
  }
}

/// The subscribers of a subject.
private final class SubscriberList<Output, Failure: Error>: @unchecked Sendable {
  // Unchecked `Sendable`: the closures run on the thread that sends, as with Combine.
  private struct Subscriber {
    let id: Int
    let completion: (Subscribers.Completion<Failure>) -> Void
    let value: (Output) -> Void
  }
  private struct State: @unchecked Sendable {
    var subscribers: [Subscriber] = []
    var nextID = 0
    var end: Subscribers.Completion<Failure>?
  }
  private struct Closures: @unchecked Sendable {
    let completion: (Subscribers.Completion<Failure>) -> Void
    let value: (Output) -> Void
  }

  private let state = Mutex(State())

  func add(
    _ completion: @escaping (Subscribers.Completion<Failure>) -> Void, _ value: @escaping (Output) -> Void
  ) -> AnyCancellable {
    let closures = Closures(completion: completion, value: value)
    let (id, end) = state.withLock { state in
      state.nextID += 1
      if state.end == nil {
        state.subscribers.append(
          Subscriber(id: state.nextID, completion: closures.completion, value: closures.value))
      }
      return (state.nextID, state.end)
    }
    if let end { completion(end) }
    return AnyCancellable { self.state.withLock { $0.subscribers.removeAll { $0.id == id } } }
  }

  func send(_ value: Output) {
    for subscriber in state.withLock(\.self).subscribers { subscriber.value(value) }
  }

  func send(completion: Subscribers.Completion<Failure>) {
    let old = state.withLock { state in
      let old = state
      if state.end == nil { state.end = completion }
      state.subscribers = []
      return old
    }
    guard old.end == nil else { return }
    for subscriber in old.subscribers { subscriber.completion(completion) }
  }
}
