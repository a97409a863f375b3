import Foundation
import ReplayKit

/// A handler that connects at its start to a socket in the container, or to a local TCP port. A thread of this process acts
/// as the app: it reads everything, and answers each read with eight bytes.
class SocketHandler: RPBroadcastSampleHandler, @unchecked Sendable {
  fileprivate(set) final var socket: Int32 = -1
  fileprivate class var usesTCP: Bool { false }
  fileprivate final var port: UInt16 = 0

  override func broadcastStarted(withSetupInfo setupInfo: [String: NSObject]?) {
    guard !Self.usesTCP else { return startOverTCP() }
    let path = Self.file("probe.socket")
    // UNSAFE: the path is lent to the call as a C string.
    unsafe unlink(path)
    let listener = Darwin.socket(AF_UNIX, SOCK_STREAM, 0)
    // UNSAFE: the calls read the address.
    guard unsafe Self.withAddress(path, { unsafe Darwin.bind(listener, $0, $1) }) == 0,
      Darwin.listen(listener, 8) == 0
    else { return fail("The app cannot listen.") }
    Thread.detachNewThread { Self.serve(listener) }
    socket = Darwin.socket(AF_UNIX, SOCK_STREAM, 0)
    // UNSAFE: the calls read the address.
    guard unsafe Self.withAddress(path, { unsafe Darwin.connect(socket, $0, $1) }) == 0 else {
      return fail("The app does not listen.")
    }
    // UNSAFE: the path is lent to the call as a C string.
    unsafe unlink(path)
  }

