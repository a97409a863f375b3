import CPlatform
import Glibc

// TCP sockets on the loopback address 127.0.0.1. Their calls do not block: they return `nil` without data or room.
extension System {
  /// Returns a socket that listens on `port` of 127.0.0.1 (0: a free port). Wraps `socket(2)`, `bind(2)` and `listen(2)`.
  package static func listen(port: UInt16) throws(FileError) -> FileDescriptor {
    let address = SocketAddress(port: port)
    let socket = try address.makeSocket(nonBlockingStream)
    // Connections of an earlier process must not block the port.
    try setOption(SO_REUSEADDR, SOL_SOCKET, of: socket)
    try address.bind(socket)
    try socket.retrying("listen") { Glibc.listen($0, 128) }
    return socket
  }

  /// Listens again on the same port with a socket of ``listen(port:)`` that was shut down. Wraps `bind(2)` and `listen(2)`.
  package static func listenAgain(_ socket: borrowing FileDescriptor, port: UInt16) throws(FileError) {
    do throws(FileError) { try SocketAddress(port: port).bind(socket) } catch {
      // The socket is still bound if the caller, not the system, picked its port.
      if error.errno != .invalidArgument { throw error }
    }
    try socket.retrying("listen") { Glibc.listen($0, 128) }
  }

  /// Returns a socket connected to `port` of 127.0.0.1. Wraps `connect(2)`; this call blocks.
  package static func connect(port: UInt16) throws(FileError) -> FileDescriptor {
    let address = SocketAddress(port: port)
    let socket = try address.makeSocket(stream)
    try address.connect(socket)
    return socket
  }

  /// Returns the port of a listening socket. Wraps `getsockname(2)`.
  package static func port(of socket: borrowing FileDescriptor) throws(FileError) -> UInt16 {
    try SocketAddress(of: socket.rawValue).port
  }

  /// Sets `TCP_NODELAY`: small writes are sent immediately. Wraps `setsockopt(2)`.
  package static func sendWithoutDelay(_ socket: borrowing FileDescriptor) throws(FileError) {
    try setOption(TCP_NODELAY, Int32(IPPROTO_TCP), of: socket)
  }

  /// Makes closing a TCP connection reset it (`SO_LINGER` of 0). No effect on local sockets. Wraps `setsockopt(2)`.
  package static func resetWhenClosed(_ socket: Int32) {
    var option = linger(l_onoff: 1, l_linger: 0)
    // UNSAFE: the option's value is a local variable of its type. The call fails only for a closed connection, which has no peer.
    _ = unsafe setsockopt(
      socket, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
  }

  /// Receives into `buffer` and returns the number of bytes (0: end of the connection); `nil` if no data is available. Wraps
  /// `recv(2)`.
  package static func receiveAvailable(
    _ socket: borrowing FileDescriptor, into buffer: inout [UInt8]
  ) throws(FileError) -> Int? {
    try withoutWaiting { () throws(FileError) in
      try socket.retrying("recv") { raw in
        // UNSAFE: the call writes at most the array's length.
        unsafe buffer.withUnsafeMutableBytes { unsafe recv(raw, $0.baseAddress, $0.count, doNotWait) }
      }
    }
  }

  /// Sends `bytes` from `offset` on and returns the number of bytes accepted; `nil` if there is no room. Wraps `send(2)`.
  package static func sendAvailable(
    _ bytes: [UInt8], from offset: Int, to socket: borrowing FileDescriptor
  ) throws(FileError) -> Int? {
    precondition((0...bytes.count).contains(offset))
    return try withoutWaiting { () throws(FileError) in
      try socket.retrying("send") { raw in
        // UNSAFE: the offset is checked above. For a closed connection the call returns an error and raises no signal.
        unsafe bytes.withUnsafeBytes { bytes in
          unsafe Glibc.send(
            raw, bytes.baseAddress.map { unsafe $0 + offset }, bytes.count - offset,
            doNotWait | noSignal)
        }
      }
    }
  }

  /// Returns a counter that is readable while it is above zero. Wraps `eventfd(2)`.
  package static func makeEventCounter() throws(FileError) -> FileDescriptor {
    FileDescriptor(
      try retrying("eventfd", "event counter") { eventfd(0, O_NONBLOCK | O_CLOEXEC) }, path: "event counter")
  }

  /// Adds one to an event counter. A full counter is unchanged.
  package static func signal(_ counter: borrowing FileDescriptor) {
    _ = eventfd_write(counter.rawValue, 1)
  }

  package static func reset(_ counter: borrowing FileDescriptor) {
    var value: eventfd_t = 0
    // UNSAFE: the call fills the number.
    _ = unsafe eventfd_read(counter.rawValue, &value)
  }

  /// The events to wait for on a descriptor, and the events that happened.
  package struct PollEntry: Sendable {
    fileprivate var entry: pollfd

    /// Creates a wait until `descriptor` is readable or writable. If both are `false`, until its connection breaks.
    package init(_ descriptor: borrowing FileDescriptor, reads: Bool, writes: Bool) {
      entry = pollfd(
        fd: descriptor.rawValue, events: Int16(reads ? POLLIN : 0) | Int16(writes ? POLLOUT : 0), revents: 0)
    }

    /// Whether a call on the descriptor would not block: there is data, room, an end or an error.
    package var isReady: Bool { entry.revents != 0 }
    /// Whether the connection is closed in both directions or broken.
    package var isBroken: Bool { entry.revents & Int16(POLLERR | POLLHUP | POLLNVAL) != 0 }
  }

  /// Waits until an entry is ready or the timeout `limit` expires (`nil`: no timeout). A signal can end the wait early. Wraps
  /// `poll(2)`.
  package static func wait(for entries: inout [PollEntry], within limit: Duration?) {
    var list = entries.map(\.entry)
    // Add one millisecond, so that the timeout has passed when the wait ends.
    let milliseconds = limit.map { Int32(clamping: max(0, $0.wholeNanoseconds) / 1_000_000 + 1) } ?? -1
    // UNSAFE: the call fills the array and is given its count. After an error all entries are unready.
    let count = unsafe list.withUnsafeMutableBufferPointer {
      unsafe Glibc.poll($0.baseAddress, nfds_t($0.count), milliseconds)
    }
    guard count > 0 else { return }
    for index in list.indices { entries[index].entry = list[index] }
  }

  private static let doNotWait = Int32(MSG_DONTWAIT)

  private static func withoutWaiting(_ call: () throws(FileError) -> Int) throws(FileError) -> Int? {
    do throws(FileError) { return try call() } catch {
      if error.errno == .wouldBlock { return nil }
      throw error
    }
  }

  private static func setOption(
    _ option: Int32, _ level: Int32, of socket: borrowing FileDescriptor
  ) throws(FileError) {
    var on: Int32 = 1
    // UNSAFE: the option's value is a local variable of its type.
    try socket.retrying("setsockopt") {
      unsafe setsockopt($0, level, option, &on, socklen_t(MemoryLayout<Int32>.size))
    }
  }
}
