import Foundation

/// The subscription of a publisher that calls closures: it starts with the first demand, and drops values without one.
///
/// Unchecked `Sendable`: the lock protects the state, and is not held while the subscriber is called.
final class AttachedSubscription<S: Subscriber>: Subscription, @unchecked Sendable {
  private let lock = NSRecursiveLock()
  private var subscriber: S?
  private var attach: AnyPublisher<S.Input, S.Failure>.Attach?
  private var upstream: AnyCancellable?
  private var demand = Subscribers.Demand.none

  init(_ attach: @escaping AnyPublisher<S.Input, S.Failure>.Attach, _ subscriber: S) {
    (self.attach, self.subscriber) = (attach, subscriber)
  }

  func request(_ demand: Subscribers.Demand) {
    let attach = lock.withLock { () -> AnyPublisher<S.Input, S.Failure>.Attach? in
      self.demand += demand
      return self.demand > 0 && subscriber != nil ? self.attach.take() : nil
    }
    guard let attach else { return }
    let upstream = attach({ [self] in complete($0) }, { [self] in send($0) })
    let isOpen = lock.withLock {
      if subscriber != nil { self.upstream = upstream }
      return subscriber != nil
    }
    if !isOpen { upstream.cancel() }
  }

  private func send(_ value: S.Input) {
    let receiver = lock.withLock { () -> S? in
      guard demand > 0 else { return nil }
      demand -= 1
      return subscriber
    }
    guard let receiver else { return }
    let more = receiver.receive(value)
    lock.withLock { demand += more }
  }

  private func complete(_ completion: Subscribers.Completion<S.Failure>) {
    let (receiver, _) = lock.withLock { (subscriber.take(), upstream.take()) }
    receiver?.receive(completion: completion)
  }

  func cancel() {
    let (_, _, old) = lock.withLock { (subscriber.take(), attach.take(), upstream.take()) }
    old?.cancel()
  }
}
