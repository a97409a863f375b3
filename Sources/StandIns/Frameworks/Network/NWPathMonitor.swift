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
    (self.network, self.required) = (network, required)
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

/// Calls its handler once after the start, and on each change of the device's network.
public final class NWPathMonitor: Sendable {
  private struct State: Sendable {
    var handler: (@Sendable (NWPath) -> Void)?
    var queue: DispatchQueue?
    var isCancelled = false
    var observation: DeviceObservation?
  }

  private let device = Device.current
  private let required: NWInterface.InterfaceType?
  private let state = Mutex(State())

  public init() { required = nil }
  public init(requiredInterfaceType: NWInterface.InterfaceType) { required = requiredInterfaceType }

  public var currentPath: NWPath { NWPath(device.state.network, required) }
  public var queue: DispatchQueue? { state.withLock(\.queue) }
  public var pathUpdateHandler: (@Sendable (NWPath) -> Void)? {
    get { state.withLock(\.handler) }
    set { state.withLock { $0.handler = newValue } }
  }

  public func start(queue: DispatchQueue) {
    let observation = device.observe { [weak self] _, old, new in
      if old.network != new.network { self?.report() }
    }
    state.withLock { ($0.queue, $0.observation) = (queue, observation) }
    report()
  }

  private func report() {
    let path = currentPath
    guard let queue else { return }
    device.enqueue(queue) { [self] in
      let handler = state.withLock { $0.isCancelled ? nil : $0.handler }
      handler?(path)
    }
  }

  public func cancel() { state.withLock { ($0.isCancelled, $0.observation) = (true, nil) } }
}
