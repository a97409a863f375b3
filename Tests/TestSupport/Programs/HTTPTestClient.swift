// The C library's declarations are hidden behind `_GNU_SOURCE`.
@_silgen_name("setns") private func enterNamespace(_ file: Int32, _ kind: Int32) -> Int32
private let networkNamespace: Int32 = 0x4000_0000  // CLONE_NEWNET

/// An HTTP client over a plain socket. It sends the text that a test provides, and waits for the server's bytes.
package final class HTTPTestClient {
  private let socket: FileDescriptor
  private var received: [UInt8] = []
  package private(set) var hasEnded = false

  /// Connects to a port of this host, or of the network namespace of a process.
  package init(_ port: UInt16, inNetworkOf process: Int32? = nil) throws {
    socket = try process.map { try Self.connect(port, inNetworkOf: $0) } ?? System.connect(port: port)
  }

  /// Connects to a port of this host, and sends a request with the matching `Host` field.
  package convenience init(_ port: UInt16, asking line: String, fields: [String] = [], body: String = "")
    throws
  {
    try self.init(port)
    send(request(line, port: port, fields: fields, body: body))
  }

  /// Connects on a separate thread, because a socket belongs to the network namespace of the thread that creates it.
  private static func connect(_ port: UInt16, inNetworkOf process: Int32) throws -> FileDescriptor {
    let socket = Mutex<FileDescriptor?>(nil)
    let failure = Mutex<(any Error)?>(nil)
    let end = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      defer { end.signal() }
      do {
        let network = URL(filePath: "/proc/\(process)/ns/net")
        let file = try FileHandle(forReadingFrom: network)
        guard enterNamespace(file.fileDescriptor, networkNamespace) == 0 else {
          throw FileError(.call("setns", .current), network.path)
        }
        try socket.withLock { $0 = try System.connect(port: port) }
      } catch {
        failure.withLock { $0 = error }
      }
    }
    end.wait()
    if let error = failure.withLock({ $0 }) { throw error }
    guard let connection = socket.withLock({ $0.take() }) else {
      preconditionFailure("no socket and no error")
    }
    return connection
  }

  /// Sends as much of a text as the socket accepts. Returns whether it accepted all.
  @discardableResult
  package func send(_ text: String) -> Bool { send(Array(text.utf8)) }

  @discardableResult
  package func send(_ bytes: [UInt8]) -> Bool {
    do { return try System.sendAvailable(bytes, from: 0, to: socket) == bytes.count } catch { return false }
  }

  /// Receives a part of the available bytes, and discards it. Returns the number of bytes.
  @discardableResult
  package func receiveOnce() -> Int {
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    do {
      guard let count = try System.receiveAvailable(socket, into: &buffer) else { return 0 }
      hasEnded = count == 0
      return count
    } catch {
      hasEnded = true
      return 0
    }
  }

  package func receive() {
    var buffer = [UInt8](repeating: 0, count: 256 << 10)
    do {
      while let count = try System.receiveAvailable(socket, into: &buffer) {
        if count == 0 { return hasEnded = true }
        received += buffer[..<count]
      }
    } catch {
      hasEnded = true
    }
  }

  package var bytes: [UInt8] {
    receive()
    return received
  }

  package var text: String {
    receive()
    return String(decoding: received, as: UTF8.self)
  }

  package var byteCount: Int {
    receive()
    return received.count
  }

  /// Waits until the received text contains `part` at least this many times.
  package func gets(_ part: String, times: Int = 1) -> Bool {
    holds { text.components(separatedBy: part).count > times }
  }

  /// Waits until the server has closed the connection.
  package func isClosed() -> Bool {
    holds {
      receive()
      return hasEnded
    }
  }
}

package func request(_ line: String, port: UInt16, fields: [String] = [], body: String = "") -> String {
  ([line + " HTTP/1.1", "Host: 127.0.0.1:\(port)"] + fields).joined(separator: "\r\n") + "\r\n\r\n" + body
}
