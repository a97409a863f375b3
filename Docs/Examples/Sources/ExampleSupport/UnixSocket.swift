import Foundation
import ReplayKit

/// A stream socket in a folder that both processes can reach. All calls block.
public final class UnixSocket: @unchecked Sendable {
  /// The failure of a call on a socket.
  public struct Failure: Error, CustomStringConvertible {
    /// The call, and the system's reason.
    public let description: String

    init(_ call: String) { description = "\(call): \(String(cString: strerror(errno)))" }
    init(text: String) { description = text }
  }

  private let descriptor: Int32

  private init(_ descriptor: Int32) { self.descriptor = descriptor }

  deinit { close(descriptor) }

  /// Returns a socket that listens at `path`, in place of an orphaned one.
  public static func listening(at path: String) throws -> UnixSocket {
    unlink(path)
    let socket = try make()
    let result = try withAddress(path) { bind(socket.descriptor, $0, $1) }
    guard result == 0 else { throw Failure("bind") }
    guard listen(socket.descriptor, 1) == 0 else { throw Failure("listen") }
    return socket
  }

  /// Returns a socket that is connected to the one that listens at `path`.
  public static func connected(to path: String) throws -> UnixSocket {
    let socket = try make()
    let result = try withAddress(path) { connect(socket.descriptor, $0, $1) }
    guard result == 0 else { throw Failure("connect to \(path)") }
    return socket
  }

  /// Waits for the next connection.
  public func accept() throws -> UnixSocket {
    let connection = Foundation.accept(descriptor, nil, nil)
    guard connection >= 0 else { throw Failure("accept") }
    return UnixSocket(connection)
  }

  /// Sends all of the bytes.
  public func send(_ bytes: UnsafeRawBufferPointer) throws {
    var rest = bytes[...]
    while let start = UnsafeRawBufferPointer(rebasing: rest).baseAddress, !rest.isEmpty {
      let count = Foundation.send(descriptor, start, rest.count, Int32(MSG_NOSIGNAL))
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { throw Failure("send") }
      rest = rest.dropFirst(count)
    }
  }

  /// Receives exactly `count` bytes; `nil` if the other side has closed before the first byte.
  public func receive(_ count: Int) throws -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    var received = 0
    while received < count {
      let piece = bytes.withUnsafeMutableBytes {
        recv(descriptor, $0.baseAddress.map { $0 + received }, count - received, 0)
      }
      if piece < 0 && errno == EINTR { continue }
      if piece == 0 && received == 0 { return nil }
      guard piece > 0 else {
        throw piece == 0 ? Failure(text: "the stream ends within a frame") : Failure("recv")
      }
      received += piece
    }
    return bytes
  }

  /// Sends a frame: its header, and then its rows. The header must belong to the same sample.
  public func send(_ sample: CMSampleBuffer, _ header: FrameHeader) throws {
    guard let pixelBuffer = CMSampleBufferGetImageBuffer(sample) else { return }
    try header.bytes.withUnsafeBytes { try send($0) }
    try forEachRow(of: pixelBuffer) { try send($0) }
  }

  /// Receives a frame, and checks the checksum of its pixels; `nil` if the other side has closed.
  public func receiveFrame() throws -> (header: FrameHeader, pixels: [UInt8])? {
    guard let start = try receive(FrameHeader.byteCount) else { return nil }
    guard let header = FrameHeader(start) else { throw Failure(text: "a frame begins with \(start)") }
    guard let pixels = try receive(header.payload) else { throw Failure(text: "a frame has no pixels") }
    guard header.isChecksum(of: pixels) else {
      throw Failure(text: "the pixels are not those of the sample when it arrived")
    }
    return (header, pixels)
  }

  private static func make() throws -> UnixSocket {
    let descriptor = Darwin.socket(AF_UNIX, SOCK_STREAM, 0)
    guard descriptor >= 0 else { throw Failure("socket") }
    return UnixSocket(descriptor)
  }

  private static func withAddress(
    _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) throws -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    // The limit is 103 on a device and 107 here. A path that does not fit there must not work here.
    guard path.utf8.count <= 103 else { throw Failure(text: "\(path) is too long for a socket's address") }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }
}
