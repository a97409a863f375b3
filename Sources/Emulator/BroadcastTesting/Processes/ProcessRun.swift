import BroadcastExtension
import CommandLineSupport
import EmulatedSystem
import Foundation
import Platform
import ScreenBroadcast
import Synchronization
import WorkerSupport

/// A broadcast as two processes in real time: the extension's program and `consumer`.
@MainActor
final class ProcessRun: BroadcastRun {
  nonisolated let log: EventLog
  nonisolated let folder: TemporaryFolder
  nonisolated let setup: BroadcastSetup
  private let program: String
  private let arguments: [String]
  private let clock = SystemClock()
  private var extensionProgram: LaunchedProgram?
  private var app: LaunchedProgram?
  /// The events before the present start.
  private var earlierEvents = 0

  /// How long a program may take to start, to end, and to notice what the other one did.
  private static let patience = Duration.seconds(15)

  nonisolated init(
    _ setup: BroadcastSetup, program: String, arguments: [String], in folder: TemporaryFolder
  ) {
    (self.setup, self.program, self.arguments, self.folder) = (setup, program, arguments, folder)
    log = EventLog(clock: SystemClock())
  }

  private var sharedArguments: [String] {
    ["--json", "--container=\(folder.path)", "--group=\(setup.group)"]
  }

  private var snapshot: String { "\(folder.path)/last-frame.png" }

  func start() async throws {
    guard extensionProgram?.hasEnded ?? true else {
      throw failure(.cannotStart, "The broadcast runs already; let it end before the next start.")
    }
    do {
      try folder.create()
      try container.prepare()
      if app?.hasEnded ?? true { try await startApp() }
      try await startExtension()
    } catch let error as TestBroadcast.Failure {
      throw error
    } catch let error as ProgramFailure {
      throw failure(.cannotStart, error.message)
    } catch {
      throw failure(.cannotStart, "\(error)")
    }
  }

  /// Launches a program, whose events go to the log; a name without a slash is in the folder of the tests' bundle.
  private func launch(
    _ program: String, _ arguments: [String], as source: Timeline.Event.Source
  ) throws(ProgramFailure) -> LaunchedProgram {
    let splitter = Mutex(LineSplitter())
    return try LaunchedProgram(
      program.contains("/") ? URL(filePath: program) : ChildProcess.program(program), arguments,
      errorFile: folder("\(source.rawValue).err"), in: folder
    ) { [log] data in
      for line in splitter.withLock({ $0.lines(adding: data) }) { log.add(line: line, from: source) }
    }
  }

  private func startApp() async throws {
    log.start()
    let before = log.count
    let app = try launch(
      "consumer",
      ["watch", "--output-size=native", "--snapshot=\(snapshot)"] + sharedArguments
        + (setup.screen.isProof ? ["--verify"] : []), as: .app)
    self.app = app
    try await wait(within: Self.patience) {
      app.hasEnded || log.last("status", from: .app, after: before) != nil
    }
    guard !app.hasEnded else {
      throw failure(.cannotStart, "The program consumer has ended: \(app.lastError ?? "without a message")")
    }
  }

  private func startExtension() async throws {
    earlierEvents = log.count
    extensionProgram = nil
    log.note("start")
    let process = try launch(
      program, sharedArguments + setup.arguments + arguments, as: .extension)
    extensionProgram = process
    let isAnswered = try await wait(within: Self.patience) { process.hasEnded || newest("started") != nil }
    guard isAnswered else {
      throw failure(
        .handlerHangs, "broadcastStarted has not returned after \(Self.patience.decimalSeconds) s.")
    }
    guard newest("started") == nil else { return }
    if newest("finished") != nil {
      let end = try end(of: process)
      let error = end.error.map { "\($0.domain), code \($0.code): \($0.text)" } ?? end.reason
      throw failure(.handlerRefused(end), "The handler ended the broadcast in broadcastStarted: \(error)")
    }
    throw failure(.cannotStart, "\(program) has ended: \(process.lastError ?? "without a message")")
  }

  /// The newest event of the extension since the present start.
  private func newest(_ name: String, from source: Timeline.Event.Source = .extension) -> Data? {
    log.last(name, from: source, after: earlierEvents)
  }

  func run(for duration: Duration) async throws { try await Task.sleep(for: duration) }

