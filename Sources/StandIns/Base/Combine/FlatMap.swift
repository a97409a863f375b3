import Synchronization

extension Publisher {
  public func flatMap<Inner: Publisher>(
    maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) -> Inner
  ) -> AnyPublisher<Inner.Output, Failure> where Inner.Failure == Failure {
    AnyPublisher { completion, value in
      let subscriber = FlatteningSubscriber(maxPublishers, transform, completion, value)
      receive(subscriber: subscriber)
      return AnyCancellable { subscriber.cancel() }
    }
  }
}

/// The subscriber of a publisher whose values become publishers.
///
/// Unchecked `Sendable`: the locks protect the state; Combine leaves the closures to their owner.
private final class FlatteningSubscriber<Input, Inner: Publisher>: Subscriber, @unchecked Sendable {
  typealias Failure = Inner.Failure

  private let maximum: Subscribers.Demand
  private let transform: (Input) -> Inner
  private let completion: (Subscribers.Completion<Failure>) -> Void
  private let value: (Inner.Output) -> Void
  private let outer = Mutex(Unchecked<(any Subscription)?>(value: nil))
  private let inner = OpenSubscriptions()
  private let outerID: Int

  init(
    _ maximum: Subscribers.Demand, _ transform: @escaping (Input) -> Inner,
    _ completion: @escaping (Subscribers.Completion<Failure>) -> Void,
    _ value: @escaping (Inner.Output) -> Void
  ) {
    (self.maximum, self.transform, self.completion, self.value) = (maximum, transform, completion, value)
    outerID = inner.begin()
  }

  func receive(subscription: any Subscription) {
    let new = Unchecked<(any Subscription)?>(value: subscription)
    outer.withLock { $0 = new }
    inner.keep(AnyCancellable { subscription.cancel() }, as: outerID)
    subscription.request(maximum)
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    let id = inner.begin()
    let subscription = transform(input).attach(completion: { self.end(id, $0) }, value: value)
    // A publisher that has finished already makes room for another one.
    return inner.keep(subscription, as: id) || maximum == .unlimited ? .none : .max(1)
  }

  func receive(completion: Subscribers.Completion<Failure>) { end(outerID, completion) }

  private func end(_ id: Int, _ result: Subscribers.Completion<Failure>) {
    let (wasKept, isLast) = inner.end(id)
    if case .failure = result { completion(result) } else if isLast { completion(.finished) }
    guard id != outerID, wasKept, maximum != .unlimited else { return }
    outer.withLock(\.self).value?.request(.max(1))
  }

  func cancel() { inner.cancel() }
}

/// The subscriptions that an operator has made, until they end.
final class OpenSubscriptions: Sendable {
  private struct State {
    var lastID = 0
    /// `nil` until the subscription is there.
    var byID: [Int: AnyCancellable?] = [:]
    var isCancelled = false
  }

  private let state = Mutex(State())

  /// Opens a subscription that follows.
  func begin() -> Int {
    state.withLock { state in
      state.lastID += 1
      state.byID.updateValue(nil, forKey: state.lastID)
      return state.lastID
    }
  }

  /// Keeps a subscription until its end; `false` when it has ended already. It is cancelled after ``cancel()``.
  @discardableResult
  func keep(_ subscription: AnyCancellable, as id: Int) -> Bool {
    let (isKept, isCancelled) = state.withLock { state in
      guard state.byID[id] != nil else { return (false, state.isCancelled) }
      state.byID[id] = .some(subscription)
      return (true, false)
    }
    if isCancelled { subscription.cancel() }
    return isKept
  }

  /// Removes a subscription. Returns whether it was kept, and whether it was the last one.
  @discardableResult
  func end(_ id: Int) -> (wasKept: Bool, isLast: Bool) {
    let (removed, isLast) = state.withLock { ($0.byID.removeValue(forKey: id), $0.byID.isEmpty) }
    return (removed.flatMap(\.self) != nil, removed != nil && isLast)
  }

  /// Cancels all.
  func cancel() {
    let all = state.withLock { state in
      state.isCancelled = true
      defer { state.byID = [:] }
      return state.byID
    }
    for one in all.values { one?.cancel() }
  }
}
