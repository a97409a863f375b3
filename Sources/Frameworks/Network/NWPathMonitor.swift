import Dispatch
import Synchronization

/// The way to the network. Models the structure of Network: the emulated phone is on Wi-Fi.
public struct NWPath: Equatable, Sendable {
  /// Whether there is a way.
  public enum Status: Sendable {
    /// There is one.
    case satisfied
    /// There is none.
    case unsatisfied
    /// A connection would make one.
    case requiresConnection
  }

  /// Whether there is a way: yes.
  public var status: Status { .satisfied }
  /// Whether it costs money: no.
  public var isExpensive: Bool { false }
  /// Whether the person saves data: no.
  public var isConstrained: Bool { false }
  /// Whether there are addresses of version 4: yes.
  public var supportsIPv4: Bool { true }
  /// Whether there are addresses of version 6: yes.
  public var supportsIPv6: Bool { true }
  /// Whether names have addresses: yes.
  public var supportsDNS: Bool { true }
  /// The interfaces.
  public var availableInterfaces: [NWInterface] { [NWInterface(name: "en0", type: .wifi)] }

  /// Whether the way leads over an interface of a kind: over Wi-Fi.
  public func usesInterfaceType(_ type: NWInterface.InterfaceType) -> Bool { type == .wifi }
}

/// What watches the way to the network. Models the class of Network: it never changes here.
public final class NWPathMonitor: Sendable {
  private struct State: Sendable {
    var handler: (@Sendable (NWPath) -> Void)?
    var queue: DispatchQueue?
    var isCancelled = false
  }

  private let state = Mutex(State())

  /// Creates a monitor of all interfaces.
  public init() {}
  /// Creates a monitor of a kind of interface.
  public init(requiredInterfaceType: NWInterface.InterfaceType) {}

  /// The present way.
  public var currentPath: NWPath { NWPath() }
  /// The queue of the handler; `nil` before the start.
  public var queue: DispatchQueue? { state.withLock(\.queue) }
  /// Called once after the start.
  public var pathUpdateHandler: (@Sendable (NWPath) -> Void)? {
    get { state.withLock(\.handler) }
    set { state.withLock { $0.handler = newValue } }
  }

  /// Calls the handler on a queue.
  public func start(queue: DispatchQueue) {
    state.withLock { $0.queue = queue }
    queue.async { [self] in
      let handler = state.withLock { $0.isCancelled ? nil : $0.handler }
      handler?(NWPath())
    }
  }

  /// Ends the monitor.
  public func cancel() { state.withLock { $0.isCancelled = true } }
}
