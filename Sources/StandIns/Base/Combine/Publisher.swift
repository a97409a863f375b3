import Foundation
import Platform
import Synchronization

public protocol Publisher<Output, Failure> {
  associatedtype Output
  associatedtype Failure: Error

  func eraseToAnyPublisher() -> AnyPublisher<Output, Failure>
}

public enum Subscribers {
  public enum Completion<Failure: Error> {
    case finished, failure(Failure)
  }
}

extension Subscribers.Completion: Sendable {}
extension Subscribers.Completion: Equatable where Failure: Equatable {}

extension Publisher {
  /// Calls the closures for each value and for the completion, until the result is cancelled.
  func attach(
    completion: @escaping (Subscribers.Completion<Failure>) -> Void, value: @escaping (Output) -> Void
  ) -> AnyCancellable {
    eraseToAnyPublisher().open(completion, value)
  }
}

extension Publisher {
  public func sink(
    receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void,
    receiveValue: @escaping (Output) -> Void
  ) -> AnyCancellable {
    attach(completion: receiveCompletion, value: receiveValue)
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

  public func first() -> AnyPublisher<Output, Failure> {
    AnyPublisher { completion, value in
      let isWaiting = Mutex(true)
      return attach(completion: completion) { output in
        let isFirst = isWaiting.withLock { isWaiting in
          defer { isWaiting = false }
          return isWaiting
        }
        guard isFirst else { return }
        value(output)
        completion(.finished)
      }
    }
  }

  public func receive(on queue: DispatchQueue) -> AnyPublisher<Output, Failure> {
    AnyPublisher { completion, value in
      attach(completion: { end in queue.async(execute: UncheckedBox { completion(end) }.value) }) { output in
        queue.async(execute: UncheckedBox { value(output) }.value)
      }
    }
  }

  /// Sends on the main queue, whatever run loop is passed.
  public func receive(on runLoop: RunLoop) -> AnyPublisher<Output, Failure> {
    receive(on: DispatchQueue.main)
  }
}

extension Publisher where Output: Equatable {
  public func removeDuplicates() -> AnyPublisher<Output, Failure> {
    AnyPublisher { completion, value in
      let last = Mutex(UncheckedBox<Output?>(nil))
      return attach(completion: completion) { output in
        let new = UncheckedBox(output)
        let isDuplicate = last.withLock { last in
          defer { last = UncheckedBox(new.value) }
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
