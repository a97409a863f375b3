import CommandLineSupport
import EmulatedDevice
import EmulatedSystem
import Foundation
import LaunchedPrograms
import Platform
import ScreenBroadcast
import Synchronization

/// A broadcast as two processes in real time: the extension's program and `consumer`.
@MainActor
final class ProcessRun: BroadcastRun {
  nonisolated let log: EventLog
  nonisolated let folder: TemporaryFolder
  nonisolated let setup: BroadcastSetup
  private let program: String
  private let arguments: [String]
  private var programs: LaunchedBroadcast?
  /// The app's device, for the test's own code.
  private let device: Device
  /// The number of events before the current start.
  private var earlierEvents = 0

  /// How long a program may take to start, to end, and to notice an action of the other program.
  private static let waitLimit = Duration.seconds(15)

  nonisolated init(
    _ setup: BroadcastSetup, program: String, arguments: [String], in folder: TemporaryFolder
  ) {
    self.setup = setup
    self.program = program
    self.arguments = arguments
    self.folder = folder
    log = EventLog(clock: SystemClock())
    device = .ofApp(root: folder.path)
  }

  private var snapshot: String { "\(folder.path)/last-frame.png" }

  func start() async throws {
    guard programs?.extension?.hasEnded ?? true else {
      throw failure(.cannotStart, "The broadcast runs already; let it end before the next start.")
    }
    try await starting {
      try folder.create()
      try container.prepare()
      let programs =
        try programs
        ?? LaunchedBroadcast(
          root: folder.path, group: setup.group, disk: folder, errorFolder: folder.path)
      self.programs = programs
      if programs.app?.hasEnded ?? true { try await startApp(of: programs) }
      try await startExtension(of: programs)
    }
  }

  /// Returns a function that adds the lines of a program to the log.
  private func logger(_ source: Timeline.Event.Source) -> @Sendable (Data) -> Void {
    let splitter = Mutex(LineSplitter())
    return { [log] data in
      for line in splitter.withLock({ $0.lines(adding: data) }) { log.add(line: line, from: source) }
    }
  }

  private func startApp(of programs: LaunchedBroadcast) async throws {
    log.start()
    let before = log.count
    let app = try programs.start(
      ChildProcess.program("consumer"),
      ["watch", "--output-size=native", "--snapshot=\(snapshot)"]
        + (setup.screen.isProof ? ["--verify"] : []), as: .app, collect: logger(.app))
    try await wait(within: Self.waitLimit) {
      app.hasEnded || log.last("status", from: .app, after: before) != nil
    }
    guard !app.hasEnded else {
      throw failure(.cannotStart, "The program consumer has ended: \(app.lastError ?? "without a message")")
    }
  }

  private func startExtension(of programs: LaunchedBroadcast) async throws {
    earlierEvents = log.count
    log.note("start")
    // A name without a slash is in the folder of the tests' bundle.
    let process = try programs.start(
      program.contains("/") ? URL(filePath: program) : ChildProcess.program(program),
      setup.arguments + arguments, as: .extension, collect: logger(.extension))
    let isAnswered = try await wait(within: Self.waitLimit) { process.hasEnded || newest("started") != nil }
    guard isAnswered else {
      throw failure(
        .handlerHangs, "broadcastStarted has not returned after \(Self.waitLimit.decimalSeconds) s.")
    }
    guard newest("started") == nil else { return }
    if newest("finished") != nil { throw refusal(try await process.broadcastEnd()) }
    throw failure(.cannotStart, "\(program) has ended: \(process.lastError ?? "without a message")")
  }

  /// Returns the latest event of the extension since the current start.
  private func newest(_ name: String, from source: Timeline.Event.Source = .extension) -> Data? {
    log.last(name, from: source, after: earlierEvents)
  }

  func run(for duration: Duration) async throws { try await Task.sleep(for: duration) }

  func asApp<Value>(_ body: @MainActor () async throws -> Value) async throws -> Value {
    try folder.create()
    try container.prepare()
    return try await device.run { try await body() }
  }

  func perform(_ text: String) async throws {
    guard let process = programs?.extension else {
      throw failure(.eventRefused, "'\(text)' needs a broadcast; call start() first.")
    }
    let event = try event(text)
    let container = try container
    // Send on another thread, because the answer of a stopped process is late.
    let error = await Task.detached { () -> ProgramFailure? in
      do throws(ProgramFailure) { try event.send(to: container) } catch { return error }
      return nil
    }.value
    guard let error else { return }
    // A process that the event ends may exit before it answers.
    if event.endsAfter != nil, try await wait(within: .seconds(1), { process.hasEnded }) { return }
    throw failure(.eventRefused, "'\(text)' was not possible: \(error.message)")
  }

  func perform(_ fault: BroadcastFault) async throws {
    guard let programs else {
      throw failure(.faultImpossible, "The broadcast was not started; call start() first.")
    }
    try make { try programs.perform(fault) }
  }

  func finished(within limit: Duration) async throws -> BroadcastEnd {
    guard let programs, let process = programs.extension else {
      throw failure(.notFinished, "The broadcast was not started; call start() first.")
    }
    guard try await end(of: process, within: limit) else {
      throw failure(.notFinished, "The process has not exited within \(limit.decimalSeconds) s.")
    }
    try await wait(within: Self.waitLimit) { programs.app?.hasEnded ?? true || hasAppNoticed }
    return try await process.broadcastEnd()
  }

  /// Whether the app's latest report is anything but an active broadcast.
  private var hasAppNoticed: Bool {
    let news = log.timeline.events.dropFirst(earlierEvents).last {
      $0.source == .app && ["status", "crashed"].contains($0.name)
    }
    guard let news else { return newest("finished") != nil || !isFlagOn }
    return !news.json.contains("\"active\":true")
  }

  /// Whether the flag is on. After a crash it stays on, and the app reports the crash at its next poll. A fault can make
  /// the flag unreadable.
  private var isFlagOn: Bool {
    do {
      return try KeyValueFile(container: container).bool(forKey: BroadcastStatusManagerImpl.broadcastIsActive)
    } catch { return false }
  }

  func summary() async throws -> AppSummary {
    guard let app = try await endedApp() else {
      throw failure(.noSummary, "The app has written no statistics: it was not started, or is stopped.")
    }
    do { return try await app.summary() } catch let error as LaunchedProgram.Failure {
      throw failure(.noSummary, "The app has written no statistics: \(error)")
    }
  }

  func lastFrame() async throws -> Data? {
    guard try await endedApp() != nil else { return nil }
    return FileManager.default.contents(atPath: snapshot)
  }

  /// Ends the app, which then writes its statistics and its last frame. Returns `nil` if the app does not end.
  private func endedApp() async throws -> LaunchedProgram? {
    guard let app = programs?.app else { return nil }
    if !app.hasEnded { app.send(SIGINT) }
    return try await end(of: app, within: Self.waitLimit) ? app : nil
  }

  /// Waits until a program has ended. The time that the system needs to end the process does not count towards `limit`.
  private func end(of program: LaunchedProgram, within limit: Duration) async throws -> Bool {
    guard try await wait(within: limit, { program.isExiting }) else { return false }
    return try await wait(within: ChildProcess.waitLimit) { program.hasEnded }
  }

  /// Waits until `condition` holds. Returns `false` if the timeout `limit` expires.
  @discardableResult
  private func wait(within limit: Duration, _ condition: () -> Bool) async throws -> Bool {
    try await firstValue(within: limit, every: .milliseconds(5)) { condition() ? true : nil } ?? false
  }
}
