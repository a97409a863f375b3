import CommandLineSupport
import Foundation
import Platform
import Synchronization
import WorkerSupport

/// A process of a scenario, with the events that it wrote.
final class RecordedProcess {
  private let process: ChildProcess
  private let record: EventRecord
  private let errorFile: String
  let launchTime: MonotonicTime
  /// The signal that the scenario sent to end the process.
  var sentSignal: Int32?
  /// When the scenario asked the process to end.
  var endRequest: MonotonicTime?
  /// How and when the process ended, once that was seen.
  private(set) var ending: (how: ChildProcess.Ending, time: MonotonicTime)?

  /// - Parameters:
  ///   - environment: the variables that it gets beside those of this process.
  ///   - errorFile: receives the standard error.
  init(
    _ program: URL, _ arguments: [String], environment: [String: String], errorFile: String
  ) throws(ProgramFailure) {
    let record = EventRecord()
    (self.record, self.errorFile) = (record, errorFile)
    launchTime = SystemClock().now
    var environment = environment
    if ProcessInfo.processInfo.environment[Self.backtrace.key] == nil {
      environment[Self.backtrace.key] = Self.backtrace.value
    }
    process = try ChildProcess(program, arguments, environment: environment, errors: errorFile) {
      record.add($0)
    }
  }

  /// What the Swift runtime writes after a crash. Names of functions take seconds on a busy machine, and are not shown.
  private static let backtrace = (key: "SWIFT_BACKTRACE", value: "symbolicate=off,threads=crashed,color=no")

  var pid: Int32 { process.pid }

  /// Whether it has written anything to its standard output.
  var hasWritten: Bool { record.hasContent }

  /// Whether the process has ended, and its output is complete.
  var hasEnded: Bool {
    if ending == nil, let how = process.end(within: .zero) { ending = (how, SystemClock().now) }
    return ending != nil
  }

  /// Sends a signal, if the process still runs.
  func send(_ signal: Int32) {
    if signal == SIGKILL { sentSignal = SIGKILL }
    if signal == SIGTERM || signal == SIGKILL { endRequest = endRequest ?? SystemClock().now }
    process.send(signal)
  }

  /// Kills the process, even if it is suspended.
  func kill() { process.kill() }

  func events(_ name: String) -> [RecordedEvent] { record.events.filter { $0.name == name } }

  /// The most specific line of standard error: an error of the Swift runtime or of the memory limit, else the last.
  var lastError: String? {
    let bytes = FileManager.default.contents(atPath: errorFile) ?? Data()
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    let decisive = ["Fatal error:", "Precondition failed:", "exceeded mem limit", "Program crashed:"]
    return lines.first { line in decisive.contains { line.contains($0) } } ?? lines.last
  }

  /// A value of the process itself; `nil` for another name, and before the value is known.
  func value(_ name: String) -> JSONValue? {
    switch (name, ending?.how) {
    case ("exitCode", .exit(let code)?): return .number(Double(code))
    case ("signal", .signal(let number)?): return .number(Double(number))
    case ("signal", .exit?): return .number(0)
    case ("startSeconds", _):
      return events("started").last.map { .number(($0.arrival - launchTime).inSeconds) }
    case ("endSeconds", _):
      guard let ending, let request = endRequest ?? events("finished").last?.arrival else { return nil }
      return .number((ending.time - request).inSeconds)
    default: return nil
    }
  }

  static let valueNames = ["exitCode", "signal", "startSeconds", "endSeconds"]
}

/// An event that a process wrote, and when it arrived.
struct RecordedEvent: Sendable {
  let name: String
  let value: JSONValue
  let arrival: MonotonicTime
}

/// The events in the output of a process, which arrives on a thread of its own.
private final class EventRecord: Sendable {
  private let state = Mutex((splitter: LineSplitter(), events: [RecordedEvent](), hasContent: false))

  var events: [RecordedEvent] { state.withLock { $0.events } }
  var hasContent: Bool { state.withLock { $0.hasContent } }

  /// Adds output. Lines that are no events are left out: a handler may print.
  func add(_ data: Data) {
    let now = SystemClock().now
    state.withLock { state in
      if !data.isEmpty { state.hasContent = true }
      for line in state.splitter.lines(adding: data) {
        guard let value = try? JSONDecoder().decode(JSONValue.self, from: line),
          case .string(let name)? = value.value(at: ["event"])
        else { continue }
        state.events.append(RecordedEvent(name: name, value: value, arrival: now))
      }
    }
  }
}
