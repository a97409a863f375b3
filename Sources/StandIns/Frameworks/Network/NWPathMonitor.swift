import Dispatch
import EmulatedDevice
import Synchronization

/// The emulated phone is on Wi-Fi until an event `network` changes this.
public struct NWPath: Equatable, Sendable {
  public enum Status: Sendable { case satisfied, unsatisfied, requiresConnection }

  private let network: DeviceState.Network
  private let required: NWInterface.InterfaceType?

  init(
    _ network: DeviceState.Network = Device.current.state.network,
    _ required: NWInterface.InterfaceType? = nil
  ) {
    self.network = network
    self.required = required
  }

  public var status: Status { availableInterfaces.isEmpty ? .unsatisfied : .satisfied }
  public var isExpensive: Bool { usesInterfaceType(.cellular) }
  public var isConstrained: Bool { false }
  public var availableInterfaces: [NWInterface] {
    let interface: NWInterface? =
      switch network {
      case .wifi: NWInterface(name: "en0", type: .wifi)
      case .cellular: NWInterface(name: "pdp_ip0", type: .cellular)
      case .none: nil
      }
    return [interface].compactMap { $0 }.filter { required == nil || $0.type == required }
  }

  public func usesInterfaceType(_ type: NWInterface.InterfaceType) -> Bool {
    availableInterfaces.contains { $0.type == type }
  }
}

/// Calls its handler once after the first start, and on each change of the device's network. A further start does nothing.
public final class NWPathMonitor: Sendable {
  private struct State: Sendable {
    var handler: (@Sendable (NWPath) -> Void)?
    var queue: DispatchQueue?
    var path: NWPath
    var isCancelled = false
    var observation: DeviceObservation?
  }

  private let device = Device.current
  private let required: NWInterface.InterfaceType?
  private let state: Mutex<State>

  public convenience init() { self.init(nil) }
  public convenience init(requiredInterfaceType: NWInterface.InterfaceType) {
    self.init(requiredInterfaceType)
  }

  private init(_ required: NWInterface.InterfaceType?) {
    self.required = required
    state = Mutex(State(path: NWPath(.none, required)))
  }

  /// The path of the last update; `unsatisfied` before the first one, which comes after the start.
  public var currentPath: NWPath { state.withLock(\.path) }
  public var queue: DispatchQueue? { state.withLock(\.queue) }
  public var pathUpdateHandler: (@Sendable (NWPath) -> Void)? {
    get { state.withLock(\.handler) }
    set { state.withLock { $0.handler = newValue } }
  }

  public func start(queue: DispatchQueue) {
    let isFirst = state.withLock { state in
      defer { state.queue = state.queue ?? queue }
      return state.queue == nil
    }
    guard isFirst else { return }
    let observation = device.observe { [weak self] _, old, new in
      if old.network != new.network { self?.report() }
    }
    state.withLock { $0.observation = $0.isCancelled ? nil : observation }
    report()
  }

  private func report() {
    let path = NWPath(device.state.network, required)
    guard let queue else { return }
    device.enqueue(queue) { [self] in
      let handler = state.withLock { state -> (@Sendable (NWPath) -> Void)? in
        guard !state.isCancelled else { return nil }
        state.path = path
        return state.handler
      }
      handler?(path)
    }
  }

  public func cancel() { state.withLock { ($0.isCancelled, $0.observation) = (true, nil) } }
}
