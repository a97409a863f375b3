/// The limits for the clients of a server.
package struct HTTPLimits: Sendable {
  /// The maximum size of a request line with its header fields, in bytes.
  package var headerByteCount = 16 << 10
  /// The maximum number of header fields in a request.
  package var fieldCount = 100
  /// The maximum size of a request body, in bytes.
  package var bodyByteCount = 64 << 10
  /// The maximum number of open connections. A further connection replaces the one that has waited longest.
  package var connectionCount = 256
  /// The maximum time from the first byte of a request to its last.
  package var requestTime = Duration.seconds(5)
  /// The maximum time without a request on an open connection.
  package var idleTime = Duration.seconds(30)
  /// The maximum number of bytes buffered for all clients together, including the piece in creation. If it is exceeded, the
  /// connection with the oldest piece of an answer is closed. A single connection may need more.
  package var outputByteCount = 256 << 20
  /// The maximum time in which a client must read an answer or a piece of it.
  package var sendTime = Duration.seconds(30)
  /// How long the rest of a rejected request is read and dropped, so that the client receives the answer.
  package var lingerTime = Duration.seconds(1)

  package init() {}
}
