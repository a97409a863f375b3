import Foundation
import Synchronization

/// The socket of two streams, of which one may be missing.
///
/// The socket is closed, if that is set, when it has no user left: a stream that is not closed, an event source, a read or
/// a write.
final class SocketConnection: Sendable {
  let descriptor: Int32
  /// The queue of the delegate's calls, in place of a run loop other than the main one.
  let queue = DispatchQueue(label: "stream", qos: .userInitiated)
  private let state = Mutex(State())

  private struct State {
    var closesSocket = false
    var users = 0
  }

  init(_ descriptor: Int32) { self.descriptor = descriptor }

  /// Adds a user of the socket.
  func retain() { state.withLock { $0.users += 1 } }

  /// Removes a user of the socket.
  func release() {
    let isLast = state.withLock { state in
      state.users -= 1
      return state.users == 0 && state.closesSocket
    }
    if isLast { _ = Foundation.close(descriptor) }
  }

  func setProperty(_ value: AnyObject?, forKey key: Stream.PropertyKey) -> Bool {
    guard key.rawValue == kCFStreamPropertyShouldCloseNativeSocket else { return false }
    let closes = (value as? NSNumber)?.boolValue ?? false
    state.withLock { $0.closesSocket = closes }
    return true
  }
}

/// Not a name of Apple's; code uses `InputStream`.
public final class SocketInputStream: InputStream {
  private let connection: SocketConnection
  let events: StreamEvents

  init(_ connection: SocketConnection) {
    self.connection = connection
    events = StreamEvents(connection, isInput: true)
    super.init(data: Data())
    events.attach(self)
  }

  deinit { close() }

  public override var delegate: (any StreamDelegate)? {
    get { events.delegate }
    set { events.delegate = newValue }
  }
  public override func open() { events.open() }
  /// No event follows, and a read that waits returns -1.
  public override func close() { events.close() }
  public override var streamStatus: Stream.Status { events.status }
  public override var streamError: (any Error)? { events.error }
  public override var hasBytesAvailable: Bool { events.isReady }

  public override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength len: Int) -> Int {
    events.transfer { descriptor in
      // UNSAFE: the caller's memory of `len` bytes.
      let count = unsafe recv(descriptor, buffer, len, MSG_DONTWAIT)
      // Linux resets a connection whose peer leaves without reading all; Darwin reports the end.
      return count < 0 && errno == ECONNRESET ? 0 : count
    }
  }

  public override func getBuffer(
    _ buffer: UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>, length len: UnsafeMutablePointer<Int>
  ) -> Bool { false }

  public override func setProperty(_ property: AnyObject?, forKey key: Stream.PropertyKey) -> Bool {
    connection.setProperty(property, forKey: key)
  }

  /// Calls the delegate on the main queue for the main run loop, else on the socket's queue. On Linux, run
  /// loops return at once without a source, so events do not depend on them.
  public override func schedule(in aRunLoop: RunLoop, forMode mode: RunLoop.Mode) {
    events.schedule(in: aRunLoop)
  }
  public override func remove(from aRunLoop: RunLoop, forMode mode: RunLoop.Mode) { events.schedule(on: nil) }
}

/// Not a name of Apple's; code uses `OutputStream`.
public final class SocketOutputStream: OutputStream {
  private let connection: SocketConnection
  let events: StreamEvents

  init(_ connection: SocketConnection) {
    self.connection = connection
    events = StreamEvents(connection, isInput: false)
    super.init(toMemory: ())
    events.attach(self)
  }

  /// Fails when it is opened, as it has no socket. Foundation demands this initialiser of a subclass.
  public required convenience init(toMemory: ()) { self.init(SocketConnection(-1)) }

  deinit { close() }

  public override var delegate: (any StreamDelegate)? {
    get { events.delegate }
    set { events.delegate = newValue }
  }
  public override func open() { events.open() }
  /// No event follows, and a write that waits returns -1.
  public override func close() { events.close() }
  public override var streamStatus: Stream.Status { events.status }
  public override var streamError: (any Error)? { events.error }
  public override var hasSpaceAvailable: Bool { events.isReady }

  public override func write(_ buffer: UnsafePointer<UInt8>, maxLength len: Int) -> Int {
    // UNSAFE: the caller's memory of `len` bytes.
    events.transfer { unsafe send($0, buffer, len, Int32(MSG_NOSIGNAL) | MSG_DONTWAIT) }
  }

  public override func setProperty(_ property: AnyObject?, forKey key: Stream.PropertyKey) -> Bool {
    connection.setProperty(property, forKey: key)
  }

  public override func schedule(in aRunLoop: RunLoop, forMode mode: RunLoop.Mode) {
    events.schedule(in: aRunLoop)
  }
  public override func remove(from aRunLoop: RunLoop, forMode mode: RunLoop.Mode) { events.schedule(on: nil) }
}