  private func startOverTCP() {
    let listener = Darwin.socket(AF_INET, SOCK_STREAM, 0)
    var (address, size) = (sockaddr_in(), socklen_t(MemoryLayout<sockaddr_in>.size))
    // A socket without an address listens on a free port.
    guard Darwin.listen(listener, 8) == 0 else { return fail("The app cannot listen.") }
    // UNSAFE: the call fills the address, whose size it is given.
    _ = unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe getsockname(listener, $0, &size)
      }
    }
    port = UInt16(bigEndian: address.sin_port)
    Thread.detachNewThread { Self.serve(listener) }
    if !connectOverTCP() { fail("The app does not listen.") }
  }

  fileprivate final func connectOverTCP() -> Bool {
    socket = Darwin.socket(AF_INET, SOCK_STREAM, 0)
    var address = sockaddr_in()
    (address.sin_family, address.sin_port) = (sa_family_t(AF_INET), port.bigEndian)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    // UNSAFE: the call takes the address through its first member.
    return unsafe withUnsafePointer(to: address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe Darwin.connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
  }

  /// Sends `count` bytes; returns whether that succeeded.
  final func send(_ count: Int) -> Bool {
    var rest = [UInt8](repeating: 1, count: count)[...]
    while !rest.isEmpty {
      // UNSAFE: the call reads the bytes of the slice.
      let sent = unsafe rest.withUnsafeBytes {
        unsafe Darwin.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard sent > 0 else { return false }
      rest = rest.dropFirst(sent)
    }
    return true
  }

  private static func serve(_ listener: Int32) {
    while true {
      let connection = unsafe Darwin.accept(listener, nil, nil)
      guard connection >= 0 else { return }
      Thread.detachNewThread {
        var bytes = [UInt8](repeating: 0, count: 65_536)
        // UNSAFE: the calls stay within the array.
        unsafe bytes.withUnsafeMutableBytes { buffer in
          while unsafe Darwin.recv(connection, buffer.baseAddress, buffer.count, 0) > 0 {
            // Not blocking, because most handlers read no answer.
            let flags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
            _ = unsafe Darwin.send(connection, buffer.baseAddress, 8, flags)
          }
        }
        Darwin.close(connection)
      }
    }
  }

  /// The address of a Unix socket, for the calls that take one.
  static func withAddress(
    _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    // UNSAFE: at most as many bytes as the path has room for.
    unsafe withUnsafeMutableBytes(of: &address.sun_path) {
      unsafe $0.copyBytes(from: path.utf8.prefix(103))
    }
    // UNSAFE: the address of a Unix socket, as the calls take it.
    return unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }
}

/// Ignores that its connection is lost.
class UnawareHandler: SocketHandler, @unchecked Sendable {
  override func processSampleBuffer(
    _ sampleBuffer: CMSampleBuffer, with sampleBufferType: RPSampleBufferType
  ) { _ = send(1000) }
}

/// Writes to a socket whose remote end is closed, without suppressing SIGPIPE.
class BrokenPipeHandler: RPBroadcastSampleHandler {
  fileprivate func refuse(_ socket: Int32) {}

  override final func broadcastStarted(withSetupInfo setupInfo: [String: NSObject]?) {
    var ends: [Int32] = [-1, -1]
    // UNSAFE: the call fills both elements.
    guard unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0 else {
      return fail("There is no socket.")
    }
    refuse(ends[0])
    Darwin.close(ends[1])
    // UNSAFE: the calls read the bytes of the array.
    unsafe [1, 2, 3, 4].withUnsafeBytes {
      unsafe _ = Darwin.send(ends[0], $0.baseAddress, $0.count, 0)
      unsafe _ = Darwin.write(ends[0], $0.baseAddress, $0.count)
    }
    fail("The app is gone.")
  }
}

final class QuietSocketHandler: BrokenPipeHandler {
  override fileprivate func refuse(_ socket: Int32) {
    var on: Int32 = 1
    // UNSAFE: the option's value is a local variable of its type.
    unsafe setsockopt(socket, SOL_SOCKET, SO_NOSIGPIPE, &on, socklen_t(MemoryLayout<Int32>.size))
  }
}

final class QuietProcessHandler: BrokenPipeHandler {
  override fileprivate func refuse(_ socket: Int32) { _ = signal(SIGPIPE, SIG_IGN) }
}

/// Ignores that its TCP connection is lost.
final class UnawareTCPHandler: UnawareHandler, @unchecked Sendable {
  override class var usesTCP: Bool { true }
}

/// Reconnects over TCP when its connection is lost.
final class ReconnectingHandler: SocketHandler, @unchecked Sendable {
  override class var usesTCP: Bool { true }

  override func processSampleBuffer(_ sampleBuffer: CMSampleBuffer, with type: RPSampleBufferType) {
    guard !send(1000) else { return }
    Darwin.close(socket)
    _ = connectOverTCP()
  }
}

/// Reconnects, but mistakes the failed send for one that is still in progress.
final class StuckHandler: SocketHandler, @unchecked Sendable {
  private var isSending = false
  override class var usesTCP: Bool { true }

  override func processSampleBuffer(_ sampleBuffer: CMSampleBuffer, with type: RPSampleBufferType) {
    guard !isSending else { return }
    isSending = !send(1000)
    if isSending { isSending = connectOverTCP() }
  }
}

/// Sends its app one request over TCP, as for a server's configuration, and closes the connection.
final class OneRequestHandler: SocketHandler, @unchecked Sendable {
  override class var usesTCP: Bool { true }

  override func broadcastStarted(withSetupInfo setupInfo: [String: NSObject]?) {
    super.broadcastStarted(withSetupInfo: setupInfo)
    _ = send(10)
    Darwin.close(socket)
  }
}

final class ListeningHandler: RPBroadcastSampleHandler {
  override func broadcastStarted(withSetupInfo setupInfo: [String: NSObject]?) {
    let (path, listener) = (Self.file("left.socket"), Darwin.socket(AF_UNIX, SOCK_STREAM, 0))
    // UNSAFE: the path is lent to the call as a C string, and the second call reads the address.
    unsafe unlink(path)
    let isBound = unsafe SocketHandler.withAddress(path, { unsafe Darwin.bind(listener, $0, $1) }) == 0
    if !isBound || Darwin.listen(listener, 8) != 0 { fail("The extension cannot listen.") }
  }
}

/// Blocks until the app has received each frame.
final class PatientHandler: SocketHandler, @unchecked Sendable {
  override func processSampleBuffer(
    _ sampleBuffer: CMSampleBuffer, with sampleBufferType: RPSampleBufferType
  ) { if !send(1_000_000) { fail("The app is not there.") } }
}

/// Assumes that each receive returns complete answers.
final class HastyHandler: SocketHandler, @unchecked Sendable {
  override func broadcastStarted(withSetupInfo setupInfo: [String: NSObject]?) {
    super.broadcastStarted(withSetupInfo: setupInfo)
    Thread.detachNewThread { [self] in
      var (bytes, count) = ([UInt8](repeating: 0, count: 4096), 1)
      while count > 0 {
        // UNSAFE: the call fills the array at most.
        count = unsafe bytes.withUnsafeMutableBytes {
          unsafe Darwin.recv(socket, $0.baseAddress, $0.count, 0)
        }
        precondition(count <= 0 || count % 8 == 0, "The answer is incomplete.")
      }
    }
  }

  override func processSampleBuffer(
    _ sampleBuffer: CMSampleBuffer, with sampleBufferType: RPSampleBufferType
  ) { if !send(1000) { fail("The app is not there.") } }
}

/// A correct handler: it needs its app, connects to the app's socket, and ends the broadcast when the connection ends.
final class DependentHandler: SocketHandler, @unchecked Sendable {
  override func broadcastStarted(withSetupInfo setupInfo: [String: NSObject]?) {
    socket = Darwin.socket(AF_UNIX, SOCK_STREAM, 0)
    // UNSAFE: the calls read the address.
    guard unsafe Self.withAddress(Self.file("app"), { unsafe Darwin.connect(socket, $0, $1) }) == 0 else {
      return fail("The app is not there.")
    }
    Thread.detachNewThread { [self] in
      var byte: UInt8 = 0
      // UNSAFE: the call fills the byte.
      while unsafe Darwin.recv(socket, &byte, 1, 0) > 0 {}
      fail("The app has ended.")
    }
  }

  override func processSampleBuffer(
    _ sampleBuffer: CMSampleBuffer, with sampleBufferType: RPSampleBufferType
  ) { _ = send(1000) }
}
