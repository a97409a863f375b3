import Foundation

/// The subscription of a publisher that calls closures: it starts with the first demand, and drops values without one. Values that
/// come while it starts wait for the demand, as Combine's sequences do.
///
/// Unchecked `Sendable`: the lock protects the state, and is not held while the subscriber is called.
final class AttachedSubscription<S: Subscriber>: Subscription, @unchecked Sendable {
  private let lock = NSRecursiveLock()
  private var subscriber: S?
  private var attach: AnyPublisher<S.Input, S.Failure>.Attach?
  private var upstream: AnyCancellable?
  private var demand = Subscribers.Demand.none
  private var isStarting = false
  private var isSending = false
  private var waiting: ArraySlice<S.Input> = []
  /// The completion, which follows what waits.
  private var end: Subscribers.Completion<S.Failure>?

  init(_ attach: @escaping AnyPublisher<S.Input, S.Failure>.Attach, _ subscriber: S) {
    (self.attach, self.subscriber) = (attach, subscriber)
  }

  func request(_ demand: Subscribers.Demand) {
    let attach = lock.withLock { () -> AnyPublisher<S.Input, S.Failure>.Attach? in
      self.demand += demand
      guard self.demand > 0, subscriber != nil, let attach = self.attach.take() else { return nil }
      isStarting = true
      return attach
    }
    guard let attach else { return sendWaiting() }
    let upstream = attach({ [self] in complete($0) }, { [self] in send($0) })
    let isOpen = lock.withLock {
      isStarting = false
      if subscriber != nil { self.upstream = upstream }
      return subscriber != nil
    }
    if !isOpen { upstream.cancel() }
  }

  private func send(_ value: S.Input) {
    let receiver = lock.withLock { () -> S? in
      guard demand > 0, waiting.isEmpty else {
        if isStarting, subscriber != nil { waiting.append(value) }
        return nil
      }
      demand -= 1
      return subscriber
    }
    guard let receiver else { return }
    let more = receiver.receive(value)
    let isWaiting = lock.withLock {
      demand += more
      return !waiting.isEmpty
    }
    if isWaiting { sendWaiting() }
  }

  private func sendWaiting() {
    let isFirst = lock.withLock {
      defer { isSending = true }
      return !isSending
    }
    guard isFirst else { return }
    while true {
      let next = lock.withLock { () -> (S, S.Input)? in
        guard demand > 0, let subscriber, !waiting.isEmpty else {
          isSending = false
          return nil
        }
        demand -= 1
        return (subscriber, waiting.removeFirst())
      }
      guard let (receiver, value) = next else { break }
      let more = receiver.receive(value)
      lock.withLock { demand += more }
    }
    if let end = lock.withLock({ waiting.isEmpty ? end : nil }) { complete(end) }
  }

  private func complete(_ completion: Subscribers.Completion<S.Failure>) {
    let (receiver, _) = lock.withLock { () -> (S?, AnyCancellable?) in
      guard waiting.isEmpty else {
        end = completion
        return (nil, nil)
      }
      return (subscriber.take(), upstream.take())
    }
    receiver?.receive(completion: completion)
  }

  func cancel() {
    let (_, _, _, old) = lock.withLock {
      defer { waiting = [] }
      return (subscriber.take(), attach.take(), waiting, upstream.take())
    }
    old?.cancel()
  }
}
