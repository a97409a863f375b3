import Foundation
import Synchronization

// Publishers of values that are given, or come from a closure, a timer or notifications.

/// A publisher of one value.
public struct Just<Output>: Publisher {
  /// The type of the error: none.
  public typealias Failure = Never
  private let output: Output

  /// Creates a publisher of a value.
  public init(_ output: Output) { self.output = output }

  /// Sends the value and completes.
  public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Never {
    AnyPublisher<Output, Never> { completion, value in
      value(output)
      completion(.finished)
      return AnyCancellable {}
    }.receive(subscriber: subscriber)
  }
}

/// A publisher without values.
public struct Empty<Output, Failure: Error>: Publisher {
  private let completes: Bool

  /// Creates a publisher that completes at once, or never.
  public init(completeImmediately: Bool = true) { completes = completeImmediately }

  /// Completes.
  public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    subscriber.receive(subscription: Subscriptions.empty)
    if completes { subscriber.receive(completion: .finished) }
  }
}

/// A publisher that fails.
public struct Fail<Output, Failure: Error>: Publisher {
  private let error: Failure

  /// Creates a publisher of an error.
  public init(error: Failure) { self.error = error }

  /// Fails.
  public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    subscriber.receive(subscription: Subscriptions.empty)
    subscriber.receive(completion: .failure(error))
  }
}

/// A publisher of one result, which comes later. The closure runs at once, and once.
public final class Future<Output, Failure: Error>: Publisher, @unchecked Sendable {
  // Unchecked `Sendable`: the subject has a lock.

  /// What takes the result.
  public typealias Promise = (Result<Output, Failure>) -> Void
  private let subject = CurrentValueSubject<Output?, Failure>(nil)
  private let isFulfilled = Mutex(false)

  /// Creates a publisher of the first result that the closure gives.
  public init(_ attemptToFulfill: @escaping (@escaping Promise) -> Void) {
    attemptToFulfill { [self] result in
      let isFirst = isFulfilled.withLock { isFulfilled in
        defer { isFulfilled = true }
        return !isFulfilled
      }
      guard isFirst else { return }
      switch result {
      case .success(let output): subject.send(output)
      case .failure(let error): subject.send(completion: .failure(error))
      }
    }
  }

  /// Sends the result.
  public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    subject.compactMap(\.self).first().receive(subscriber: subscriber)
  }
}

/// A publisher that is made for each subscriber.
public struct Deferred<Inner: Publisher>: Publisher {
  /// The type of the values.
  public typealias Output = Inner.Output
  /// The type of the error.
  public typealias Failure = Inner.Failure
  private let make: () -> Inner

  /// Creates a publisher.
  public init(createPublisher: @escaping () -> Inner) { make = createPublisher }

  /// Makes a publisher, and passes the subscriber on.
  public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    make().receive(subscriber: subscriber)
  }
}

extension Sequence {
  /// A publisher of the elements.
  public var publisher: AnyPublisher<Element, Never> {
    AnyPublisher { completion, value in
      for element in self { value(element) }
      completion(.finished)
      return AnyCancellable {}
    }
  }
}

/// A publisher that starts when it is connected. Models the protocol of Combine.
public protocol ConnectablePublisher: Publisher {
  /// Starts.
  func connect() -> any Cancellable
}

extension Timer {
  /// Returns a publisher of the time at an interval. It runs on the main queue, whatever the run loop is.
  public static func publish(
    every interval: TimeInterval, tolerance: TimeInterval? = nil, on runLoop: RunLoop, in mode: RunLoop.Mode
  ) -> TimerPublisher { TimerPublisher(interval) }

  /// A publisher of the time at an interval.
  public final class TimerPublisher: ConnectablePublisher, @unchecked Sendable {
    // Unchecked `Sendable`: the subject has a lock.

    /// The type of the values.
    public typealias Output = Date
    /// The type of the error: none.
    public typealias Failure = Never
    private let interval: TimeInterval
    private let subject = PassthroughSubject<Date, Never>()

    fileprivate init(_ interval: TimeInterval) { self.interval = interval }

    /// Sends the time, while it is connected.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Date, S.Failure == Never {
      subject.receive(subscriber: subscriber)
    }

    /// Starts.
    public func connect() -> any Cancellable {
      let timer = DispatchSource.makeTimerSource(queue: .main)
      timer.setEventHandler { [subject] in subject.send(Date()) }
      timer.schedule(deadline: .now() + interval, repeating: interval)
      timer.activate()
      return AnyCancellable { timer.cancel() }
    }

    /// Returns a publisher that starts with each subscriber.
    public func autoconnect() -> AnyPublisher<Date, Never> {
      AnyPublisher { [self] completion, value in
        let own = TimerPublisher(interval)
        let subscription = own.attach(completion: completion, value: value)
        let connection = own.connect()
        return AnyCancellable {
          connection.cancel()
          subscription.cancel()
        }
      }
    }
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
