/// A connection of the handler over TCP or a Unix socket was made or closed, with the proxy in between, or goes past it.
package struct SocketEvent: FactBody, Equatable {
  package static let event = "socket"
  /// The number of the connection through the proxy of `socket` (Docs/CommandLine.md#faults-of-a-socket), from 1; `nil` for a
  /// connection past the proxy.
  package var connection: UInt64?
  /// Where the app listens: a path as the handler gave it, or host and port.
  package var path: String
  /// What happened. `direct` is a connection that was not made within a second, and so goes past the proxy.
  package var what: What
  /// The faults of the connection as they were typed, separated by spaces.
  package var faults: String
  /// What closed the connection: `handler`, `peer` (the other end), or the type of a fault.
  package var cause: String?
  /// The bytes that the other end and the handler got, when the connection is closed.
  package var upstreamBytes: UInt64?
  package var downstreamBytes: UInt64?

  package enum What: String, Codable, Sendable { case connected, closed, direct }

  package init(
    connection: UInt64? = nil, path: String, what: What, faults: String, cause: String? = nil,
    upstreamBytes: UInt64? = nil, downstreamBytes: UInt64? = nil
  ) {
    (self.connection, self.path, self.what, self.faults) = (connection, path, what, faults)
    (self.cause, self.upstreamBytes, self.downstreamBytes) = (cause, upstreamBytes, downstreamBytes)
  }

  /// One line for people.
  package var text: String {
    switch what {
    case .connected:
      "Socket connection \(connection ?? 0) to \(path), "
        + (faults.isEmpty ? "without a fault." : "with \(faults).")
    case .closed:
      "Socket connection \(connection ?? 0) closed by \(cause ?? ""): \(upstreamBytes ?? 0) bytes to \(path), "
        + "\(downstreamBytes ?? 0) to the handler."
    case .direct:
      "The connection to \(path) was not made within a second, and has no fault."
    }
  }
}
