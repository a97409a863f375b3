import Foundation
import Platform
import TestSupport

/// A client over a plain socket, which sends what a test says and waits for what the server sends.
final class TestClient {
  private let socket: FileDescriptor
  private var received: [UInt8] = []
  private(set) var hasEnded = false

  init(_ port: UInt16) throws { socket = try System.connect(port: port) }

  /// Sends as much of a text as the server takes; `false` if it takes no more.
  @discardableResult
  func send(_ text: String) -> Bool { send(Array(text.utf8)) }

  @discardableResult
  func send(_ bytes: [UInt8]) -> Bool {
    do { return try System.sendAvailable(bytes, from: 0, to: socket) == bytes.count } catch { return false }
  }

  /// Receives what has come.
  func receive() {
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

  /// What has come so far.
  var text: String {
    receive()
    return String(decoding: received, as: UTF8.self)
  }

  var byteCount: Int {
    receive()
    return received.count
  }

  /// Waits until the text holds `part` this many times.
  func gets(_ part: String, times: Int = 1) -> Bool {
    holds { text.components(separatedBy: part).count > times }
  }

  /// Waits until the server has closed the connection.
  func isClosed() -> Bool {
    holds {
      receive()
      return hasEnded
    }
  }
}

/// A request with the right host.
func request(
  _ line: String, port: UInt16, fields: [String] = [], body: String = ""
) -> String {
  ([line + " HTTP/1.1", "Host: 127.0.0.1:\(port)"] + fields).joined(separator: "\r\n") + "\r\n\r\n" + body
}
