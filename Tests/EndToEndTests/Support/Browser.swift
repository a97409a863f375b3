import Foundation
import Platform
import TestSupport

/// A page in a headless Chromium, driven by the DevTools protocol: JSON in the text frames of a WebSocket.
@MainActor
final class Browser {
  private let process: RunningProgram
  private let socket: HTTPTestClient
  private var nextID = 1

  nonisolated static var isInstalled: Bool { Host.chromium != nil }

  /// Opens `address` in a new Chromium, whose files are in the sandbox.
  init(_ address: String, in sandbox: Sandbox) async throws {
    let folder = sandbox.folder.appending(path: "browser")
    guard let chromium = Host.chromium else { throw TestFailure(description: "Chromium is not installed") }
    process = try sandbox.launch(
      chromium,
      [
        "--headless=new", "--no-sandbox", "--disable-gpu", "--remote-debugging-port=0",
        "--user-data-dir=\(folder.path)", address,
      ])
    let portFile = folder.appending(path: "DevToolsActivePort")
    let port = try await eventually("the port of Chromium") { () -> UInt16? in
      guard FileManager.default.fileExists(atPath: portFile.path) else { return nil }
      return UInt16(try String(contentsOf: portFile, encoding: .utf8).prefix { $0.isNumber })
    }
    let page = try await Self.page(address, at: port)
    socket = try HTTPTestClient(port)
    socket.send(
      "GET /devtools/page/\(page) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nUpgrade: websocket\r\n"
        + "Connection: Upgrade\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
    )
    guard socket.gets("\r\n\r\n") else { throw TestFailure(description: "Chromium takes no WebSocket") }
  }

  /// The id of the page with that address, from the list of Chromium's pages.
  private static func page(_ address: String, at port: UInt16) async throws -> String {
    var client: HTTPTestClient?
    return try await eventually("the page in Chromium") { () -> String? in
      guard let answer = client?.text else {
        client = try HTTPTestClient(port)
        client?.send("GET /json/list HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n")
        return nil
      }
      // Chromium keeps the connection open, also when the request asks it to close it.
      guard let header = answer.range(of: "\r\n\r\n"),
        let length = answer.firstMatch(of: /(?i)content-length: *(\d+)/).flatMap({ Int($0.1) }),
        answer[header.upperBound...].utf8.count >= length
      else { return nil }
      client = nil
      let targets = try JSONSerialization.jsonObject(with: Data(answer[header.upperBound...].utf8))
      return (targets as? [[String: Any]])?.first { $0["url"] as? String == address }?["id"] as? String
    }
  }

  /// Closes Chromium and waits until it has exited, so that it writes no more files.
  func close() async throws {
    socket.send(Self.frame(Array(#"{"id":0,"method":"Browser.close"}"#.utf8)))
    _ = try await process.exitCode()
  }

  /// The value of an expression of the page or of its promise, as text; empty after an error.
  func value(of expression: String) async throws -> String {
    let id = nextID
    nextID += 1
    let message = try JSONSerialization.data(withJSONObject: [
      "id": id, "method": "Runtime.evaluate",
      "params": ["expression": "(async () => String(await (\(expression))))()", "awaitPromise": true],
    ])
    socket.send(Self.frame(Array(message)))
    return try await eventually("the value of \(expression)") { () -> String? in
      for message in Self.messages(in: socket.bytes) {
        let answer = try JSONSerialization.jsonObject(with: message) as? [String: Any]
        guard answer?["id"] as? Int == id else { continue }
        let result = (answer?["result"] as? [String: Any])?["result"] as? [String: Any]
        return result?["value"] as? String ?? ""
      }
      return nil
    }
  }

  /// Waits until an expression of the page is true.
  func waits(for expression: String, within limit: Duration = .seconds(30)) async throws {
    let deadline = ContinuousClock.now + limit
    // The page polls by itself for a second: a busy page has no time for many questions.
    let poll = """
      new Promise((resolve) => {
        let polls = 0;
        const poll = () => {
          let holds = false;
          try { holds = \(expression); } catch { }
          if (holds === true || ++polls > 20) resolve(holds); else setTimeout(poll, 50);
        };
        poll();
      })
      """
    while try await value(of: poll) != "true" {
      guard ContinuousClock.now < deadline else {
        throw TestFailure(description: "the page never had: \(expression)")
      }
    }
  }

  /// A text frame with a mask of zeros, which leaves the bytes as they are.
  private static func frame(_ text: [UInt8]) -> [UInt8] {
    let length =
      text.count < 126
      ? [0x80 | UInt8(text.count)] : [0xFE, UInt8(text.count >> 8), UInt8(text.count & 0xFF)]
    return [0x81] + length + [0, 0, 0, 0] + text
  }

  /// The complete messages after the header of the connection.
  private static func messages(in bytes: [UInt8]) -> [Data] {
    guard let header = Data(bytes).range(of: Data("\r\n\r\n".utf8)) else { return [] }
    var (rest, messages) = (bytes[header.upperBound...], [Data]())
    while rest.count >= 2 {
      let start = rest.startIndex
      let extra = [126: 2, 127: 8][Int(rest[start + 1])] ?? 0
      guard rest.count >= 2 + extra else { break }
      let count =
        extra == 0
        ? Int(rest[start + 1]) : rest[(start + 2)..<(start + 2 + extra)].reduce(0) { $0 << 8 | Int($1) }
      guard rest.count >= 2 + extra + count else { break }
      messages.append(Data(rest[(start + 2 + extra)..<(start + 2 + extra + count)]))
      rest = rest[(start + 2 + extra + count)...]
    }
    return messages
  }
}

extension Sandbox {
  /// The page of a new app, with a broadcast that enters its call. The low rate leaves time for an encoder and a decoder.
  @MainActor
  func callPage() async throws -> (address: String, page: Browser) {
    let app = try launch(
      BuiltPrograms.consumer, ["watch", "--json", "--container", root, "--output-size", "native", "--serve"])
    guard let address = try await app.event("serving").text("address") else {
      throw TestFailure(description: "the event 'serving' has no address")
    }
    _ = try producer("--size", "640x480", "--fps", "10")
    let page = try await Browser(address, in: self)
    try await page.waits(for: "broadcast.call.framesDrawn > 2")
    return (address, page)
  }
}
