import EmulatedDevice
import Foundation
import Platform
import Synchronization

/// The state of a stream over a socket, and the calls of its delegate.
///
/// Only one event of a kind is delivered at a time: the next "has bytes" follows a read, the next "has space" a write.
/// At the end of an input, "has bytes" comes first, because the socket is readable. "End encountered" follows the read
/// of 0 bytes.
final class StreamEvents: @unchecked Sendable {
  // Unchecked `Sendable`: a lock protects `state`. Foundation's stream and delegate are not marked `Sendable`. Their
  // calls are made on one queue, as a run loop makes its calls on one thread.

  private struct State: @unchecked Sendable {
    weak var stream: Stream?
    weak var delegate: (any StreamDelegate)?
    var status = Stream.Status.notOpen
    var error: NSError?
    var queue: DispatchQueue?
    var source: (any DispatchSourceProtocol)?
    var isSuspended = true
    var hasReportedOpen = false
  }

  private let connection: SocketConnection
  private let isInput: Bool
  private let state = Mutex(State())
  /// The queue of the event sources. It is never blocked, so a closed stream releases its socket soon.
  private static let sources = DispatchQueue(label: "stream.sources", qos: .userInitiated)
  /// How often a waiting read or write checks whether its stream was closed, in milliseconds.
  private static let closeCheckInterval: Int32 = 50

  init(_ connection: SocketConnection, isInput: Bool) {
    self.connection = connection
    self.isInput = isInput
    connection.retain()
  }

  func attach(_ stream: Stream) {
    let transferred = UncheckedBox(stream)
    state.withLock { $0.stream = transferred.value }
  }

  var delegate: (any StreamDelegate)? {
    get { state.withLock { UncheckedBox($0.delegate) }.value }
    set {
      let transferred = UncheckedBox(newValue)
      state.withLock { $0.delegate = transferred.value }
    }
  }
  var status: Stream.Status { state.withLock(\.status) }
  var error: NSError? { state.withLock { UncheckedBox($0.error) }.value }

  /// Whether the stream is open, and a read or a write returns at once.
  var isReady: Bool { status == .open && poll(0) }

  func open() {
    let isSocket = fcntl(connection.descriptor, F_GETFL) >= 0
    let isNew = state.withLock { state in
      guard state.status == .notOpen else { return false }
      state.status = .open
      return true
    }
    guard isNew else { return }
    if isSocket { start() } else { fail(EBADF) }
  }

  /// Ends the events, and releases the socket.
  func close() {
    let source = state.withLock { state -> UncheckedBox<(any DispatchSourceProtocol)?>? in
      guard state.status != .closed else { return nil }
      state.status = .closed
      return UncheckedBox(Self.takeSource(&state))
    }
    guard let source else { return }
    source.value?.cancel()
    connection.release()
  }

  func schedule(in runLoop: RunLoop) {
    schedule(on: runLoop === RunLoop.main ? .main : connection.queue)
  }

  /// Starts the events on a queue; `nil` ends them.
  func schedule(on queue: DispatchQueue?) {
    let old = state.withLock { state in
      state.queue = queue
      return UncheckedBox(Self.takeSource(&state))
    }
    old.value?.cancel()
    start()
  }

  /// Calls `body` with the socket when it is ready. Returns the number of bytes, or -1 on an error (which is also an
  /// event) and when the stream is closed.
  func transfer(_ body: (Int32) -> Int) -> Int {
    guard beginTransfer() else { return -1 }
    defer { connection.release() }
    while status != .closed {
      guard poll(Self.closeCheckInterval) else { continue }
      let count = body(connection.descriptor)
      if count >= 0 || (errno != EINTR && errno != EAGAIN) { return finish(count) }
    }
    return -1
  }

  /// Adds a user of the socket. Returns `false` if the stream is not open.
  private func beginTransfer() -> Bool {
    state.withLock { state in
      guard state.status == .open || state.status == .atEnd else { return false }
      connection.retain()
      return true
    }
  }

