import Foundation
import Synchronization

public struct CombineIdentifier: Hashable, Sendable, CustomStringConvertible {
  private static let last = Atomic<UInt64>(0)
  private let number: UInt64

  public init() { number = Self.last.wrappingAdd(1, ordering: .relaxed).newValue }
  public init(_ object: AnyObject) { number = UInt64(UInt(bitPattern: ObjectIdentifier(object))) }

  public var description: String { "0x\(String(number, radix: 16))" }
}

public protocol CustomCombineIdentifierConvertible {
  var combineIdentifier: CombineIdentifier { get }
}

extension CustomCombineIdentifierConvertible where Self: AnyObject {
  public var combineIdentifier: CombineIdentifier { CombineIdentifier(self) }
}

public protocol Subscriber<Input, Failure>: CustomCombineIdentifierConvertible {
  associatedtype Input
  associatedtype Failure: Error

  func receive(subscription: any Subscription)
  func receive(_ input: Input) -> Subscribers.Demand
  func receive(completion: Subscribers.Completion<Failure>)
}

extension Subscriber where Input == Void {
  public func receive() -> Subscribers.Demand { receive(()) }
}

public protocol Subscription: Cancellable, CustomCombineIdentifierConvertible {
  func request(_ demand: Subscribers.Demand)
}

public enum Subscriptions {
  private final class Empty: Subscription, Sendable {
    func request(_ demand: Subscribers.Demand) {}
    func cancel() {}
  }
  public static let empty: any Subscription & Sendable = Empty()
}

public enum Subscribers {
  public enum Completion<Failure: Error> {
    case finished, failure(Failure)
  }

  public struct Demand: Hashable, Comparable, Sendable {
    public let max: Int?
    public static let unlimited = Demand(max: nil)
    public static let none = Demand(max: 0)
    public static func max(_ value: Int) -> Demand {
      precondition(value >= 0, "a demand is not negative")
      return Demand(max: value)
    }

    public static func + (lhs: Demand, rhs: Demand) -> Demand {
      guard let first = lhs.max, let second = rhs.max else { return .unlimited }
      return Demand(max: first.addingReportingOverflow(second).overflow ? nil : first + second)
    }
    public static func += (lhs: inout Demand, rhs: Demand) { lhs = lhs + rhs }
    public static func - (lhs: Demand, rhs: Int) -> Demand {
      Demand(max: lhs.max.map { Swift.max(0, $0 - rhs) })
    }
    public static func -= (lhs: inout Demand, rhs: Int) { lhs = lhs - rhs }
    public static func < (lhs: Demand, rhs: Demand) -> Bool {
      guard let first = lhs.max else { return false }
      return rhs.max.map { first < $0 } ?? true
    }
    public static func > (lhs: Demand, rhs: Int) -> Bool { lhs.max.map { $0 > rhs } ?? true }
    public static func == (lhs: Demand, rhs: Int) -> Bool { lhs.max == rhs }
  }

  public final class Sink<Input, Failure: Error>: Subscriber, Cancellable, @unchecked Sendable {
    // Unchecked `Sendable`: the lock protects the state; Combine leaves the closures to their owner.
    private let lock = NSLock()
    private var state: State?
    private var subscription: (any Subscription)?

    private struct State {
      let value: (Input) -> Void
      let completion: (Subscribers.Completion<Failure>) -> Void
    }

    public init(
      receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void,
      receiveValue: @escaping (Input) -> Void
    ) {
      state = State(value: receiveValue, completion: receiveCompletion)
    }

    public func receive(subscription: any Subscription) {
      let isFirst = lock.withLock {
        guard state != nil, self.subscription == nil else { return false }
        self.subscription = subscription
        return true
      }
      if isFirst { subscription.request(.unlimited) } else { subscription.cancel() }
    }

    public func receive(_ value: Input) -> Subscribers.Demand {
      lock.withLock { state }?.value(value)
      return .none
    }

    public func receive(completion: Subscribers.Completion<Failure>) {
      let last = lock.withLock {
        subscription = nil
        return state.take()
      }
      last?.completion(completion)
    }

    public func cancel() {
      let (_, old) = lock.withLock { (state.take(), subscription.take()) }
      old?.cancel()
    }
  }
}

extension Subscribers.Completion: Sendable {}
extension Subscribers.Completion: Equatable where Failure: Equatable {}
