import Synchronization

/// What can be cancelled. Models the protocol of Combine.
public protocol Cancellable {
  /// Ends the activity.
  func cancel()
}

/// A subscription, which ends with this object. Models the class of Combine.
public final class AnyCancellable: Cancellable, Hashable, @unchecked Sendable {
  // Unchecked `Sendable`: the closure is run once, by the call that takes it.
  private struct Action: @unchecked Sendable { let run: () -> Void }
  private let action: Mutex<Action?>

  /// Creates a subscription that a closure ends.
  public init(_ cancel: @escaping () -> Void) { action = Mutex(Action(run: cancel)) }

  /// Creates a subscription that ends another one.
  public convenience init(_ canceller: some Cancellable) { self.init { canceller.cancel() } }

  deinit { cancel() }

  /// Ends the subscription.
  public func cancel() { action.withLock { $0.take() }?.run() }

  /// Whether both are the same object.
  public static func == (lhs: AnyCancellable, rhs: AnyCancellable) -> Bool { lhs === rhs }

  /// Hashes the identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension Cancellable {
  /// Keeps the subscription in a set.
  public func store(in set: inout Set<AnyCancellable>) { set.insert(any) }

  /// Keeps the subscription in a collection.
  public func store(in collection: inout some RangeReplaceableCollection<AnyCancellable>) {
    collection.append(any)
  }

  private var any: AnyCancellable { self as? AnyCancellable ?? AnyCancellable(self) }
}
