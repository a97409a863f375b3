import Foundation
import LaunchedPrograms
import Platform
import ReplayKit
import ScreenBroadcast

@_exported import struct Causes.BroadcastEnd
@_exported import struct ContainingApp.AppSummary

/// A broadcast of a handler under test, with the system that runs it and the article's app.
///
/// ```swift
/// @Test func aStopIsSeenWithinOnePoll() async throws {
///   let broadcast = TestBroadcast(of: MyHandler())
///   try await broadcast.start()
///   try await broadcast.run(for: .seconds(10))
///   try await broadcast.app.stop()
///   let end = try await broadcast.finished(within: .seconds(1))
///   #expect(end.error?.code == 1)
/// }
/// ```
/// If you pass a handler, the broadcast runs in this process on a virtual clock. Time passes only in ``run(for:)`` and
/// ``finished(within:)``, as fast as the handler works. Between two samples the clock waits until the handler has returned.
/// The timestamps of the samples, `CACurrentMediaTime`, the host time clock of Core Media and the timers of
/// `ScreenBroadcast` follow the clock. `Date` and the timers of Dispatch and Foundation do not.
///
/// If you pass a program, the broadcast runs as two processes in real time, which can be killed and stopped.
///
/// The app group's container is in a new folder, which is removed when this object is deallocated.
@MainActor
public final class TestBroadcast {
  /// The app's side.
  public nonisolated let app: TestApp
  /// The folder of the app group's container.
  public nonisolated let containerFolder: String
  private let run: any BroadcastRun

  /// The default app group, which the article's handlers use.
  public static nonisolated let defaultGroup = "group.com.example.screenshare.dev"

  /// Creates a broadcast in this process on a virtual clock.
  ///
  /// - Parameters:
  ///   - handler: the principal class's object. It is created at each ``start()``, on the main queue.
  ///   - appAudio: `nil` for the default of `producer` (silence).
  ///   - microphone: `nil` for the default of `producer` (off).
  ///   - setupInfo: the values of the extension's setup screen.
  ///   - seed: determines how much earlier than the extension the app starts. With the same seed, the same events happen at
  ///     the same times.
  public nonisolated init(
    of handler: @autoclosure @escaping @MainActor () -> RPBroadcastSampleHandler,
    screen: TestScreen = .pattern(.proof), appAudio: TestAudio? = nil, microphone: TestAudio? = nil,
    setupInfo: [String: String] = [:], group: String = defaultGroup, seed: UInt64 = 1
  ) {
    let setup = BroadcastSetup(
      screen: screen, appAudio: appAudio, microphone: microphone, setupInfo: setupInfo, group: group,
      seed: seed)
    let folder = TemporaryFolder(named: "broadcast-testing", diskSpace: nil)
    let run = VirtualRun(setup, in: folder, handler)
    (self.run, app, containerFolder) = (run, TestApp(run), "\(folder.path)/\(group)")
    FailureRecord.current?.add(run)
  }

  /// Creates a broadcast of the extension's program and the program `consumer`, as processes in real time.
  ///
  /// - Parameters:
  ///   - program: the path of a program made with `BroadcastExtensionMain`. A name without a slash is in the folder of the
  ///     tests' bundle, where SwiftPM puts programs that the tests depend on. `consumer` is in that folder too.
  ///   - arguments: additional options of the program, such as `--info-plist=Info.plist`.
  ///   - diskSpace: the size of the container's file system in bytes; `nil` for the host's file system. With a limit, the
  ///     container gets its own file system, which only root can mount.
  public nonisolated init(
    program: String, arguments: [String] = [], screen: TestScreen = .pattern(.proof),
    appAudio: TestAudio? = nil, microphone: TestAudio? = nil, setupInfo: [String: String] = [:],
    group: String = defaultGroup, diskSpace: Int? = nil
  ) {
    let setup = BroadcastSetup(
      screen: screen, appAudio: appAudio, microphone: microphone, setupInfo: setupInfo, group: group, seed: 0)
    let folder = TemporaryFolder(named: "broadcast-testing", diskSpace: diskSpace)
    let run = ProcessRun(setup, program: program, arguments: arguments, in: folder)
    (self.run, app, containerFolder) = (run, TestApp(run), "\(folder.path)/\(group)")
    FailureRecord.current?.add(run)
  }

  /// Starts the app if it is not running, creates the handler and launches it. Returns after `broadcastStarted` has
  /// returned.
  ///
  /// Throws ``Failure/Reason/handlerRefused(_:)`` if the handler ends the broadcast in that call.
  public func start() async throws { try await run.start() }

  /// Waits until `duration` has passed for the broadcast.
  public func run(for duration: Duration) async throws { try await run.run(for: duration) }

  /// Runs code as the handler's app: it uses the app group's folder and defaults, Darwin notifications and sockets as the
  /// app does. Returns after the handler has reacted. With processes it returns at once: wait for the effect that you
  /// expect.
  ///
  /// ```swift
  /// try await broadcast.asApp { app in
  ///   UserDefaults(suiteName: "group.com.example")?.set(true, forKey: "stop")
  ///   try await app.post("com.example.settings-changed")
  /// }
  /// ```
  /// You can call it before ``start()``. Observers that you add here are called until the end of the test. Other threads
  /// that the app's code uses run in real time.
  @discardableResult
  public func asApp<Value>(_ body: @MainActor (TestApp) async throws -> Value) async throws -> Value {
    try await run.asApp { try await body(app) }
  }

  /// Performs an event on the broadcast from outside, as `producer --at` does: for example `rotate:left`, `pause`, `lock`
  /// or `stop`. `producer --help` lists all events.
  public func perform(_ event: String) async throws {
    run.log.note(event)
    try await run.perform(event)
  }

  /// Applies a fault from outside.
  public func perform(_ fault: BroadcastFault) async throws {
    run.log.note("\(fault)")
    try await run.perform(fault)
  }

  /// Waits until the broadcast has ended and the app has noticed the end. Returns how the broadcast ended.
  ///
  /// Throws ``Failure/Reason/notFinished`` if the broadcast has not ended within `limit`.
  @discardableResult
  public func finished(within limit: Duration) async throws -> BroadcastEnd {
    try await run.finished(within: limit)
  }

  /// The events so far.
  public var timeline: Timeline { run.log.timeline }
}

/// The app's side of a broadcast under test. It follows the flag, polls frames and audio, and verifies the proof pattern.
@MainActor
public final class TestApp {
  private let run: any BroadcastRun

  nonisolated init(_ run: any BroadcastRun) { self.run = run }

  /// Turns the flag off to request the end of the broadcast. A handler that does not follow the flag continues.
  public func stop() throws {
    run.log.note("app.stop")
    try run.make { try run.container.setFlag(false) }
  }

  /// Posts a Darwin notification, and returns after the handler's observers have returned. With processes it returns at
  /// once.
  public func post(_ name: String) async throws {
    run.log.note("app.post \(name)")
    try await run.asApp {
      CFNotificationCenterPostNotification(
        CFNotificationCenterGetDarwinNotifyCenter(), CFNotificationName(name as CFString), nil, nil, true)
    }
  }

  /// Returns the statistics so far. With processes this ends the app, which then writes its statistics.
  public func summary() async throws -> AppSummary { try await run.summary() }

  /// Returns the last frame that the app received, upright, as a PNG file; `nil` before the first frame. With processes
  /// this ends the app.
  public func lastFrame() async throws -> Data? { try await run.lastFrame() }
}
