import Foundation
import Platform
import Synchronization

/// The proxy between the handler and the sockets of its app, in the handler's process. Each emulated device has its own.
///
/// ```swift
/// SocketProxy.install()
/// try SocketProxy.ofDevice.present.apply(SocketFault(text: "latency,latency=300")) { print($0) }
/// ```
/// It takes over the handler's calls of `connect`: the proxy connects to the app's path, and the handler's socket to the
/// proxy. So the app binds its own path and may bind it again, no file of the container changes, and no connection is
/// missed. A proxy that listened at the path would take it from the app, and miss connections until it had moved the app's
/// socket aside.
package final class SocketProxy: Sendable {
  package static let ofDevice = DeviceObject<SocketProxy> { _ in SocketProxy() }

  private struct State {
    /// Whether new connections go through the proxy: from the first event of a socket on.
    var isInPlace = false
    var faults: [SocketFault] = []
    var connections: [UInt64: ProxiedConnection] = [:]
    var connectionCount: UInt64 = 0
    /// The connections without the proxy.
    var direct: [(descriptor: Int32, file: UInt64, path: String)] = []
    var report: @Sendable (SocketEvent) -> Void = { _ in }
    var heldBytes = 0
    var mostHeldBytes = 0

    mutating func forgetClosedDirect() {
      direct.removeAll { System.fileNumber(of: $0.descriptor) != $0.file }
    }
  }
  private let state = Mutex(State())

  /// Connections that a fault cannot concern.
  struct DirectConnection: Error {
    let path: String
  }

  /// Takes over `connect` from now on. A connection to a path in the containers of a device is that device's, on any thread.
  package static func install() {
    // From the first connection on, so that an event can tell which are without it.
    _ = ofDevice.present
    System.interposeConnect { (ofDevice.above($0.path) ?? ofDevice.present).answer($0) }
  }

  /// The most memory in bytes that the proxy has used for what is on its way; on a device the kernel has it.
  var memory: Int { state.withLock { $0.mostHeldBytes } }

  /// Puts the proxy in place, and gives a fault to its connections, in place of the one with the same type and direction.
  /// Without a fault all are removed. Throws while the handler has a connection that it made before.
  ///
  /// - Parameter report: receives the connections from now on, on any thread.
  func apply(
    _ fault: SocketFault?, report: @escaping @Sendable (SocketEvent) -> Void
  ) throws(DirectConnection) {
    let direct = state.withLock { state -> String? in
      state.forgetClosedDirect()
      if let path = state.direct.first?.path { return path }
      (state.isInPlace, state.report) = (true, report)
      state.faults.removeAll { fault == nil || $0.kind == fault?.kind && $0.stream == fault?.stream }
      if let fault { state.faults.append(fault) }
      for connection in state.connections.values { connection.setFaults(state.faults) }
      return nil
    }
    if let direct { throw DirectConnection(path: direct) }
  }

  /// Connects the socket of a call, through the proxy if that is in place.
  func answer(_ call: System.ConnectCall) -> System.ConnectAnswer {
    do throws(SystemError) {
      guard state.withLock({ $0.isInPlace }) else {
        try System.connectDirectly(call)
        if let file = System.fileNumber(of: call.descriptor) {
          state.withLock {
            $0.forgetClosedDirect()
            $0.direct.append((call.descriptor, file, call.path))
          }
        }
        return .connected
      }
      let app = try System.connect(path: call.path, waits: call.waits)
      let handler = try System.connectToPeer(call.descriptor)
      let (number, faults) = state.withLock { state in
        state.connectionCount += 1
        return (state.connectionCount, state.faults)
      }
      start(
        try ProxiedConnection(number: number, path: call.path, handler: handler, app: app, faults: faults))
      return .connected
    } catch {
      return .failed(error.errno)
    }
  }

  private func start(_ connection: ProxiedConnection) {
    let number = connection.number
    state.withLock {
      $0.connections[number] = connection
      // The faults may have changed since it was made.
      connection.setFaults($0.faults)
    }
    Thread.detachNewThread { [self] in
      let event = connection.run(
        hasStarted: { faults in
          report(
            SocketEvent(
              connection: number, path: connection.path, what: .connected, faults: faults.text))
        },
        holds: { change in
          state.withLock {
            $0.heldBytes += change
            $0.mostHeldBytes = max($0.mostHeldBytes, $0.heldBytes)
          }
        })
      state.withLock { _ = $0.connections.removeValue(forKey: number) }
      report(event)
    }
  }

  private func report(_ event: SocketEvent) { state.withLock { $0.report }(event) }
}

extension BroadcastSystem {
  /// Puts the proxy in place and gives its connections a fault, or removes all faults.
  func apply(_ fault: SocketFault?) throws(DeviceEvent.Refusal) {
    do throws(SocketProxy.DirectConnection) {
      try SocketProxy.ofDevice.present.apply(fault) { [weak self] event in
        self?.onMain { system in
          if system.phase != .ended { system.onEvent(.socket(event)) }
        }
      }
    } catch {
      throw DeviceEvent.Refusal(
        "The handler connected to \(error.path) before there was a socket event; start it with --at '0s socket:none'."
      )
    }
  }
}
