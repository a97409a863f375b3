import Dispatch
import Synchronization

/// The emulated phone is always on Wi-Fi.
public struct NWPath: Equatable, Sendable {
  public enum Status: Sendable { case satisfied, unsatisfied, requiresConnection }

  public var status: Status { .satisfied }
  public var isExpensive: Bool { false }
  public var isConstrained: Bool { false }
  public var availableInterfaces: [NWInterface] { [NWInterface(name: "en0", type: .wifi)] }

  public func usesInterfaceType(_ type: NWInterface.InterfaceType) -> Bool { type == .wifi }
}

/// The path never changes here: the handler is called once, after the start.
public final class NWPathMonitor: Sendable {
  private struct State: Sendable {
    var handler: (@Sendable (NWPath) -> Void)?
    var queue: DispatchQueue?
    var isCancelled = false
  }

  private let state = Mutex(State())

  public init() {}
  public init(requiredInterfaceType: NWInterface.InterfaceType) {}

  public var currentPath: NWPath { NWPath() }
  public var queue: DispatchQueue? { state.withLock(\.queue) }
  public var pathUpdateHandler: (@Sendable (NWPath) -> Void)? {
    get { state.withLock(\.handler) }
    set { state.withLock { $0.handler = newValue } }
  }

  public func start(queue: DispatchQueue) {
    state.withLock { $0.queue = queue }
    queue.async { [self] in
      let handler = state.withLock { $0.isCancelled ? nil : $0.handler }
      handler?(NWPath())
    }
  }

  public func cancel() { state.withLock { $0.isCancelled = true } }
}
