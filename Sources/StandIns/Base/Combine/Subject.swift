import Foundation
import Platform
import Synchronization

public protocol Subject<Output, Failure>: AnyObject, Publisher {
  func send(_ value: Output)
  func send(completion: Subscribers.Completion<Failure>)
}

extension Subject where Output == Void {
  public func send() { send(()) }
}

/// May be used on any thread.
public final class PassthroughSubject<Output, Failure: Error>: Subject, @unchecked Sendable {
  private let subscribers = SubscriberList<Output, Failure>()

  public init() {}

  public func send(_ value: Output) { subscribers.send(value) }
  public func send(completion: Subscribers.Completion<Failure>) { subscribers.send(completion: completion) }

  public func eraseToAnyPublisher() -> AnyPublisher<Output, Failure> {
    AnyPublisher { [subscribers] in subscribers.add($0, $1) }
  }
}

/// May be used on any thread.
public final class CurrentValueSubject<Output, Failure: Error>: Subject, @unchecked Sendable {
  private let current: Mutex<UncheckedBox<Output>>
  private let subscribers = SubscriberList<Output, Failure>()

  public init(_ value: Output) { current = Mutex(UncheckedBox(value)) }

  public var value: Output {
    get { current.withLock(\.self).value }
    set { send(newValue) }
  }

  public func send(_ value: Output) {
    subscribers.ifActive {
      keep(value)
      subscribers.send(value)
    }
  }

  /// Sends a value to the subscribers, and keeps it afterwards. ``Published`` has this order.
  func sendThenKeep(_ value: Output) {
    subscribers.ifActive {
      subscribers.send(value)
      keep(value)
    }
  }

  private func keep(_ value: Output) {
    let kept = UncheckedBox(value)
    current.withLock { $0 = kept }
  }

  public func send(completion: Subscribers.Completion<Failure>) { subscribers.send(completion: completion) }

  public func eraseToAnyPublisher() -> AnyPublisher<Output, Failure> {
    AnyPublisher { completion, value in self.subscribers.add(completion, value) { value(self.value) } }
  }
}

/// The subscribers of a subject.
///
/// Only one thread sends at a time. So each subscriber receives one value after the other, and the last value of the
/// subject last. A subscriber may call the subject again.
private final class SubscriberList<Output, Failure: Error>: @unchecked Sendable {
  // Unchecked `Sendable`: the state is used with the lock. As in Combine, the closures run on the sending thread.
  private struct Subscriber {
    let id: Int
    let completion: (Subscribers.Completion<Failure>) -> Void
    let value: (Output) -> Void
  }

  private let sending = NSRecursiveLock()
  // Only with `sending` locked.
  private var end: Subscribers.Completion<Failure>?
  // Has its own lock because a subscription may end while another thread sends.
  private let subscribers = Mutex(UncheckedBox<[Subscriber]>([]))
  private var lastID = 0

  /// Runs `body` while no other thread sends, unless the subject has completed.
  func ifActive(_ body: () -> Void) { sending.withLock { if end == nil { body() } } }

  /// Adds a subscriber. `first` runs before later values arrive, unless the subject has completed.
  func add(
    _ completion: @escaping (Subscribers.Completion<Failure>) -> Void, _ value: @escaping (Output) -> Void,
    first: () -> Void = {}
  ) -> AnyCancellable {
    sending.withLock {
      if let end {
        completion(end)
        return AnyCancellable {}
      }
      lastID += 1
      let id = lastID
      let subscriber = UncheckedBox(Subscriber(id: id, completion: completion, value: value))
      subscribers.withLock { $0.value.append(subscriber.value) }
      first()
      return AnyCancellable { self.subscribers.withLock { $0.value.removeAll { $0.id == id } } }
    }
  }

  /// Sends a value to the current subscribers, except those that end before their turn.
  func send(_ value: Output) {
    ifActive {
      for subscriber in subscribers.withLock(\.self).value {
        guard subscribers.withLock({ $0.value.contains { $0.id == subscriber.id } }) else { continue }
        subscriber.value(value)
      }
    }
  }

  func send(completion: Subscribers.Completion<Failure>) {
    ifActive {
      end = completion
      let last = subscribers.withLock { subscribers in
        defer { subscribers.value = [] }
        return UncheckedBox(subscribers.value)
      }
      for subscriber in last.value { subscriber.completion(completion) }
    }
  }
}
