import Foundation
import Platform
import WorkerSupport

/// A client over a plain socket, which sends what a test says and waits for what the server sends.
package final class HTTPTestClient {
  private let socket: FileDescriptor
  private var received: [UInt8] = []
  package private(set) var hasEnded = false

  package init(_ port: UInt16) throws { socket = try System.connect(port: port) }

  /// Sends as much of a text as the server takes; `false` if it takes no more.
  @discardableResult
  package func send(_ text: String) -> Bool { send(Array(text.utf8)) }

  @discardableResult
  package func send(_ bytes: [UInt8]) -> Bool {
    do { return try System.sendAvailable(bytes, from: 0, to: socket) == bytes.count } catch { return false }
  }

  /// Receives what has come.
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

  /// The bytes that have come so far.
  package var bytes: [UInt8] {
    receive()
    return received
  }

  /// What has come so far.
  package var text: String {
    receive()
    return String(decoding: received, as: UTF8.self)
  }

  package var byteCount: Int {
    receive()
    return received.count
  }

  /// Waits until the text holds `part` this many times.
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

/// A request with the right host.
package func request(
  _ line: String, port: UInt16, fields: [String] = [], body: String = ""
) -> String {
  ([line + " HTTP/1.1", "Host: 127.0.0.1:\(port)"] + fields).joined(separator: "\r\n") + "\r\n\r\n" + body
}
