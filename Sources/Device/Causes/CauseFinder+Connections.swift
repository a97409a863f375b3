import CommandLineSupport
import Platform

// The sentence of a lost connection.
extension CauseFinder {
  /// The time that a handler has to connect again.
  static let reconnectLimit = Duration.seconds(8)

  mutating func judge(_ socket: SocketEvent, at time: MonotonicTime) {
    switch (socket.what, socket.cause) {
    case (.closed, "handler"?), (.closed, nil): break
    case (.closed, let how?):
      let text = "and did not connect again for \(Self.reconnectLimit.decimalSeconds) s."
      // The remote side may have received everything it wanted. An event requested later is not the reason.
      var cause = Cause(
        .network, how, how == "peer" ? .warning : .fault, from: time,
        "The handler lost its connection (\(how)) \(text)")
      cause.request = request(for: cause)
      loss = cause
    default: loss = nil
    }
  }
}
