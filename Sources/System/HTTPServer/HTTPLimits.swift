/// What a server accepts from its clients at most.
package struct HTTPLimits: Sendable {
  /// The bytes of a request line and its header fields.
  package var headerByteCount = 16 << 10
  /// The header fields of a request.
  package var fieldCount = 100
  /// The bytes of a request's body.
  package var bodyByteCount = 64 << 10
  /// The open connections; further ones are closed at once.
  package var connectionCount = 256
  /// The time from the first byte of a request to its last.
  package var requestTime = Duration.seconds(5)
  /// The time without a request on an open connection.
  package var idleTime = Duration.seconds(30)
  /// The time in which a client takes none of the bytes that are sent.
  package var sendTime = Duration.seconds(30)
  /// The time in which the rest of a refused request is read and dropped, so that the client gets the answer.
  package var lingerTime = Duration.seconds(1)

  package init() {}
}
