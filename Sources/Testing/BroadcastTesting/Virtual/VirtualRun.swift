import BroadcastExtension
import CommandLineSupport
import ContainingApp
import EmulatedDevice
import EmulatedSystem
import Foundation
import LaunchedPrograms
import PictureFormats
import PixelAccess
import Platform
import ReplayKit
import ScreenBroadcast
import VirtualDevice
import WebRTC

/// A broadcast in this process on a virtual clock.
@MainActor
final class VirtualRun: BroadcastRun {
  nonisolated let log: EventLog
  nonisolated let folder: TemporaryFolder
  nonisolated let setup: BroadcastSetup
  private let makeHandler: @MainActor () -> RPBroadcastSampleHandler
  private let device: Device
  private let clock: VirtualClock
  private var app: VirtualApp?
  private var system: BroadcastSystem?
  private var end: BroadcastEnd?
  private let pace: VirtualClockDriver

  /// The real time that a handler has to end the broadcast on its own threads.
  private static let grace = Duration.seconds(1)

  nonisolated init(
    _ setup: BroadcastSetup, in folder: TemporaryFolder,
    _ makeHandler: @escaping @MainActor () -> RPBroadcastSampleHandler
  ) {
    self.setup = setup
    self.folder = folder
    self.makeHandler = makeHandler
    clock = VirtualClock()
    device = clock.makeDevice(root: folder.path, setup.screen.options)
    log = EventLog(clock: clock)
    pace = VirtualClockDriver(clock)
  }

  deinit {
    device.forget(CFNotificationCenter.self)
    device.forget(SocketProxy.self)
  }

  func start() async throws {
    guard system == nil || end != nil else {
      throw failure(.cannotStart, "The broadcast runs already; let it end before the next start.")
    }
    try await starting {
      let container = try container
      try container.prepare()
      if app == nil { try await startApp(container) }
      try startExtension(container)
    }
    try await settle()
    if let end { throw refusal(end) }
  }

  private func startApp(_ container: AppGroupContainer) async throws {
    log.start()
    app = device.run {
      VirtualApp(clock: clock, note: { [log] in log.add(line: $1, named: $0, from: .app) }) {
        BroadcastProvider(container: container, call: $0, verifies: setup.screen.isProof, clock: clock)
      }
    }
    var random = SeededGenerator(seed: setup.seed)
    let phase = random.next() % UInt64(BroadcastStatusManagerImpl.pollInterval.wholeNanoseconds)
    try await run(for: .nanoseconds(Int64(phase)))
  }

  private func startExtension(_ container: AppGroupContainer) throws {
    guard case .run(let options) = try ProducerOptions.parse(setup.arguments) else { return }
    let trace = try options.trace.read()
    end = nil
    log.note("start")
    let lines = JSONLines { [log] in log.add(line: $1, named: $0, from: .extension) }
    var reporter: ProducerReporter?
    let system = try device.run {
      // Like a new process, a launch starts without the observers and faults of an earlier launch.
      CFNotificationCenter.darwinNotifyCenter(of: device).forgetExtension()
      device.forget(SocketProxy.self)
      return try BroadcastSystem(
        on: device, screen: options.screen, audio: options.audio, setupInfo: options.setupInfo,
        time: clock.deviceTime,
        trace: trace, container: container, report: { [log] in log.problem("\($0).", from: .extension) }
      ) { [setup] screen in
        reporter = ProducerReporter(
          console: Console(messages: nil, errors: nil), lines: lines, screen: screen, container: setup.group,
          session: { nil })
        return makeHandler()
      } onEvent: { [weak self] event in
        if case .finished(_, let end) = event {
          if let progress = self?.system?.progress { reporter?.lastSecond(progress) }
          self?.pace.screen = nil
          self?.end = end
        }
        reporter?.report(event)
      }
    }
    self.system = system
    pace.screen = system.screen
    device.run { system.start() }
  }

  func run(for duration: Duration) async throws { try await live { try await self.pace.run(for: duration) } }

  func asApp<Value>(_ body: @MainActor () async throws -> Value) async throws -> Value {
    try container.prepare()
    let value = try await device.run(asApp: true) { try await body() }
    // Give real time to threads of the handler that this has woken, for example through a socket.
    let start = ContinuousClock.now
    repeat {
      try await settle()
      try await Task.sleep(for: .milliseconds(1))
    } while try ThreadActivity.now(except: []).isBusy
      && ContinuousClock.now - start < VirtualClockDriver.releaseTime
    try await settle()
    return value
  }

  /// Advances to the next due work, at most to `limit`. Returns `false` at `limit`.
  private func step(until limit: MonotonicTime) async throws -> Bool {
    try await live { try await self.pace.step(until: limit) }
  }

  private func settle() async throws { try await live { try await self.pace.settle() } }

  private func live<Result: Sendable>(_ body: @MainActor () async throws -> Result) async throws -> Result {
    do { return try await body() } catch is VirtualClockDriver.Hang {
      let call = system?.openCall ?? "A call of the handler"
      throw failure(.handlerHangs, "\(call) has not returned for 20 s of real time.")
    }
  }

  func perform(_ text: String) async throws {
    guard let system else { throw failure(.eventRefused, "'\(text)' needs a broadcast; call start() first.") }
    let event = try event(text)
    guard !event.traits.contains(.needsProcess) else {
      throw failure(
        .needsProcesses, "'\(text)' would affect the process of the tests; use TestBroadcast(program:).")
    }
    if let refusal = device.run({ system.perform(event) }) {
      throw failure(.eventRefused, "'\(text)' was not possible: \(refusal)")
    }
    try await settle()
  }

  func perform(_ fault: BroadcastFault) async throws {
    switch fault {
    case .kill, .suspend, .resume, .fillDisk, .emptyDisk:
      throw failure(.needsProcesses, "\(fault) is for a process; use TestBroadcast(program:).")
    case .truncate(let name, let byteCount):
      try make { try container.truncate(name, toByteCount: byteCount) }
    case .setFlag(let value): try make { try container.setFlag(value) }
    }
  }

  func finished(within limit: Duration) async throws -> BroadcastEnd {
    guard system != nil else {
      throw failure(.notFinished, "The broadcast was not started; call start() first.")
    }
    let deadline = clock.now + limit
    while end == nil, try await step(until: deadline) {}
    // A thread of the handler may end the broadcast, but has had no real time yet.
    let start = ContinuousClock.now
    while end == nil, ContinuousClock.now - start < Self.grace {
      try await Task.sleep(for: .milliseconds(1))
      try await settle()
    }
    guard let end else {
      throw failure(.notFinished, "The broadcast has not ended within \(limit.decimalSeconds) s.")
    }
    let noticed = clock.now + BroadcastStatusManagerImpl.pollInterval * 2
    while app?.isFollowing == true, try await step(until: noticed) {}
    return end
  }

  func summary() async throws -> AppSummary {
    guard let app else { throw failure(.noSummary, "The app starts with the broadcast; call start() first.") }
    return app.summary
  }

  func lastFrame() async throws -> Data? {
    guard let frame = app?.lastFrame, let pixels = frame.pixelBuffer else { return nil }
    return try PNGEncoder.encode(pixels, rotation: PictureRotation(frame.rotation))
  }
}
