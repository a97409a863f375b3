import BroadcastTesting
import Network
import ReplayKit
import TestSupport

/// Tests the app's side of a broadcast: notifications, defaults, sockets and files.
@MainActor @Suite(.broadcastTimeline) struct AppSideTests {
  private static let group = TestBroadcast.defaultGroup

  @Test func notificationsGoBothWaysAlsoBeforeTheStart() async throws {
    let heard = Heard()
    let broadcast = TestBroadcast(of: ListeningHandler(), appAudio: .off)
    try await broadcast.asApp { _ in observe("started", heard) }
    for start in 1...2 {
      try await broadcast.start()
      // The block that the handler has put on the main queue runs first.
      await withCheckedContinuation { done in DispatchQueue.main.async { done.resume() } }
      try await broadcast.run(for: .milliseconds(1))
      #expect(heard.names.count == start && heard.areOfApp)
      try await broadcast.app.post("stop")
      let end = try await broadcast.finished(within: .zero)
      #expect(end.error?.domain == "test" && end.error?.code == 5)
      #expect(end.error?.text == "The app has stopped it.")
    }
  }

  @Test func aChangeOfTheDefaultsIsThatOfAnotherProcess() async throws {
    let times = Times()
    let broadcast = TestBroadcast(of: DefaultsHandler(times), appAudio: .off)
    try await broadcast.start(for: .seconds(3))
    let value = try await broadcast.asApp { _ in
      let defaults = try #require(UserDefaults(suiteName: Self.group))
      defaults.set(2, forKey: "quality")
      return defaults.integer(forKey: "reply")
    }
    // The handler's answer arrives after the app's own call.
    #expect(value == 0)
    #expect(times.differences == [3])
    #expect(
      try await broadcast.asApp { _ in UserDefaults(suiteName: Self.group)?.integer(forKey: "reply") } == 3)
  }

  @Test func aSocketThatTheAppClosesEndsTheBroadcast() async throws {
    let broadcast = TestBroadcast(of: SocketHandler(), appAudio: .off)
    let server = try await broadcast.asApp { _ in try #require(UnixListener(folder())) }
    try await broadcast.start(for: .seconds(1))
    try await broadcast.asApp { _ in server.hangUp() }
    #expect(try await broadcast.finished(within: .zero).error?.code == 6)
  }

  @Test func aFileOfTheAppIsThere() async throws {
    let broadcast = TestBroadcast(of: FileHandler(), appAudio: .off)
    try await broadcast.start()
    let text = try await broadcast.asApp { _ in
      try Data("stop".utf8).write(to: folder().appending(path: "request"))
      return try String(contentsOf: folder().appending(path: "reply"), encoding: .utf8)
    }
    #expect(text == "started")
    #expect(try await broadcast.finished(within: .milliseconds(20)).error?.code == 7)
  }

  @Test func aProgramAndATestNotifyEachOther() async throws {
    let plist = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).plist")
    defer { remove(plist) }
    try ExtensionBundle.write(
      ["NSExtension": ExtensionBundle.keys(principalClass: "ProbeExtension.OnceHandler")], to: plist)
    let (heard, name) = (Heard(), "com.example.probe.echo")
    let broadcast = TestBroadcast(program: "ProbeExtension", arguments: ["--info-plist=\(plist.path)"])
    try await broadcast.asApp { _ in observe(name, heard) }
    try await broadcast.start()
    #expect(await eventually { heard.names == [name] })
    // The handler crashes at the second arrival.
    try await broadcast.app.post(name)
    #expect(try await broadcast.finished(within: ChildProcess.waitLimit).reason == "crashed")
    #expect(await eventually { heard.names == [name, name] })
  }

  private func remove(_ file: URL) {
    do { try FileManager.default.removeItem(at: file) } catch { Issue.record(error) }
  }

  private func observe(_ name: String, _ heard: Heard) {
    // UNSAFE: the address is not used.
    unsafe CFNotificationCenterAddObserver(
      CFNotificationCenterGetDarwinNotifyCenter(), UnsafeRawPointer(bitPattern: 8),
      { _, _, name, _, _ in heard.add(name?.rawValue ?? "") }, name as CFString, nil, .deliverImmediately)
  }
}