  func perform(_ text: String) async throws {
    guard let process = extensionProgram else {
      throw failure(.eventRefused, "'\(text)' is for a broadcast that was started.")
    }
    let event: DeviceEvent
    do throws(UsageError) { event = try DeviceEvent(text: text) } catch {
      throw failure(.eventRefused, error.message)
    }
    let container = try container
    // On another thread, because the answer of a stopped process is late.
    let error = await Task.detached { () -> ProgramFailure? in
      do throws(ProgramFailure) { try event.send(to: container) } catch { return error }
      return nil
    }.value
    guard let error else { return }
    // A process that the event ends may exit before it answers.
    let ends = ["stop", "error"].contains(text.prefix { $0 != ":" })
    if ends, try await wait(within: .seconds(1), { process.hasEnded }) { return }
    throw failure(.eventRefused, "'\(text)' was not possible: \(error.message)")
  }

  func perform(_ fault: BroadcastFault) async throws {
    switch fault {
    case .kill(let side): try send(SIGKILL, to: side)
    case .suspend(let side): try send(SIGSTOP, to: side)
    case .resume(let side): try send(SIGCONT, to: side)
    case .truncate(let name, let byteCount): try truncate(name, byteCount)
    case .setFlag(let value): try setFlag(value)
    case .fillDisk, .emptyDisk:
      guard folder.diskSpace != nil else {
        throw failure(.faultImpossible, "A full disk needs one of its own; give the broadcast a diskSpace.")
      }
      do { if fault == .fillDisk { try folder.fill() } else { try folder.empty() } } catch {
        throw failure(.faultImpossible, "\(folder.path): \(error.localizedDescription)")
      }
    }
  }

  private func send(_ signal: Int32, to side: BroadcastFault.Side) throws {
    let process = side == .app ? app : extensionProgram
    guard let process, !process.hasEnded else {
      throw failure(.faultImpossible, "The process of the \(side.rawValue) does not run.")
    }
    process.send(signal)
  }

  func finished(within limit: Duration) async throws -> BroadcastEnd {
    guard let process = extensionProgram else {
      throw failure(.notFinished, "The broadcast was not started; call start() first.")
    }
    guard try await wait(within: limit, { process.hasEnded }) else {
      throw failure(.notFinished, "The process has not exited within \(limit.decimalSeconds) s.")
    }
    try await wait(within: .seconds(3)) { app?.hasEnded ?? true || hasAppNoticed }
    return try end(of: process)
  }

  /// Whether the newest news of the app is not an active broadcast.
  private var hasAppNoticed: Bool {
    let news = log.timeline.events.dropFirst(earlierEvents).last {
      $0.source == .app && ["status", "crashed"].contains($0.name)
    }
    return news?.json.contains("\"active\":true") != true
  }

  private func end(of process: LaunchedProgram) throws -> BroadcastEnd {
    var exitCode: Int32?
    if case .exit(let code)? = process.ending?.how { exitCode = code }
    guard let json = newest("finished") else { return BroadcastEnd(crash: exitCode) }
    var end = try BroadcastEnd(finished: json)
    end.exitCode = exitCode
    return end
  }

  func summary() async throws -> AppSummary {
    guard try await endApp(), let json = log.last("summary", from: .app) else {
      throw failure(
        .noSummary, "The app has written no figures: it was not started, was killed, or is stopped.")
    }
    return try JSONDecoder().decode(AppSummary.self, from: json)
  }

  func lastFrame() async throws -> Data? {
    guard try await endApp() else { return nil }
    return FileManager.default.contents(atPath: snapshot)
  }

  /// Ends the app, which then writes its figures and its last frame. Returns `false` if it does not end.
  private func endApp() async throws -> Bool {
    guard let app else { return false }
    if !app.hasEnded { app.send(SIGINT) }
    return try await wait(within: Self.patience) { app.hasEnded }
  }

  /// Waits until `condition` holds; returns `false` if it does not within `limit`.
  @discardableResult
  private func wait(within limit: Duration, _ condition: () -> Bool) async throws -> Bool {
    let deadline = clock.now + limit
    while !condition() {
      guard clock.now < deadline else { return false }
      try await Task.sleep(for: .milliseconds(5))
    }
    return true
  }
}
