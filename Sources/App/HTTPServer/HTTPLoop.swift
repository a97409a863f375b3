import Platform

/// Serves the connections of a server on its thread. One turn waits for all connections and serves each once, so no client
/// blocks another.
struct HTTPLoop {
  private let server: HTTPServer
  private var connections: [HTTPConnection] = []
  private var buffer = [UInt8](repeating: 0, count: 64 << 10)
  /// When to accept connections again after the process ran out of file descriptors.
  private var acceptsFrom = MonotonicTime.zero

  private static let pauseWithoutDescriptors = Duration.milliseconds(100)

  init(of server: HTTPServer) { self.server = server }

  /// Waits for the next event or deadline, and handles it.
  mutating func turn() {
    let start = server.clock.now
    let accepts = start >= acceptsFrom
    var entries = [
      System.PollEntry(server.wakeUp, reads: true, writes: false),
      System.PollEntry(server.listener, reads: accepts, writes: false),
    ]
    entries += connections.map { System.PollEntry($0.socket, reads: $0.reads, writes: $0.writes) }
    System.wait(for: &entries, within: limit(from: start))
    let now = server.clock.now
    if entries[0].isReady { System.reset(server.wakeUp) }
    let (connections, most) = (connections, server.limits.outputByteCount)
    var byteCount = connections.reduce(0) { $0 + $1.outputByteCount }
    for (connection, entry) in zip(connections, entries.dropFirst(2)) where !connection.isClosed {
      // Creating the pieces for all connections of a turn may take many seconds.
      guard server.isOpen else { return }
      byteCount -= connection.outputByteCount
      connection.serve(server, entry, at: now, buffer: &buffer) {
        Self.limitOutput(of: connections, &byteCount, to: most - $0, keeping: 0)
      }
      byteCount += connection.outputByteCount
      Self.limitOutput(of: connections, &byteCount, to: most, keeping: 1)
    }
    self.connections.removeAll { $0.isClosed }
    if accepts, entries[1].isReady { acceptAll(at: now) }
  }

  /// Closes the connections with the oldest pieces until the rest are within `limit`. The `kept` newest connections stay
  /// open.
  private static func limitOutput(
    of connections: [HTTPConnection], _ byteCount: inout Int, to limit: Int, keeping kept: Int
  ) {
    guard byteCount > limit else { return }
    let oldestFirst = connections.filter { $0.writes }.sorted { $0.since < $1.since }
    for oldest in oldestFirst.dropLast(kept) where byteCount > limit {
      byteCount -= oldest.outputByteCount
      oldest.close()
    }
  }

  /// Releases all connections and their streams.
  mutating func closeAll() { connections = [] }

  /// Returns the time until the next action that needs no event; `nil` if there is none.
  private func limit(from time: MonotonicTime) -> Duration? {
    if connections.contains(where: { $0.hasWork }) { return .zero }
    var deadlines = connections.compactMap { $0.deadline(server.limits) }
    if acceptsFrom > time { deadlines.append(acceptsFrom) }
    return deadlines.min().map { max(.zero, $0 - time) }
  }

  private mutating func acceptAll(at time: MonotonicTime) {
    do throws(FileError) {
      while let socket = try System.accept(server.listener) {
        try System.sendWithoutDelay(socket)
        if connections.count >= server.limits.connectionCount,
          let oldest = connections.indices.min(by: { connections[$0].since < connections[$1].since })
        {
          connections.remove(at: oldest)
        }
        connections.append(HTTPConnection(socket, limits: server.limits, at: time))
      }
    } catch {
      if error.errno == .invalidArgument { return listenAgain(at: time) }
      // Without the pause, a connection that cannot be accepted would end each turn at once.
      acceptsFrom = time + Self.pauseWithoutDescriptors
    }
  }

  /// Listens again after the system has shut down the socket, as iOS does with the sockets of a suspended app.
  private mutating func listenAgain(at time: MonotonicTime) {
    do throws(FileError) { try System.listenAgain(server.listener, port: server.port) } catch {
      // Another process may use the port for a moment.
      acceptsFrom = time + Self.pauseWithoutDescriptors
    }
  }
}
