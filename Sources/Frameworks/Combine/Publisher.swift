import Foundation
import Synchronization

/// What sends values to subscribers, until it completes. Models the protocol of Combine, whose publishers and subscribers
/// negotiate demand; a publisher here sends every value.
public protocol Publisher<Output, Failure> {
  /// The type of the values.
  associatedtype Output
  /// The type of the error of a completion; `Never` without one.
  associatedtype Failure: Error

  /// Calls the closures for each value and for the completion, until the result is cancelled.
  func attach(
    completion: @escaping (Subscribers.Completion<Failure>) -> Void, value: @escaping (Output) -> Void
  ) -> AnyCancellable
}

/// The namespace of types of subscribers.
public enum Subscribers {
  /// The end of a publisher.
  public enum Completion<Failure: Error> {
    /// The publisher has no more values.
    case finished
    /// The publisher has failed.
    case failure(Failure)
  }
}

extension Subscribers.Completion: Sendable {}

extension Publisher {
  /// Calls the closures for each value and for the completion, until the result is cancelled or released.
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

  /// Returns a publisher of the results of `transform`.
  public func map<Result>(_ transform: @escaping (Output) -> Result) -> AnyPublisher<Result, Failure> {
    AnyPublisher { completion, value in
      attach(completion: completion) { value(transform($0)) }
    }
  }

  /// Returns a publisher of the results of `transform` that are not `nil`.
  public func compactMap<Result>(_ transform: @escaping (Output) -> Result?) -> AnyPublisher<Result, Failure>
  {
    AnyPublisher { completion, value in
      attach(completion: completion) { if let result = transform($0) { value(result) } }
    }
  }

  /// Returns a publisher of the values for which a condition is true.
  public func filter(_ isIncluded: @escaping (Output) -> Bool) -> AnyPublisher<Output, Failure> {
    compactMap { isIncluded($0) ? $0 : nil }
  }

  /// Returns a publisher without the first values.
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

  /// Returns a publisher that sends on a queue.
  public func receive(on queue: DispatchQueue) -> AnyPublisher<Output, Failure> {
    AnyPublisher { completion, value in
      attach(completion: { end in queue.async(execute: Unchecked { completion(end) }.value) }) { output in
        queue.async(execute: Unchecked { value(output) }.value)
      }
    }
  }

  /// Returns a publisher that sends on the main run loop.
  public func receive(on runLoop: RunLoop) -> AnyPublisher<Output, Failure> {
    receive(on: DispatchQueue.main)
  }

  /// Returns a publisher that hides the type of this one.
  public func eraseToAnyPublisher() -> AnyPublisher<Output, Failure> {
    AnyPublisher { attach(completion: $0, value: $1) }
  }
}

extension Publisher where Output: Equatable {
  /// Returns a publisher without values that equal the one before.
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
  /// Calls `receiveValue` for each value, until the result is cancelled or released.
  public func sink(receiveValue: @escaping (Output) -> Void) -> AnyCancellable {
    sink(receiveCompletion: { _ in }, receiveValue: receiveValue)
  }

  /// Assigns each value to a property.
  public func assign<Root: AnyObject>(
    to keyPath: ReferenceWritableKeyPath<Root, Output>, on object: Root
  ) -> AnyCancellable {
    sink { object[keyPath: keyPath] = $0 }
  }
}

/// A publisher of any type.
public struct AnyPublisher<Output, Failure: Error>: Publisher {
  fileprivate typealias Attach = (
    @escaping (Subscribers.Completion<Failure>) -> Void, @escaping (Output) -> Void
  ) -> AnyCancellable

  private let attach: Attach

  fileprivate init(_ attach: @escaping Attach) { self.attach = attach }

  /// Calls the closures for each value and for the completion, until the result is cancelled.
  public func attach(
    completion: @escaping (Subscribers.Completion<Failure>) -> Void, value: @escaping (Output) -> Void
  ) -> AnyCancellable { attach(completion, value) }
}

/// A publisher of one value.
public struct Just<Output>: Publisher {
  private let output: Output

  /// Creates a publisher of a value.
  public init(_ output: Output) { self.output = output }

  /// Sends the value and completes.
  public func attach(
    completion: @escaping (Subscribers.Completion<Never>) -> Void, value: @escaping (Output) -> Void
  ) -> AnyCancellable {
    value(output)
    completion(.finished)
    return AnyCancellable {}
  }
}

extension NotificationCenter {
  /// Returns a publisher of the posts of a name.
  public func publisher(for name: Notification.Name, object: AnyObject? = nil) -> AnyPublisher<
    Notification, Never
  > {
    AnyPublisher { _, value in
      let handler = Unchecked(value: value)
      let token = Unchecked(
        value: self.addObserver(forName: name, object: object, queue: nil) { handler.value($0) })
      return AnyCancellable { self.removeObserver(token.value) }
    }
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
