/// A TCP or Unix socket connection of the handler was made or closed through the proxy, or bypasses the proxy.
package struct SocketEvent: FactBody, Equatable {
  package static let event = "socket"
  /// The number of the connection through the proxy of `socket` (Docs/CommandLine.md#faults-of-a-socket), counted from 1; `nil`
  /// if the connection bypasses the proxy.
  package var connection: UInt64?
  /// The address at which the app listens: a path as given by the handler, or host and port.
  package var path: String
  /// The event. `direct` is a connection that was not made within a second and therefore bypasses the proxy.
  package var what: What
  /// The faults of the connection as typed, separated by spaces.
  package var faults: String
  /// What closed the connection: `handler`, `peer` (the remote side), or the type of a fault.
  package var cause: String?
  /// The bytes that the remote side (`upstreamBytes`) and the handler (`downstreamBytes`) received; only for a closed connection.
  package var upstreamBytes: UInt64?
  package var downstreamBytes: UInt64?

  package enum What: String, Codable, Sendable { case connected, closed, direct }

  package init(
    connection: UInt64? = nil, path: String, what: What, faults: String, cause: String? = nil,
    upstreamBytes: UInt64? = nil, downstreamBytes: UInt64? = nil
  ) {
    self.connection = connection
    self.path = path
    self.what = what
    self.faults = faults
    self.cause = cause
    self.upstreamBytes = upstreamBytes
    self.downstreamBytes = downstreamBytes
  }

  /// The event as a line for the user.
  package var text: String {
    switch what {
    case .connected:
      "Socket connection \(connection ?? 0) to \(path), "
        + (faults.isEmpty ? "without a fault." : "with \(faults).")
    case .closed:
      "Socket connection \(connection ?? 0) closed by \(cause ?? ""): \(upstreamBytes ?? 0) bytes to \(path), "
        + "\(downstreamBytes ?? 0) to the handler."
    case .direct:
      "The connection to \(path) was not established within a second, so it gets no fault."
    }
  }
}
