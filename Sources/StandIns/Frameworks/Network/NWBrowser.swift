import Dispatch
import Synchronization

/// Finds no services, as in a network that has none.
public final class NWBrowser: Sendable {
  public enum State: Equatable, Sendable { case setup, ready, failed(NWError), cancelled, waiting(NWError) }

  public enum Descriptor: Hashable, Sendable {
    case bonjour(type: String, domain: String?)
    case bonjourWithTXTRecord(type: String, domain: String?)
  }

  public struct Result: Hashable, Sendable {
    public let endpoint: NWEndpoint
    public enum Change: Hashable, Sendable { case identical, added(Result), removed(Result) }
  }

  private struct Status: Sendable {
    var state = State.setup
    var handler: (@Sendable (State) -> Void)?
    var queue: DispatchQueue?
  }

  private let status = Mutex(Status())

  public init(for descriptor: Descriptor, using parameters: NWParameters) {}

  public var state: State { status.withLock(\.state) }
  public var browseResults: Set<Result> { [] }
  public var stateUpdateHandler: (@Sendable (State) -> Void)? {
    get { status.withLock(\.handler) }
    set { status.withLock { $0.handler = newValue } }
  }
  /// Never called, because there are no services.
  public var browseResultsChangedHandler: (@Sendable (Set<Result>, Set<Result.Change>) -> Void)? {
    get { nil }
    set {}
  }

  public func start(queue: DispatchQueue) {
    status.withLock { $0.queue = $0.queue ?? queue }
    set(.ready)
  }

  public func cancel() { set(.cancelled) }

  private func set(_ state: State) {
    let queue = status.withLock { status in
      guard status.state != state, status.state != .cancelled else { return nil as DispatchQueue? }
      status.state = state
      return status.queue
    }
    queue?.async { self.stateUpdateHandler?(state) }
  }
}