  private func finish(_ count: Int) -> Int {
    if count > 0 {
      arm()
    } else if count == 0, isInput {
      setStatus(.atEnd)
      send(.endEncountered)
    } else if count < 0 {
      fail(errno)
    }
    return count
  }

  private func fail(_ code: Int32) {
    let text = NSError.text(DarwinErrno.text(code))
    setStatus(.error, NSError(code: DarwinErrno.number(code), in: NSPOSIXErrorDomain, text: text))
    send(.errorOccurred)
  }

  /// Sets the status, unless the stream is closed.
  private func setStatus(_ status: Stream.Status, _ error: NSError? = nil) {
    let error = UncheckedBox(error)
    state.withLock { state in
      guard state.status != .closed else { return }
      (state.status, state.error) = (status, error.value)
    }
  }

  /// Waits for the socket. A socket that failed counts as ready: the next call returns the error.
  private func poll(_ milliseconds: Int32) -> Bool {
    var request = pollfd(fd: connection.descriptor, events: Int16(isInput ? POLLIN : POLLOUT), revents: 0)
    // UNSAFE: a local variable.
    return unsafe Foundation.poll(&request, 1, milliseconds) > 0
  }

  /// Starts the events if the stream is open and scheduled.
  private func start() {
    var failure: Int32?
    let isFirst: Bool? = state.withLock { state in
      guard state.status == .open, state.queue != nil, state.source == nil else { return nil }
      // Duplicates the descriptor: if two sources of one descriptor are suspended and resumed, Dispatch on Linux loses events.
      let (descriptor, queue) = (fcntl(connection.descriptor, F_DUPFD_CLOEXEC, 0), Self.sources)
      guard descriptor >= 0 else {
        failure = errno
        return nil
      }
      let source: any DispatchSourceProtocol =
        isInput
        ? DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        : DispatchSource.makeWriteSource(fileDescriptor: descriptor, queue: queue)
      connection.retain()
      source.setEventHandler { [weak self] in self?.isReadyNow() }
      source.setCancelHandler { [connection] in
        _ = Foundation.close(descriptor)
        connection.release()
      }
      state.source = source
      state.isSuspended = true
      defer { state.hasReportedOpen = true }
      return !state.hasReportedOpen
    }
    if let failure { fail(failure) }
    guard let isFirst else { return }
    if isFirst { send(.openCompleted) }
    arm()
  }

  /// Waits for the socket again after the delegate has used it.
  private func arm() {
    state.withLock { state in
      guard state.isSuspended, let source = state.source else { return }
      state.isSuspended = false
      source.resume()
    }
  }

  /// Delivers one event when the socket is ready, and suspends the source until the delegate has used the socket.
  private func isReadyNow() {
    state.withLock { state in
      guard !state.isSuspended, let source = state.source else { return }
      state.isSuspended = true
      source.suspend()
    }
    send(isInput ? .hasBytesAvailable : .hasSpaceAvailable)
  }

  private func send(_ event: Stream.Event) {
    guard let queue = state.withLock(\.queue) else { return }
    queue.async { [weak self] in self?.deliver(event, on: queue) }
  }

  /// Calls the delegate, unless the stream was closed or scheduled on another queue in the meantime.
  private func deliver(_ event: Stream.Event, on queue: DispatchQueue) {
    let call = state.withLock { state -> UncheckedBox<(Stream, any StreamDelegate)>? in
      guard state.status != .closed, state.queue === queue, let stream = state.stream,
        let delegate = state.delegate
      else { return nil }
      return UncheckedBox((stream, delegate))
    }
    guard let (stream, delegate) = call?.value else { return }
    delegate.stream(stream, handle: event)
  }

  /// Removes the source, and returns it ready to be cancelled: a suspended source must be resumed before its release.
  private static func takeSource(_ state: inout State) -> (any DispatchSourceProtocol)? {
    guard let source = state.source.take() else { return nil }
    if state.isSuspended { source.resume() }
    state.isSuspended = true
    return source
  }
}
