import Foundation
import Synchronization

/// The socket of a pair of streams. One of the streams may be missing.
///
/// If `closesSocket` is set, the socket is closed when its last user is gone. A user is an open stream, an event
/// source, a read or a write.
final class SocketConnection: Sendable {
  let descriptor: Int32
  /// The queue of the delegate's calls for a run loop other than the main run loop.
  let queue = DispatchQueue(label: "stream", qos: .userInitiated)
  private let state = Mutex(State())

  private struct State {
    var closesSocket = false
    var users = 0
  }

  init(_ descriptor: Int32) { self.descriptor = descriptor }

  func retain() { state.withLock { $0.users += 1 } }

  /// Removes a user of the socket. If it was the last user, the socket is closed if requested.
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

/// Apple has no such name; code here uses `InputStream`.
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
  /// No event follows. A read that is waiting returns -1.
  public override func close() { events.close() }
  public override var streamStatus: Stream.Status { events.status }
  public override var streamError: (any Error)? { events.error }
  public override var hasBytesAvailable: Bool { events.isReady }

  public override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength len: Int) -> Int {
    events.transfer { descriptor in
      // UNSAFE: the caller's memory of `len` bytes.
      let count = unsafe recv(descriptor, buffer, len, MSG_DONTWAIT)
      // If a peer closes without reading all bytes, Linux resets the connection, and Darwin reports the end.
      return count < 0 && errno == ECONNRESET ? 0 : count
    }
  }

  public override func getBuffer(
    _ buffer: UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>, length len: UnsafeMutablePointer<Int>
  ) -> Bool { false }

  public override func setProperty(_ property: AnyObject?, forKey key: Stream.PropertyKey) -> Bool {
    connection.setProperty(property, forKey: key)
  }

  /// Calls the delegate on the main queue for the main run loop, otherwise on the socket's queue. Events do not depend
  /// on run loops, because on Linux run loops without a source return at once.
  public override func schedule(in aRunLoop: RunLoop, forMode mode: RunLoop.Mode) {
    events.schedule(in: aRunLoop)
  }
  public override func remove(from aRunLoop: RunLoop, forMode mode: RunLoop.Mode) { events.schedule(on: nil) }
}

/// Apple has no such name; code here uses `OutputStream`.
public final class SocketOutputStream: OutputStream {
  private let connection: SocketConnection
  let events: StreamEvents

  init(_ connection: SocketConnection) {
    self.connection = connection
    events = StreamEvents(connection, isInput: false)
    super.init(toMemory: ())
    events.attach(self)
  }

  /// Fails on open, because it has no socket. Foundation requires this initialiser of a subclass.
  public required convenience init(toMemory: ()) { self.init(SocketConnection(-1)) }

  deinit { close() }

  public override var delegate: (any StreamDelegate)? {
    get { events.delegate }
    set { events.delegate = newValue }
  }
  public override func open() { events.open() }
  /// No event follows. A write that is waiting returns -1.
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
