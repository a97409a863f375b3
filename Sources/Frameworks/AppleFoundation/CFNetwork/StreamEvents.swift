import Foundation
import Synchronization

/// The state of a stream over a socket, and the calls of its delegate.
///
/// One event of a kind is delivered at a time: after "has bytes" the next follows a read, after "has space" a write. At the
/// end of an input, "has bytes" comes first, as the socket is readable, and "end encountered" after the read of 0 bytes.
final class StreamEvents: @unchecked Sendable {
  // Unchecked `Sendable`: `state` is protected by its lock. The stream and the delegate are objects of Foundation that
  // are not marked; their calls are made on one queue, as those of a run loop are made on one thread.

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

  private let descriptor: Int32
  private let isInput: Bool
  private let ownQueue: DispatchQueue
  private let state = Mutex(State())

  /// - Parameter queue: the queue in place of a run loop other than the main one, the same for both streams of a socket.
  init(_ descriptor: Int32, isInput: Bool, queue: DispatchQueue) {
    ownQueue = queue
    self.descriptor = descriptor
    self.isInput = isInput
  }

  func attach(_ stream: Stream) {
    let transferred = Transferred(stream)
    state.withLock { $0.stream = transferred.value }
  }

  var delegate: (any StreamDelegate)? {
    get { state.withLock { Transferred($0.delegate) }.value }
    set {
      let transferred = Transferred(newValue)
      state.withLock { $0.delegate = transferred.value }
    }
  }
  var status: Stream.Status { state.withLock(\.status) }
  var error: NSError? { state.withLock { Transferred($0.error) }.value }

  /// Whether the stream is open, and a read or a write returns at once.
  var isReady: Bool { status == .open && poll(0) }

  func open() {
    state.withLock { if $0.status == .notOpen { $0.status = .open } }
    start()
  }

  /// Ends the events. `release` is called once, when no event source uses the socket any more.
  func close(_ release: @escaping @Sendable () -> Void) {
    let (isOpen, source) = state.withLock { state -> (Bool, Transferred<(any DispatchSourceProtocol)?>) in
      guard state.status != .closed else { return (false, Transferred(nil)) }
      state.status = .closed
      return (true, Transferred(Self.takeSource(&state)))
    }
    guard isOpen else { return }
    guard let source = source.value else { return release() }
    source.setCancelHandler(handler: release)
    source.cancel()
  }

  func schedule(in runLoop: RunLoop) {
    schedule(on: runLoop === RunLoop.main ? .main : ownQueue)
  }

  /// Starts the events on a queue, or ends them.
  func schedule(on queue: DispatchQueue?) {
    let old = state.withLock { state in
      state.queue = queue
      return Transferred(Self.takeSource(&state))
    }
    old.value?.cancel()
    start()
  }

  /// Calls `body` with the socket when it is ready. Returns the number of bytes; -1 for an error, which is an event too.
  func transfer(_ body: (Int32) -> Int) -> Int {
    guard status == .open || status == .atEnd else { return -1 }
    var count: Int
    repeat {
      guard poll(-1) else { continue }
      count = body(descriptor)
      if count >= 0 || (errno != EINTR && errno != EAGAIN) { return finish(count) }
    } while true
  }

  private func finish(_ count: Int) -> Int {
    if count > 0 {
      arm()
    } else if count == 0, isInput {
      state.withLock { $0.status = .atEnd }
      send(.endEncountered)
    } else if count < 0 {
      let error = Transferred(NSError(domain: NSPOSIXErrorDomain, code: Int(errno)))
      state.withLock { state in
        state.status = .error
        state.error = error.value
      }
      send(.errorOccurred)
    }
    return count
  }

  /// Waits for the socket; for no time with 0, without limit with -1.
  private func poll(_ milliseconds: Int32) -> Bool {
    var request = pollfd(fd: descriptor, events: Int16(isInput ? POLLIN : POLLOUT), revents: 0)
    // UNSAFE: a local variable.
    return unsafe Foundation.poll(&request, 1, milliseconds) > 0
  }

  /// Starts the events of a stream that is open and scheduled.
  private func start() {
    let isFirst: Bool? = state.withLock { state in
      guard state.status == .open, let queue = state.queue, state.source == nil else { return nil }
      let source: any DispatchSourceProtocol =
        isInput
        ? DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        : DispatchSource.makeWriteSource(fileDescriptor: descriptor, queue: queue)
      source.setEventHandler { [weak self] in self?.isReadyNow() }
      state.source = source
      state.isSuspended = true
      defer { state.hasReportedOpen = true }
      return !state.hasReportedOpen
    }
    guard let isFirst else { return }
    if isFirst { send(.openCompleted) }
    arm()
  }

  /// Waits for the socket again, after the delegate has used it.
  private func arm() {
    state.withLock { state in
      guard state.isSuspended, let source = state.source else { return }
      state.isSuspended = false
      source.resume()
    }
  }

  /// The socket is ready: one event, until the delegate has used it.
  private func isReadyNow() {
    state.withLock { state in
      guard !state.isSuspended, let source = state.source else { return }
      state.isSuspended = true
      source.suspend()
    }
    deliver(isInput ? .hasBytesAvailable : .hasSpaceAvailable)
  }

  private func send(_ event: Stream.Event) {
    state.withLock { $0.queue }?.async { [weak self] in self?.deliver(event) }
  }

  private func deliver(_ event: Stream.Event) {
    let call = state.withLock { state -> Transferred<(Stream, any StreamDelegate)>? in
      guard state.status != .closed, state.queue != nil, let stream = state.stream,
        let delegate = state.delegate
      else { return nil }
      return Transferred((stream, delegate))
    }
    guard let (stream, delegate) = call?.value else { return }
    delegate.stream(stream, handle: event)
  }

  /// Takes the source, ready to be cancelled: a suspended source must be resumed before its release.
  private static func takeSource(_ state: inout State) -> (any DispatchSourceProtocol)? {
    guard let source = state.source.take() else { return nil }
    if state.isSuspended { source.resume() }
    state.isSuspended = true
    return source
  }

  /// An object of Foundation that is used outside of the lock.
  private struct Transferred<Value>: @unchecked Sendable {
    let value: Value
    init(_ value: Value) { self.value = value }
  }
}
