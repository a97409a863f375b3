import TestSupport

/// A page in a headless browser, driven by JSON in the text frames of a WebSocket: Chromium by its DevTools protocol,
/// Firefox by WebDriver BiDi.
@MainActor
final class Browser {
  enum Kind {
    case chromium, firefox

    fileprivate var tool: OptionalTool { self == .chromium ? .chromium : .firefox }
  }

  private static let limit = Duration.seconds(180)

  private let kind: Kind
  private let folder: URL
  private let process: LaunchedProgram
  private let socket: HTTPTestClient
  /// The ID of the page in Firefox, whose connection serves the whole browser.
  private var context = ""
  private var nextID = 1

  /// Opens `address` in a new browser, whose files are in the sandbox.
  init(_ address: String, in sandbox: Sandbox, kind: Kind = .chromium) async throws {
    let program = try kind.tool.required()
    self.kind = kind
    folder = sandbox.folder.appending(path: "browser-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    // Firefox hides local addresses behind names that only multicast resolves.
    try Data(#"user_pref("media.peerconnection.ice.obfuscate_host_addresses", false);"#.utf8)
      .write(to: folder.appending(path: "user.js"))
    let ownArguments =
      kind == .chromium
      ? ["--headless=new", "--no-sandbox", "--disable-gpu", "--user-data-dir=\(folder.path)", address]
      : ["--headless", "--no-remote", "--profile", folder.path]
    process = try sandbox.launch(program, ["--remote-debugging-port=0"] + ownArguments)
    let portFile = folder.appending(
      path: kind == .chromium ? "DevToolsActivePort" : "WebDriverBiDiServer.json")
    let port = try await eventually("the port of \(kind)") { () -> UInt16? in
      guard FileManager.default.fileExists(atPath: portFile.path) else { return nil }
      // The port is the first number, or the value of `ws_port`.
      let text = try String(contentsOf: portFile, encoding: .utf8)
      return text.firstMatch(of: /^(\d+)|"ws_port":\s*(\d+)/).flatMap { UInt16($0.1 ?? $0.2 ?? "") }
    }
    let path =
      kind == .chromium
      ? "/devtools/page/\(try await Self.page(address, at: port, inNetworkOf: sandbox.network))" : "/session"
    socket = try HTTPTestClient(port, inNetworkOf: sandbox.network)
    socket.send(
      "GET \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nUpgrade: websocket\r\n"
        + "Connection: Upgrade\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
    )
    guard socket.gets("\r\n\r\n") else { throw TestFailure(description: "\(kind) takes no WebSocket") }
    if kind == .firefox { try await navigate(to: address) }
  }

  /// Opens a session in Firefox, and the address in its first page.
  private func navigate(to address: String) async throws {
    _ = try await call("session.new", ["capabilities": [String: Any]()])
    let tree = try await call("browsingContext.getTree", [:])
    guard let page = (tree["contexts"] as? [[String: Any]])?.first?["context"] as? String else {
      throw TestFailure(description: "Firefox has no page")
    }
    context = page
    _ = try await call("browsingContext.navigate", ["context": page, "url": address, "wait": "complete"])
  }

  /// Returns the ID of the page with this address, from the list of Chromium's pages.
  private static func page(
    _ address: String, at port: UInt16, inNetworkOf process: Int32?
  ) async throws -> String {
    var client: HTTPTestClient?
    return try await eventually("the page in Chromium") { () -> String? in
      guard let answer = client?.text else {
        client = try HTTPTestClient(port, inNetworkOf: process)
        client?.send("GET /json/list HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n")
        return nil
      }
      // Chromium keeps the connection open, even if the request asks to close it.
      guard let header = answer.range(of: "\r\n\r\n"),
        let length = answer.firstMatch(of: /(?i)content-length: *(\d+)/).flatMap({ Int($0.1) }),
        answer[header.upperBound...].utf8.count >= length
      else { return nil }
      client = nil
      let targets = try JSONSerialization.jsonObject(with: Data(answer[header.upperBound...].utf8))
      return (targets as? [[String: Any]])?.first { $0["url"] as? String == address }?["id"] as? String
    }
  }

  /// Closes the browser and waits until it has exited, so that it writes no more files.
  func close() async throws {
    let method = kind == .chromium ? "Browser.close" : "browser.close"
    socket.send(Self.frame(Array(#"{"id":0,"method":"\#(method)","params":{}}"#.utf8)))
    _ = try await process.exitCode()
  }

  /// Returns the value of an expression of the page (or of its promise) as text; empty if the page goes away in the
  /// meantime.
  func value(of expression: String) async throws -> String {
    let promise = "(async () => String(await (\(expression))))()"
    let result =
      switch kind {
      case .chromium: try await call("Runtime.evaluate", ["expression": promise, "awaitPromise": true])
      case .firefox:
        try await call(
          "script.evaluate", ["expression": promise, "awaitPromise": true, "target": ["context": context]])
      }
    if let exception = result["exceptionDetails"] {
      throw TestFailure(description: "\(expression) throws \(exception)")
    }
    return (result["result"] as? [String: Any])?["value"] as? String ?? ""
  }

  /// Shows the page of Chromium in a window of this size, in the light or the dark theme.
  func show(width: Int, height: Int, isDark: Bool) async throws {
    _ = try await call(
      "Emulation.setDeviceMetricsOverride",
      ["width": width, "height": height, "deviceScaleFactor": 1, "mobile": false])
    _ = try await call(
      "Emulation.setEmulatedMedia",
      ["features": [["name": "prefers-color-scheme", "value": isDark ? "dark" : "light"]]])
  }

  /// Runs a script in each later page of Chromium before the page's own scripts.
  func runFirst(_ script: String) async throws {
    _ = try await call("Page.enable", [:])
    _ = try await call("Page.addScriptToEvaluateOnNewDocument", ["source": script])
  }

  /// Returns a screenshot of Chromium's window as a PNG file.
  func screenshot() async throws -> Data {
    let result = try await call("Page.captureScreenshot", ["format": "png"])
    guard let data = (result["data"] as? String).flatMap({ Data(base64Encoded: $0) }) else {
      throw TestFailure(description: "Chromium took no screenshot")
    }
    return data
  }

  /// Returns the group and the name of each focusable element, from Chromium's accessibility tree.
  func focusableElements() async throws -> [(group: String, name: String)] {
    let tree = try await call("Accessibility.getFullAXTree", [:])["nodes"] as? [[String: Any]] ?? []
    let nodes = Dictionary(tree.map { ($0["nodeId"] as? String ?? "", $0) }) { one, _ in one }
    func text(_ key: String, of node: [String: Any]?) -> String {
      (node?[key] as? [String: Any])?["value"] as? String ?? ""
    }
    let groups = [
      "group", "list", "listitem", "tablist", "region", "banner", "complementary", "main", "MenuListPopup",
    ]
    return tree.compactMap { node in
      let properties = node["properties"] as? [[String: Any]] ?? []
      guard properties.contains(where: { $0["name"] as? String == "focusable" }) else { return nil }
      var parent = nodes[node["parentId"] as? String ?? ""]
      while let inner = parent, !groups.contains(text("role", of: inner)) {
        parent = nodes[inner["parentId"] as? String ?? ""]
      }
      let group = parent?["nodeId"] as? String ?? ""
      return ("\(group) \(text("role", of: node))", text("name", of: node))
    }
  }

  /// Returns the result of a command; empty after an error.
  private func call(_ method: String, _ parameters: [String: Any]) async throws -> [String: Any] {
    let id = nextID
    nextID += 1
    let message = try JSONSerialization.data(withJSONObject: [
      "id": id, "method": method, "params": parameters,
    ])
    socket.send(Self.frame(Array(message)))
    return try await eventually("the result of \(method) \(parameters)", within: Self.limit) {
      () -> [String: Any]? in
      for message in Self.messages(in: socket.bytes) {
        let answer = try JSONSerialization.jsonObject(with: message) as? [String: Any]
        if answer?["id"] as? Int == id { return answer?["result"] as? [String: Any] ?? [:] }
      }
      return nil
    }
  }

  /// Waits until an expression of the page is true. On an overloaded host, the pictures of a call may take minutes.
  func waits(for expression: String) async throws {
    guard try await holds(expression, within: Self.limit) else {
      throw TestFailure(description: "the page never had: \(expression)")
    }
  }

  /// Loads the page again, and waits for the new document. The old document still answers for a moment.
  func reload() async throws {
    _ = try await value(of: "(globalThis.isOld = true, location.reload())")
    try await waits(for: "!globalThis.isOld")
  }

  /// Sends a signal to the process of Chromium that sends and receives for all pages.
  func signalNetwork(_ signal: Int32) throws {
    let network = try Host.processes(with: "network.mojom.NetworkService", folder.path).first
    guard let network else { throw TestFailure(description: "Chromium has no process for its network") }
    kill(network, signal)
  }

  /// Waits until an expression of the page is true; `false` if it is not within `limit`.
  func holds(_ expression: String, within limit: Duration) async throws -> Bool {
    let deadline = ContinuousClock.now + limit
    // The page itself polls for a second, because a busy page has no time for many commands.
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
      guard ContinuousClock.now < deadline else { return false }
    }
    return true
  }

  /// Returns a masked text frame. The mask is not zero, because Firefox rejects a mask that leaves the bytes unchanged.
  private static func frame(_ text: [UInt8]) -> [UInt8] {
    let length =
      text.count < 126
      ? [0x80 | UInt8(text.count)] : [0xFE, UInt8(text.count >> 8), UInt8(text.count & 0xFF)]
    let mask: [UInt8] = [1, 2, 3, 4]
    return [0x81] + length + mask + text.enumerated().map { $1 ^ mask[$0 % 4] }
  }

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

extension Browser {
  /// Whether the second of the eight bars in a picture of the page, `captured` or `call`, is yellow.
  func showsBars(in picture: String) async throws -> Bool {
    try await value(
      of: """
        (({ canvas, context }) => {
          const [red, green, blue] = context.getImageData(canvas.width * 3 / 16, canvas.height * 0.6, 1, 1).data;
          return Math.abs(red - green) < 8 && red > blue + 100;
        })(broadcast.\(picture))
        """) == "true"
  }
}

extension Sandbox {
  /// Opens the page of a new app, with a broadcast that enters its call. The low frame rate leaves time for an encoder and a
  /// decoder.
  @MainActor
  func callPage(
    in kind: Browser.Kind = .chromium, size: String = "640x480"
  ) async throws -> (address: String, page: Browser) {
    let app = try launch(
      BuiltPrograms.consumer, ["watch", "--json", "--container", root, "--output-size", "native", "--serve"])
    guard let address = try await app.event("serving").text("address") else {
      throw TestFailure(description: "the event 'serving' has no address")
    }
    _ = try producer("--size", size, "--fps", "10")
    let page = try await Browser(address, in: self, kind: kind)
    try await page.waits(for: "broadcast.call.framesDrawn > 2")
    return (address, page)
  }
}
