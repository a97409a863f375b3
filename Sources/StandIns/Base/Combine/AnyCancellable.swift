import Synchronization

public protocol Cancellable {
  func cancel()
}

public final class AnyCancellable: Cancellable, Hashable, @unchecked Sendable {
  // Unchecked `Sendable`: the closure runs once, in the call that takes it out.
  private struct Action: @unchecked Sendable { let run: () -> Void }
  private let action: Mutex<Action?>

  public init(_ cancel: @escaping () -> Void) { action = Mutex(Action(run: cancel)) }
  public convenience init(_ canceller: some Cancellable) { self.init { canceller.cancel() } }

  deinit { cancel() }

  public func cancel() { action.withLock { $0.take() }?.run() }
  public static func == (lhs: AnyCancellable, rhs: AnyCancellable) -> Bool { lhs === rhs }
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension Cancellable {
  public func store(in set: inout Set<AnyCancellable>) { set.insert(any) }

  public func store(in collection: inout some RangeReplaceableCollection<AnyCancellable>) {
    collection.append(any)
  }

  private var any: AnyCancellable { self as? AnyCancellable ?? AnyCancellable(self) }
}
