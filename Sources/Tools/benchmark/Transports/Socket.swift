import Foundation
import Glibc
import Platform

/// The sending end of a Unix stream socket: the frame's bytes, or what a codec makes of them.
final class SocketSender: FrameSender {
  /// Lends the bytes of the next frame to its argument.
  typealias Encode = (_ write: (Span<UInt8>) throws -> Void) throws -> Void

  /// The publish time in nanoseconds, and the number of bytes that follow.
  static let headerByteCount = 16

  private let listener: FileDescriptor
  private var connection: Connection?
  private let encode: Encode

  init(_ job: Job, encode: @escaping Encode) throws {
    listener = try job.socketPlace { name, folder in try System.listen(name, in: folder) }
    self.encode = encode
  }

  func send() throws {
    let connection = try self.connection ?? accept()
    self.connection = connection
    let publishTime = SystemClock().now.nanoseconds
    try encode { bytes in
      var header = Array(repeating: UInt8(0), count: Self.headerByteCount)
      var fields = header.mutableSpan
      fields.storeLittleEndian(publishTime, at: 0)
      fields.storeLittleEndian(bytes.count, at: 8)
      try connection.write(header.span)
      try connection.write(bytes)
    }
  }

  func finish() { connection = nil }

  /// The receiver has connected before the first frame.
  private func accept() throws -> Connection {
    guard let file = try System.accept(listener) else { throw Failure("no receiver is connected") }
    return Connection(file)
  }
}

/// The receiving end, which sums the bytes of a complete frame, or has a codec make an object of them.
final class SocketReceiver: PolledReceiver {
  typealias Decode = (Span<UInt8>) throws -> AnyObject

  private let connection: Connection
  private let decode: Decode?
  private var buffer: [UInt8]

  init(_ job: Job, decode: Decode? = nil) throws {
    connection = Connection(
      try job.socketPlace { try System.connect($0, in: $1, waitingAtMost: .seconds(60)) })
    self.decode = decode
    buffer = Array(repeating: 0, count: job.frameByteCount)
  }

  func poll() throws -> Poll {
    guard try connection.read(into: &buffer, count: SocketSender.headerByteCount) else { return .ended }
    let publishTime = MonotonicTime(nanoseconds: buffer.span.loadLittleEndian(at: 0))
    let count = min(buffer.span.loadLittleEndian(at: 8), buffer.count)
    guard try connection.read(into: &buffer, count: count) else { return .ended }
    let frame = buffer
    let bytes = frame.span.extracting(first: count)
    // The age of the frame includes the time of the codec.
    let object: AnyObject? = if let decode { try decode(bytes) } else { nil }
    let age = SystemClock().now - publishTime
    if let object { Keep.object(object) } else { Keep.value(bytes.sum) }
    return .frame(age: age)
  }
}

extension Job {
  /// Calls `body` with the name of the pair's socket and its open folder.
  fileprivate func socketPlace(
    _ body: (String, borrowing FileDescriptor) throws -> FileDescriptor
  ) throws -> FileDescriptor {
    let url = URL(filePath: path)
    return try body(
      url.lastPathComponent, try System.open(url.deletingLastPathComponent().path, System.folder))
  }
}

/// A connection for whole messages.
private final class Connection {
  private let file: FileDescriptor

  init(_ file: consuming FileDescriptor) { self.file = file }

  func write(_ bytes: Span<UInt8>) throws {
    let descriptor = file.rawValue
    var written = 0
    while written < bytes.count {
      written += try System.retrying("send", file.path) {
        // UNSAFE: the bytes behind those written.
        unsafe bytes.extracting(droppingFirst: written).withUnsafeBytes {
          unsafe send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
      }
    }
  }

  /// Reads `count` bytes to the start of the buffer; returns `false` if the other end has closed.
  func read(into buffer: inout [UInt8], count: Int) throws -> Bool {
    let descriptor = file.rawValue
    return try System.retrying("recv", file.path) {
      // UNSAFE: at most the bytes of the buffer.
      unsafe buffer.withUnsafeMutableBytes {
        unsafe recv(descriptor, $0.baseAddress, min(count, $0.count), Int32(MSG_WAITALL))
      }
    } == count
  }
}
