import Causes
import EmulatedDevice
import Foundation
import Platform
import Synchronization

/// A proxy in the handler's process, between the handler and the sockets that it connects to. Each emulated device has its
/// own proxy.
///
/// ```swift
/// SocketProxy.install()
/// try SocketProxy.shared(for: device).apply(SocketFault(text: "latency,latency=300")) { print($0) }
/// ```
/// It intercepts the handler's calls of `connect`: the proxy connects to the address of the call, and the handler's socket
/// to the proxy. So the app can bind its own path, also repeatedly, no file of the container changes, and no connection is
/// missed. A proxy that listened at the path would take it from the app, and would miss connections until it had moved the
/// app's socket aside.
package final class SocketProxy: Sendable {
  package static func shared(for device: Device) -> SocketProxy { device.object { _ in SocketProxy() } }

  private struct State {
    /// Whether new connections go through the proxy. True from the first socket event on.
    var isInPlace = false
    var faults: [SocketFault] = []
    var connections: [UInt64: ProxiedConnection] = [:]
    var connectionCount: UInt64 = 0
    var hasConnected = false
    /// The sockets that the system connects without the proxy, and the reason why faults cannot affect them.
    var direct: [(descriptor: Int32, file: UInt64, obstacle: EventRefusal)] = []
    var report: @Sendable (SocketEvent) -> Void = { _ in }
    /// The number of bytes that the handler has sent; and where and when it last sent bytes.
    var sentBytes: UInt64 = 0
    var newestSend: (path: String, time: Date)?
    var heldBytes = 0
    var mostHeldBytes = 0

    mutating func forgetClosedDirect() {
      direct.removeAll { System.fileNumber(of: $0.descriptor) != $0.file }
    }
  }
  private let state = Mutex(State())
  /// The timeout of a TCP connection whose `connect` call does not wait.
  private let waitLimit: Duration

  package init(waitLimit: Duration = .seconds(1)) { self.waitLimit = waitLimit }

  /// Intercepts `connect` from now on. A connection to a path in a device's containers belongs to that device, on any
  /// thread. A TCP connection belongs to the caller's device.
  package static func install() {
    // Threads of the handler have no device of their own, so the path decides.
    System.interposeConnect { call in
      SocketProxy.shared(for: Device.owning(path: call.name) ?? .current).answer(call)
    }
  }

  /// Whether bytes are in flight, which faults may delay.
  var holdsBytes: Bool { state.withLock { $0.heldBytes > 0 } }

  /// The number of bytes that the handler has sent through the proxy; `nil` if it has made no connection through the proxy.
  package var sentBytes: UInt64? { state.withLock { $0.connectionCount > 0 ? $0.sentBytes : nil } }

  /// The path and the time of the handler's last send through the proxy.
  package var newestSend: (path: String, time: Date)? { state.withLock(\.newestSend) }

  /// The peak memory of the bytes in flight. On a device this memory belongs to the kernel.
  var memory: Int { state.withLock { $0.mostHeldBytes } }

  /// Enables the proxy, and gives a fault to its connections. It replaces the fault with the same type and direction; `nil`
  /// removes all faults. Throws while the handler has a connection that bypasses the proxy.
  ///
  /// - Parameters:
  ///   - needsConnection: whether to refuse a fault if the handler has not called `connect` yet.
  ///   - report: receives the events of connections from now on, on any thread.
  func apply(
    _ fault: SocketFault?, needsConnection: Bool = false, report: @escaping @Sendable (SocketEvent) -> Void
  ) throws(EventRefusal) {
    let obstacle = state.withLock { state -> EventRefusal? in
      state.forgetClosedDirect()
      if let direct = state.direct.first(where: { System.isInUse($0.descriptor) }) {
        return direct.obstacle
      }
      if needsConnection, fault != nil, !state.hasConnected { return .noConnection }
      (state.isInPlace, state.report) = (true, report)
      state.faults.removeAll { fault == nil || $0.kind == fault?.kind && $0.stream == fault?.stream }
      if let fault { state.faults.append(fault) }
      for connection in state.connections.values { connection.setFaults(state.faults) }
      return nil
    }
    if let obstacle { throw obstacle }
  }

  /// Connects the socket of a call through the proxy if the proxy is enabled, or leaves the call to the system.
  func answer(_ call: System.ConnectCall) -> System.ConnectAnswer {
    // A `connect` on a socket in use queries the result of an earlier call.
    guard !System.isInUse(call.descriptor) else { return .connectDirectly }
    let isInPlace = state.withLock { state in
      state.hasConnected = true
      return state.isInPlace
    }
    guard isInPlace else { return leave(call, .earlyConnection(call.name)) }
    let peer: FileDescriptor
    do throws(FileError) { peer = try System.connectOnward(call, within: waitLimit) } catch {
      guard call.isAnsweredLater else { return .failed(error.errno) }
      if error.code == ETIMEDOUT { report(SocketEvent(path: call.name, what: .direct, faults: "")) }
      // The caller waits for the result, which the system reports in its own way.
      return leave(call, .directConnection(call.name))
    }
    do throws(FileError) {
      let handler = try System.connectToPeer(call)
      let (number, faults) = state.withLock { state in
        state.connectionCount += 1
        return (state.connectionCount, state.faults)
      }
      start(
        try ProxiedConnection(number: number, name: call.name, handler: handler, peer: peer, faults: faults))
      return .connected
    } catch {
      return .failed(error.errno)
    }
  }

  private func leave(_ call: System.ConnectCall, _ obstacle: EventRefusal) -> System.ConnectAnswer {
    if let file = System.fileNumber(of: call.descriptor) {
      state.withLock {
        $0.forgetClosedDirect()
        $0.direct.removeAll { $0.descriptor == call.descriptor }
        $0.direct.append((call.descriptor, file, obstacle))
      }
    }
    return .connectDirectly
  }

  private func start(_ connection: ProxiedConnection) {
    let number = connection.number
    state.withLock {
      $0.connections[number] = connection
      // The faults may have changed since the connection was created.
      connection.setFaults($0.faults)
    }
    let isReported = DispatchSemaphore(value: 0)
    Thread.detachNewThread { [self] in
      let event = connection.run(
        hasStarted: { faults in
          report(
            SocketEvent(
              connection: number, path: connection.name, what: .connected, faults: faults.text))
          isReported.signal()
        },
        holds: { change in
          state.withLock {
            $0.heldBytes += change
            $0.mostHeldBytes = max($0.mostHeldBytes, $0.heldBytes)
          }
        },
        sent: { count in
          guard count > 0 else { return }
          state.withLock {
            ($0.sentBytes, $0.newestSend) = ($0.sentBytes + UInt64(count), (connection.name, Date()))
          }
        })
      state.withLock { _ = $0.connections.removeValue(forKey: number) }
      report(event)
    }
    // Wait until the connection is reported, so that connections of the start come before its end, even if the thread runs
    // late.
    isReported.wait()
  }

  private func report(_ event: SocketEvent) { state.withLock { $0.report }(event) }
}

extension BroadcastSystem {
  /// Enables the proxy and gives its connections a fault, or removes all faults.
  func apply(_ fault: SocketFault?) throws(DeviceEvent.Refusal) {
    // During the start the handler has not connected yet.
    try SocketProxy.shared(for: device).apply(fault, needsConnection: phase == .live) { [weak self] event in
      self?.onMain { system in
        if system.phase != .ended { system.onEvent(.socket(event)) }
      }
    }
  }
}

/// The reasons why a fault cannot affect any connection.
extension EventRefusal {
  /// The handler connected to a path, or to host and port, before the proxy was enabled.
  static func earlyConnection(_ path: String) -> Self {
    Self(
      "The handler connected to \(path) before the first socket event; start it with --at '0s socket:none'."
    )
  }

  /// The system made the connection directly, because the proxy could not connect in time or at all.
  static func directConnection(_ path: String) -> Self {
    Self(
      "The handler's connection to \(path) bypasses the proxy, which could not connect in time.")
  }

  static let noConnection = Self(
    "The handler has made no connection over TCP or a Unix socket that could get a fault. Start the "
      + "broadcast with --at '0s socket:none' for a later connection.")
}
