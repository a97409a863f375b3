import CPlatform
import Glibc

// TCP sockets of the loopback address 127.0.0.1. Their calls do not wait: without data or room they return `nil`.
extension System {
  /// A socket that listens at `port` of 127.0.0.1; 0 picks a free port. The corresponding C functions are `socket`, `bind`
  /// and `listen`.
  package static func listen(port: UInt16) throws(FileError) -> FileDescriptor {
    let address = SocketAddress(port: port)
    let socket = try address.makeSocket(nonBlockingStream)
    // A connection of an earlier process must not keep the port.
    try setOption(SO_REUSEADDR, SOL_SOCKET, of: socket)
    try address.bind(socket)
    try socket.retrying("listen") { Glibc.listen($0, 128) }
    return socket
  }

  /// Makes a socket of ``listen(port:)`` listen again after its end by `shutdown`, at the same port. The corresponding C
  /// functions are `bind` and `listen`.
  package static func listenAgain(_ socket: borrowing FileDescriptor, port: UInt16) throws(FileError) {
    do throws(FileError) { try SocketAddress(port: port).bind(socket) } catch {
      // It keeps a port that was not picked by the system.
      if error.errno != .invalidArgument { throw error }
    }
    try socket.retrying("listen") { Glibc.listen($0, 128) }
  }

  /// A socket connected to `port` of 127.0.0.1. The corresponding C function is `connect`, which here does wait.
  package static func connect(port: UInt16) throws(FileError) -> FileDescriptor {
    let address = SocketAddress(port: port)
    let socket = try address.makeSocket(stream)
    try address.connect(socket)
    return socket
  }

  /// The port of a listening socket. The corresponding C function is `getsockname`.
  package static func port(of socket: borrowing FileDescriptor) throws(FileError) -> UInt16 {
    try SocketAddress(of: socket.rawValue).port
  }

  /// From now on a connection of TCP sends small pieces at once. The corresponding C function is `setsockopt`.
  package static func sendWithoutDelay(_ socket: borrowing FileDescriptor) throws(FileError) {
    try setOption(TCP_NODELAY, Int32(IPPROTO_TCP), of: socket)
  }

  /// A connection of TCP is reset when it is closed; one of local sockets is not changed. The corresponding C function is
  /// `setsockopt`.
  package static func resetWhenClosed(_ socket: Int32) {
    var option = linger(l_onoff: 1, l_linger: 0)
    // UNSAFE: the option's value is a local variable of its type. It fails for a closed connection only, which has no peer.
    _ = unsafe setsockopt(
      socket, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
  }

  /// Receives into `buffer` and returns the number of bytes: 0 at the end, `nil` if none have come. The corresponding C
  /// function is `recv`.
  package static func receiveAvailable(
    _ socket: borrowing FileDescriptor, into buffer: inout [UInt8]
  ) throws(FileError) -> Int? {
    try withoutWaiting { () throws(FileError) in
      try socket.retrying("recv") { raw in
        // UNSAFE: the call fills the array at most.
        unsafe buffer.withUnsafeMutableBytes { unsafe recv(raw, $0.baseAddress, $0.count, doNotWait) }
      }
    }
  }

  /// Sends `bytes` from `offset` on and returns how many were taken; `nil` if there is no room. The corresponding C
  /// function is `send`.
  package static func sendAvailable(
    _ bytes: [UInt8], from offset: Int, to socket: borrowing FileDescriptor
  ) throws(FileError) -> Int? {
    precondition((0...bytes.count).contains(offset))
    return try withoutWaiting { () throws(FileError) in
      try socket.retrying("send") { raw in
        // UNSAFE: the offset is checked above. A closed connection is an error, not a signal.
        unsafe bytes.withUnsafeBytes { bytes in
          unsafe Glibc.send(
            raw, bytes.baseAddress.map { unsafe $0 + offset }, bytes.count - offset,
            doNotWait | noSignal)
        }
      }
    }
  }

  /// A counter that is readable while it is above zero. The corresponding C function is `eventfd`.
  package static func makeEventCounter() throws(FileError) -> FileDescriptor {
    FileDescriptor(
      try retrying("eventfd", "event counter") { eventfd(0, O_NONBLOCK | O_CLOEXEC) }, path: "event counter")
  }

  /// Adds one to an event counter. A full counter stays as it is.
  package static func signal(_ counter: borrowing FileDescriptor) {
    _ = eventfd_write(counter.rawValue, 1)
  }

  package static func reset(_ counter: borrowing FileDescriptor) {
    var value: eventfd_t = 0
    // UNSAFE: the call fills the number.
    _ = unsafe eventfd_read(counter.rawValue, &value)
  }

  /// What is waited for on a descriptor, and what happened.
  package struct PollEntry: Sendable {
    fileprivate var entry: pollfd

    /// A wait until `descriptor` is readable or writable; with neither, until its connection breaks.
    package init(_ descriptor: borrowing FileDescriptor, reads: Bool, writes: Bool) {
      entry = pollfd(
        fd: descriptor.rawValue, events: Int16(reads ? POLLIN : 0) | Int16(writes ? POLLOUT : 0), revents: 0)
    }

    /// Whether a call on the descriptor would not wait: data, room, its end or an error.
    package var isReady: Bool { entry.revents != 0 }
    /// Whether the connection is closed in both directions or broken.
    package var isBroken: Bool { entry.revents & Int16(POLLERR | POLLHUP | POLLNVAL) != 0 }
  }

  /// Waits until an entry is ready or `limit` is over; `nil` for no limit. A signal may end the wait early. The
  /// corresponding C function is `poll`.
  package static func wait(for entries: inout [PollEntry], within limit: Duration?) {
    var list = entries.map(\.entry)
    // One millisecond more, so that a limit has passed when the wait ends.
    let milliseconds = limit.map { Int32(clamping: max(0, $0.wholeNanoseconds) / 1_000_000 + 1) } ?? -1
    // UNSAFE: the call fills the array, whose count it is given. An error leaves all entries unready.
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
