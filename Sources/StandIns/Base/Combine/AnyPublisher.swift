import Foundation

/// Each operator returns this type here. Combine has a type for each operator.
public struct AnyPublisher<Output, Failure: Error>: Publisher {
  typealias Attach = (
    @escaping (Subscribers.Completion<Failure>) -> Void, @escaping (Output) -> Void
  ) -> AnyCancellable

  private let attach: Attach

  init(_ attach: @escaping Attach) { self.attach = attach }

  public init<P: Publisher>(_ publisher: P) where P.Output == Output, P.Failure == Failure {
    self = publisher.eraseToAnyPublisher()
  }

  public func eraseToAnyPublisher() -> AnyPublisher<Output, Failure> { self }

  /// Calls the closures until the publisher completes or the result is cancelled.
  func open(
    _ completion: @escaping (Subscribers.Completion<Failure>) -> Void, _ value: @escaping (Output) -> Void
  ) -> AnyCancellable {
    let receiver = Receiver(completion, value)
    receiver.keep(attach({ receiver.complete($0) }, { receiver.receive($0) }))
    return AnyCancellable { receiver.close() }
  }
}

/// The closures of a subscription, and the subscription itself, until it completes or is cancelled. No call follows,
/// not even with a value that waits on a queue.
///
/// Unchecked `Sendable`: the lock protects the state, and is not held while a closure runs. Combine leaves the closures
/// to their owner.
private final class Receiver<Output, Failure: Error>: @unchecked Sendable {
  private let lock = NSLock()
  private var completion: ((Subscribers.Completion<Failure>) -> Void)?
  private var value: ((Output) -> Void)?
  private var upstream: AnyCancellable?

  init(
    _ completion: @escaping (Subscribers.Completion<Failure>) -> Void, _ value: @escaping (Output) -> Void
  ) {
    self.completion = completion
    self.value = value
  }

  /// Keeps the subscription, or cancels it if the publisher has already completed.
  func keep(_ upstream: AnyCancellable) {
    let isOpen = lock.withLock {
      if value != nil { self.upstream = upstream }
      return value != nil
    }
    if !isOpen { upstream.cancel() }
  }

  func receive(_ output: Output) { lock.withLock { value }?(output) }
  func complete(_ result: Subscribers.Completion<Failure>) { close()?(result) }

  /// Releases the closures and the subscription. Returns the closure for the completion; `nil` after the first call.
  @discardableResult
  func close() -> ((Subscribers.Completion<Failure>) -> Void)? {
    typealias State = (((Subscribers.Completion<Failure>) -> Void)?, ((Output) -> Void)?, AnyCancellable?)
    let old: State = lock.withLock {
      defer { (completion, value, upstream) = (nil, nil, nil) }
      return (completion, value, upstream)
    }
    old.2?.cancel()
    return old.0
  }
}
