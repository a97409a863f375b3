import Foundation
import Synchronization

public protocol Publisher<Output, Failure> {
  associatedtype Output
  associatedtype Failure: Error

  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure
}

extension Publisher {
  public func subscribe<S: Subscriber>(_ subscriber: S) where S.Input == Output, S.Failure == Failure {
    receive(subscriber: subscriber)
  }

  public func subscribe<S: Subject>(_ subject: S) -> AnyCancellable
  where S.Output == Output, S.Failure == Failure {
    attach(completion: { subject.send(completion: $0) }, value: { subject.send($0) })
  }

  /// Calls the closures for each value and for the completion, until the result is cancelled.
  func attach(
    completion: @escaping (Subscribers.Completion<Failure>) -> Void, value: @escaping (Output) -> Void
  ) -> AnyCancellable {
    let sink = Subscribers.Sink<Output, Failure>(receiveCompletion: completion, receiveValue: value)
    receive(subscriber: sink)
    return AnyCancellable { sink.cancel() }
  }
}

extension Publisher {
  public func sink(
    receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void,
    receiveValue: @escaping (Output) -> Void
  ) -> AnyCancellable {
    // No call follows a cancellation or a completion, not even of a value that waits on a queue.
    let isActive = Flag()
    let subscription = attach(
      completion: { if isActive.clear() { receiveCompletion($0) } },
      value: { if isActive.isSet { receiveValue($0) } })
    return AnyCancellable {
      _ = isActive.clear()
      subscription.cancel()
    }
  }

  public func map<Result>(_ transform: @escaping (Output) -> Result) -> AnyPublisher<Result, Failure> {
    AnyPublisher { completion, value in
      attach(completion: completion) { value(transform($0)) }
    }
  }

  public func compactMap<Result>(_ transform: @escaping (Output) -> Result?) -> AnyPublisher<Result, Failure>
  {
    AnyPublisher { completion, value in
      attach(completion: completion) { if let result = transform($0) { value(result) } }
    }
  }

  public func filter(_ isIncluded: @escaping (Output) -> Bool) -> AnyPublisher<Output, Failure> {
    compactMap { isIncluded($0) ? $0 : nil }
  }

  public func dropFirst(_ count: Int = 1) -> AnyPublisher<Output, Failure> {
    AnyPublisher { completion, value in
      let rest = Mutex(count)
      return attach(completion: completion) { output in
        let isDropped = rest.withLock { rest in
          rest -= 1
          return rest >= 0
        }
        if !isDropped { value(output) }
      }
    }
  }

  public func receive(on queue: DispatchQueue) -> AnyPublisher<Output, Failure> {
    AnyPublisher { completion, value in
      attach(completion: { end in queue.async(execute: Unchecked { completion(end) }.value) }) { output in
        queue.async(execute: Unchecked { value(output) }.value)
      }
    }
  }

  /// Sends on the main queue, whatever the run loop is.
  public func receive(on runLoop: RunLoop) -> AnyPublisher<Output, Failure> {
    receive(on: DispatchQueue.main)
  }

  public func eraseToAnyPublisher() -> AnyPublisher<Output, Failure> {
    AnyPublisher { attach(completion: $0, value: $1) }
  }
}

extension Publisher where Output: Equatable {
  public func removeDuplicates() -> AnyPublisher<Output, Failure> {
    AnyPublisher { completion, value in
      let last = Mutex(Unchecked<Output?>(value: nil))
      return attach(completion: completion) { output in
        let new = Unchecked(value: output)
        let isDuplicate = last.withLock { last in
          defer { last = Unchecked(value: new.value) }
          return last.value == new.value
        }
        if !isDuplicate { value(output) }
      }
    }
  }
}

extension Publisher where Failure == Never {
  public func sink(receiveValue: @escaping (Output) -> Void) -> AnyCancellable {
    sink(receiveCompletion: { _ in }, receiveValue: receiveValue)
  }

  public func assign<Root: AnyObject>(
    to keyPath: ReferenceWritableKeyPath<Root, Output>, on object: Root
  ) -> AnyCancellable {
    sink { object[keyPath: keyPath] = $0 }
  }

  public func assign(to published: inout Published<Output>.Publisher) { published.assign(self) }
}

/// Every operator returns it here, where Combine has a type for each.
public struct AnyPublisher<Output, Failure: Error>: Publisher {
  typealias Attach = (
    @escaping (Subscribers.Completion<Failure>) -> Void, @escaping (Output) -> Void
  ) -> AnyCancellable

  private let attach: Attach

  init(_ attach: @escaping Attach) { self.attach = attach }

  public init<P: Publisher>(_ publisher: P) where P.Output == Output, P.Failure == Failure {
    attach = { publisher.attach(completion: $0, value: $1) }
  }

  public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    subscriber.receive(subscription: AttachedSubscription(attach, subscriber))
  }
}

/// A flag that is set until one of several threads clears it.
private final class Flag: Sendable {
  private let value = Atomic(true)
  var isSet: Bool { value.load(ordering: .acquiring) }
  /// Clears the flag; `true` when it was set.
  func clear() -> Bool { value.exchange(false, ordering: .acquiringAndReleasing) }
}

/// A value or a closure that leaves its thread, as Combine's do without a mark.
struct Unchecked<Value>: @unchecked Sendable {
  var value: Value
}

extension Unchecked where Value == @Sendable () -> Void {
  init(_ call: @escaping () -> Void) {
    nonisolated(unsafe) let call = call
    value = { unsafe call() }
  }
}
