import CommandLineSupport
import Foundation
import LaunchedPrograms
import Platform

/// A process of a scenario, with the events that it wrote.
final class RecordedProcess {
  private let program: LaunchedProgram
  /// The signal that the scenario sent to end the process.
  var sentSignal: Int32?
  /// When the scenario asked the process to end.
  var endRequest: MonotonicTime?
  /// When its end began: with that request, else with the end of the broadcast.
  private var endStart: MonotonicTime? { endRequest ?? events("finished").last?.arrival }

  /// The time in which its encoders worked since its end began. The encoder of a device takes none.
  private(set) var encoderTime = Duration.zero
  private var encoders: ThreadActivity?

  init(_ program: LaunchedProgram) { self.program = program }

  /// The environment of a process, beside the variables of this one.
  static func environment(adding variables: [String: String]) -> [String: String] {
    ProcessInfo.processInfo.environment[backtrace.key] == nil
      ? variables.merging([backtrace.key: backtrace.value]) { own, _ in own } : variables
  }

  /// What the Swift runtime writes after a crash. Names of functions take seconds on a busy machine, and are not shown.
  private static let backtrace = (key: "SWIFT_BACKTRACE", value: "symbolicate=off,threads=crashed,color=no")

  var pid: Int32 { program.pid }

  var launchTime: MonotonicTime { program.launchTime }

  /// Whether it has written anything to its standard output.
  var hasWritten: Bool { !program.received.isEmpty }

  /// Whether the process has ended, and its output is complete.
  var hasEnded: Bool { program.hasEnded }

  /// Whether the process runs no code of its own any more: it has ended, or the system is ending it.
  var isExiting: Bool { program.isExiting }

  /// How and when the process ended, once that was seen.
  var ending: (how: ChildProcess.Ending, time: MonotonicTime)? { program.ending }

  /// Sends a signal, if the process still runs.
  func send(_ signal: Int32) {
    if signal == SIGKILL { sentSignal = SIGKILL }
    // The end of a process that has ended already was its own.
    if !hasEnded, signal == SIGTERM || signal == SIGKILL { endRequest = endRequest ?? SystemClock().now }
    program.send(signal)
  }

  /// Adds the part of the newest `time` in its end to that of its encoders, if one has worked since the last call. Returns
  /// whether it did.
  func countEncoders(_ time: Duration) -> Bool {
    let time = min(time, endStart.map { SystemClock().now - $0 } ?? .zero)
    guard time > .zero else { return false }
    let now = ThreadActivity.now(ofChildren: pid, named: "ffmpeg")
    let works = now.hasWorked(since: encoders)
    encoders = now
    if works { encoderTime += time }
    return works
  }

  /// Kills the process, even if it is suspended.
  func kill() { program.process.kill() }

  /// All its events.
  var events: [ProgramEvent] { program.received.all }

  /// The events of a name. An app of a team may print other lines.
  func events(_ name: String) -> [ProgramEvent] { program.received.all.filter { $0.name == name } }

  /// The events of a type. One of another program may have its name, and other keys.
  func events<Body: JSONEvent & Decodable>(as type: Body.Type) -> [Body] {
    events(Body.event).compactMap { event in
      do { return try event.decoded(as: type) } catch { return nil }
    }
  }

  /// Writes its events and its standard error to files in a folder.
  func write(to folder: String) throws {
    try program.output.write(to: URL(filePath: "\(folder)/\(program.name).jsonl"))
    try Data(program.errors.utf8).write(to: URL(filePath: "\(folder)/\(program.name).err"))
  }

  /// The most specific line of standard error: an error of the Swift runtime or of the memory limit, else the last.
  var lastError: String? {
    let decisive = ["Fatal error:", "Precondition failed:", "exceeded mem limit", "Program crashed:"]
    return program.errors.split(separator: "\n").map(String.init)
      .first { line in decisive.contains { line.contains($0) } } ?? program.lastError
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
      guard ending != nil, let exit = program.exitTime, let endStart else { return nil }
      return .number(max(0, (exit - endStart).inSeconds - encoderTime.inSeconds))
    default: return nil
    }
  }

  static let valueNames = ["exitCode", "signal", "startSeconds", "endSeconds"]
}