/// Returns the group's folder of the current device.
private func folder() -> URL {
  FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: TestBroadcast.defaultGroup)
    ?? URL(filePath: "/nonexistent")
}

/// The notifications that the app received, and whether each reached the app's code.
private final class Heard: Sendable {
  private let state = Mutex((names: [String](), folders: Set<String>()))

  var names: [String] { state.withLock(\.names) }
  var areOfApp: Bool {
    state.withLock { $0.folders.count == 1 && $0.folders.first?.contains("/broadcast-testing-") == true }
  }

  func add(_ name: String) {
    let path = folder().path
    state.withLock {
      $0.names.append(name)
      $0.folders.insert(path)
    }
  }
}

/// Observes on the main queue, as many handlers do.
private final class ListeningHandler: RPBroadcastSampleHandler, @unchecked Sendable {
  override func broadcastStarted(withSetupInfo setupInfo: [String: NSObject]?) {
    DispatchQueue.main.async { [self] in
      let center = CFNotificationCenterGetDarwinNotifyCenter()
      // UNSAFE: the address is not used.
      unsafe CFNotificationCenterAddObserver(
        center, UnsafeRawPointer(bitPattern: 8),
        { [weak self] _, _, _, _, _ in
          let info = [NSLocalizedDescriptionKey: "The app has stopped it."]
          self?.finishBroadcastWithError(NSError(domain: "test", code: 5, userInfo: info))
        }, "stop", nil, .deliverImmediately)
      CFNotificationCenterPostNotification(center, CFNotificationName("started"), nil, nil, true)
    }
  }
}

/// Records when a value changes, and answers.
private final class DefaultsHandler: RPBroadcastSampleHandler {
  private let times: Times
  private var observation: NSKeyValueObservation?
  private var start = 0.0

  init(_ times: Times) { self.times = times }

  override func broadcastStarted(withSetupInfo setupInfo: [String: NSObject]?) {
    start = CACurrentMediaTime()
    let defaults = UserDefaults(suiteName: TestBroadcast.defaultGroup)
    observation = defaults?.observe(\.quality) { [times, start] defaults, _ in
      times.add((CACurrentMediaTime() - start).rounded())
      defaults.set(3, forKey: "reply")
    }
  }
}

extension UserDefaults {
  fileprivate var quality: Int { integer(forKey: "quality") }
}

/// Connects to the app, and ends the broadcast when the app closes the connection.
private final class SocketHandler: RPBroadcastSampleHandler, @unchecked Sendable {
  override func broadcastStarted(withSetupInfo setupInfo: [String: NSObject]?) {
    let connection = NWConnection(to: .unix(path: folder().appending(path: "s").path), using: .tcp)
    connection.start(queue: DispatchQueue(label: "socket"))
    connection.receive(minimumIncompleteLength: 1, maximumLength: 10) { [self] _, _, _, _ in
      finishBroadcastWithError(NSError(domain: "test", code: 6))
      connection.cancel()
    }
  }
}

/// Reads a file at each frame.
private final class FileHandler: RPBroadcastSampleHandler {
  private let file = folder()

  override func broadcastStarted(withSetupInfo setupInfo: [String: NSObject]?) {
    do { try Data("started".utf8).write(to: file.appending(path: "reply")) } catch {
      finishBroadcastWithError(error)
    }
  }

  override func processSampleBuffer(_ sampleBuffer: CMSampleBuffer, with type: RPSampleBufferType) {
    if FileManager.default.fileExists(atPath: file.appending(path: "request").path) {
      finishBroadcastWithError(NSError(domain: "test", code: 7))
    }
  }
}

/// The server of an app, for a single client.
private final class UnixListener {
  private let socket: Int32

  init?(_ folder: URL) {
    socket = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let path = Array(folder.appending(path: "s").path.utf8)
    // UNSAFE: the path is shorter than its place, and the address lives for the call.
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path) }
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    let isBound = unsafe withUnsafePointer(to: &address) {
      unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe bind(socket, $0, size) == 0 }
    }
    guard isBound, listen(socket, 1) == 0 else { return nil }
  }

  deinit { close(socket) }

  /// Accepts the client, and closes the connection.
  func hangUp() { close(accept(socket, nil, nil)) }
}
