/// What a server accepts from its clients at most.
package struct HTTPLimits: Sendable {
  /// The bytes of a request line and its header fields.
  package var headerByteCount = 16 << 10
  /// The header fields of a request.
  package var fieldCount = 100
  /// The bytes of a request's body.
  package var bodyByteCount = 64 << 10
  /// The open connections. A further one takes the place of the one that has waited longest.
  package var connectionCount = 256
  /// The time from the first byte of a request to its last.
  package var requestTime = Duration.seconds(5)
  /// The time without a request on an open connection.
  package var idleTime = Duration.seconds(30)
  /// The bytes that are kept for all clients together. Above it, the connection whose answer piece is the oldest is closed;
  /// a single connection may need more.
  package var outputByteCount = 256 << 20
  /// The time in which a client takes an answer or a piece of it.
  package var sendTime = Duration.seconds(30)
  /// The time in which the rest of a refused request is read and dropped, so that the client gets the answer.
  package var lingerTime = Duration.seconds(1)

  package init() {}
}
