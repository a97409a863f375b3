import Foundation
import Platform
import Synchronization

// Publishers of fixed values, and of values from a closure, a timer or notifications.

public struct Just<Output>: Publisher {
  public typealias Failure = Never
  private let output: Output

  public init(_ output: Output) { self.output = output }

  public func eraseToAnyPublisher() -> AnyPublisher<Output, Never> {
    AnyPublisher { completion, value in
      value(output)
      completion(.finished)
      return AnyCancellable {}
    }
  }
}

public final class Future<Output, Failure: Error>: Publisher, @unchecked Sendable {
  // Unchecked `Sendable`: the subject has a lock.

  public typealias Promise = (Result<Output, Failure>) -> Void
  private let subject = CurrentValueSubject<Output?, Failure>(nil)
  private let isFulfilled = Mutex(false)

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

  public func eraseToAnyPublisher() -> AnyPublisher<Output, Failure> {
    subject.compactMap(\.self).first()
  }
}

public protocol ConnectablePublisher: Publisher {
  func connect() -> any Cancellable
}

extension Timer {
  /// Runs on the main queue, whatever run loop is passed.
  public static func publish(
    every interval: TimeInterval, tolerance: TimeInterval? = nil, on runLoop: RunLoop, in mode: RunLoop.Mode
  ) -> TimerPublisher { TimerPublisher(interval) }

  public final class TimerPublisher: ConnectablePublisher, @unchecked Sendable {
    // Unchecked `Sendable`: the subject has a lock.

    public typealias Output = Date
    public typealias Failure = Never
    private let interval: TimeInterval
    private let subject = PassthroughSubject<Date, Never>()

    fileprivate init(_ interval: TimeInterval) { self.interval = interval }

    public func eraseToAnyPublisher() -> AnyPublisher<Date, Never> { subject.eraseToAnyPublisher() }

    public func connect() -> any Cancellable {
      let timer = DispatchSource.makeTimerSource(queue: .main)
      timer.setEventHandler { [subject] in subject.send(Date()) }
      timer.schedule(deadline: .now() + interval, repeating: interval)
      timer.activate()
      return AnyCancellable { timer.cancel() }
    }

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
  public func publisher(for name: Notification.Name, object: AnyObject? = nil) -> AnyPublisher<
    Notification, Never
  > {
    AnyPublisher { _, value in
      let handler = UncheckedBox(value)
      let token = UncheckedBox(
        self.addObserver(forName: name, object: object, queue: nil) { handler.value($0) })
      return AnyCancellable { self.removeObserver(token.value) }
    }
  }
}
