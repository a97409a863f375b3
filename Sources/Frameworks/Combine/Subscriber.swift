import Foundation
import Synchronization

/// The identity of a subscriber or a subscription. Models the structure of Combine.
public struct CombineIdentifier: Hashable, Sendable, CustomStringConvertible {
  private static let last = Atomic<UInt64>(0)
  private let number: UInt64

  /// Creates a new identity.
  public init() { number = Self.last.wrappingAdd(1, ordering: .relaxed).newValue }
  /// Creates the identity of an object.
  public init(_ object: AnyObject) { number = UInt64(UInt(bitPattern: ObjectIdentifier(object))) }

  /// The identity as a text.
  public var description: String { "0x\(String(number, radix: 16))" }
}

/// What has an identity of Combine: each object.
public protocol CustomCombineIdentifierConvertible {
  /// The identity.
  var combineIdentifier: CombineIdentifier { get }
}

extension CustomCombineIdentifierConvertible where Self: AnyObject {
  /// The identity of the object.
  public var combineIdentifier: CombineIdentifier { CombineIdentifier(self) }
}

/// What receives the values of a publisher. Models the protocol of Combine.
public protocol Subscriber<Input, Failure>: CustomCombineIdentifierConvertible {
  /// The type of the values.
  associatedtype Input
  /// The type of the error of a completion; `Never` without one.
  associatedtype Failure: Error

  /// Takes the subscription, of which it demands values.
  func receive(subscription: any Subscription)
  /// Takes a value, and returns how many more it demands.
  func receive(_ input: Input) -> Subscribers.Demand
  /// Takes the end.
  func receive(completion: Subscribers.Completion<Failure>)
}

extension Subscriber where Input == Void {
  /// Takes a value.
  public func receive() -> Subscribers.Demand { receive(()) }
}

/// The connection of a subscriber and a publisher. Models the protocol of Combine.
public protocol Subscription: Cancellable, CustomCombineIdentifierConvertible {
  /// Demands values, in addition to those before.
  func request(_ demand: Subscribers.Demand)
}

/// Subscriptions of no publisher.
public enum Subscriptions {
  private final class Empty: Subscription, Sendable {
    func request(_ demand: Subscribers.Demand) {}
    func cancel() {}
  }
  /// One that sends nothing.
  public static let empty: any Subscription & Sendable = Empty()
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

  /// A number of values that a subscriber demands.
  public struct Demand: Hashable, Comparable, Sendable {
    /// The number; `nil` for all.
    public let max: Int?

    /// All values.
    public static let unlimited = Demand(max: nil)
    /// No value.
    public static let none = Demand(max: 0)
    /// A number of values. Traps below zero.
    public static func max(_ value: Int) -> Demand {
      precondition(value >= 0, "a demand is not negative")
      return Demand(max: value)
    }

    /// The sum.
    public static func + (lhs: Demand, rhs: Demand) -> Demand {
      guard let first = lhs.max, let second = rhs.max else { return .unlimited }
      return Demand(max: first.addingReportingOverflow(second).overflow ? nil : first + second)
    }
    /// Adds a demand.
    public static func += (lhs: inout Demand, rhs: Demand) { lhs = lhs + rhs }
    /// The difference, at least none.
    public static func - (lhs: Demand, rhs: Int) -> Demand {
      Demand(max: lhs.max.map { Swift.max(0, $0 - rhs) })
    }
    /// Takes values off a demand.
    public static func -= (lhs: inout Demand, rhs: Int) { lhs = lhs - rhs }
    /// Whether the first is less.
    public static func < (lhs: Demand, rhs: Demand) -> Bool {
      guard let first = lhs.max else { return false }
      return rhs.max.map { first < $0 } ?? true
    }
    /// Whether a demand is more than a number.
    public static func > (lhs: Demand, rhs: Int) -> Bool { lhs.max.map { $0 > rhs } ?? true }
    /// Whether a demand is a number.
    public static func == (lhs: Demand, rhs: Int) -> Bool { lhs.max == rhs }
  }

  /// What calls closures, and demands all values.
  public final class Sink<Input, Failure: Error>: Subscriber, Cancellable, @unchecked Sendable {
    // Unchecked `Sendable`: the lock protects the state; Combine leaves the closures to their owner.
    private let lock = NSLock()
    private var state: State?
    private var subscription: (any Subscription)?

    private struct State {
      let value: (Input) -> Void
      let completion: (Subscribers.Completion<Failure>) -> Void
    }

    /// Creates a subscriber.
    public init(
      receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void,
      receiveValue: @escaping (Input) -> Void
    ) {
      state = State(value: receiveValue, completion: receiveCompletion)
    }

    /// Takes the subscription, and demands all values; a second one is cancelled.
    public func receive(subscription: any Subscription) {
      let isFirst = lock.withLock {
        guard state != nil, self.subscription == nil else { return false }
        self.subscription = subscription
        return true
      }
      if isFirst { subscription.request(.unlimited) } else { subscription.cancel() }
    }

    /// Calls the closure of values.
    public func receive(_ value: Input) -> Subscribers.Demand {
      lock.withLock { state }?.value(value)
      return .none
    }

    /// Calls the closure of the end.
    public func receive(completion: Subscribers.Completion<Failure>) {
      let last = lock.withLock {
        subscription = nil
        return state.take()
      }
      last?.completion(completion)
    }

    /// Ends the subscription.
    public func cancel() {
      let (_, old) = lock.withLock { (state.take(), subscription.take()) }
      old?.cancel()
    }
  }
}

extension Subscribers.Completion: Sendable {}
extension Subscribers.Completion: Equatable where Failure: Equatable {}
