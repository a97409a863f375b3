import Glibc
import Platform

/// The sending end of a Unix stream socket: the frame's bytes, or what a codec makes of them.
final class SocketSender: FrameSender {
  /// Lends the bytes of the next frame to its argument.
  typealias Encode = (_ write: (Span<UInt8>) throws -> Void) throws -> Void

  /// The publish time in nanoseconds, and the number of bytes that follow.
  static let headerByteCount = 16

  private let listener: UnixSocket
  private var connection: UnixSocket?
  private let encode: Encode

  init(_ job: Job, encode: @escaping Encode) throws {
    listener = try UnixSocket(path: job.path, listens: true)
    self.encode = encode
  }

  func send() throws {
    let connection = try accepted()
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

  func finish() throws {
    // Without time for a frame, the receiver was not accepted yet, and would wait without end.
    _ = try accepted()
    connection = nil
  }

  /// The connection of the receiver, which the first call accepts.
  private func accepted() throws -> UnixSocket {
    let connection = try self.connection ?? listener.accept()
    self.connection = connection
    return connection
  }
}

/// The receiving end, which sums the bytes of a complete frame, or has a codec make an object of them.
final class SocketReceiver: PolledReceiver {
  typealias Decode = (Span<UInt8>) throws -> AnyObject

  private let connection: UnixSocket
  private let decode: Decode?
  private var buffer: [UInt8]

  init(_ job: Job, decode: Decode? = nil) throws {
    connection = try UnixSocket(path: job.path, listens: false)
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

/// A Unix stream socket for whole messages.
private final class UnixSocket {
  private let file: FileDescriptor

  private init(_ file: consuming FileDescriptor) { self.file = file }

  /// A socket that listens at a path, or one that is connected to it.
  convenience init(path: String, listens: Bool) throws {
    let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    let descriptor = try System.retrying("socket", path) { socket(AF_UNIX, type, 0) }
    self.init(FileDescriptor(descriptor, path: path))
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    guard path.utf8.count < MemoryLayout.size(ofValue: address.sun_path) else {
      throw Failure("\(path) is too long for a socket; name a shorter folder with --folder")
    }
    // UNSAFE: the path fits, and the rest of the struct is zero.
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
    _ = try System.retrying(listens ? "bind" : "connect", path) {
      // UNSAFE: the calls take the address of any socket through its first member.
      unsafe withUnsafePointer(to: address) { address in
        unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          unsafe (listens ? bind : connect)(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
      }
    }
    if listens { _ = try System.retrying("listen", path) { listen(descriptor, 1) } }
  }

  func accept() throws -> UnixSocket {
    let listener = file.rawValue
    let descriptor = try System.retrying("accept", file.path) { Glibc.accept(listener, nil, nil) }
    return UnixSocket(FileDescriptor(descriptor, path: file.path))
  }

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
