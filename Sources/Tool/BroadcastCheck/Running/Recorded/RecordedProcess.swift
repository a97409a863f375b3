import CommandLineSupport
import EmulatedSystem
import Foundation
import LaunchedPrograms
import Platform

/// A process of a scenario, with the events that it wrote.
final class RecordedProcess {
  private let program: LaunchedProgram
  /// The signal that the scenario sent to end the process.
  var sentSignal: Int32?
  /// When the scenario requested the end of the process.
  var endRequest: MonotonicTime?
  /// When the end of the process began: at the request, otherwise at the end of the broadcast.
  private var endStart: MonotonicTime? { endRequest ?? events("finished").last?.arrival }

  /// How long the encoders of the process have worked since its end began. The encoder of a device takes no such time.
  private(set) var encoderTime = Duration.zero
  private var encoders: ThreadActivity?

  init(_ program: LaunchedProgram) { self.program = program }

  /// Returns the environment of a process: `variables` in addition to the environment of this process.
  static func environment(adding variables: [String: String]) -> [String: String] {
    ProcessInfo.processInfo.environment[backtrace.key] == nil
      ? variables.merging([backtrace.key: backtrace.value]) { own, _ in own } : variables
  }

  /// The settings of the Swift runtime for a crash. It shows no function names, because these take seconds on an overloaded host.
  private static let backtrace = (key: "SWIFT_BACKTRACE", value: "symbolicate=off,threads=crashed,color=no")

  var pid: Int32 { program.pid }

  var launchTime: MonotonicTime { program.launchTime }

  /// Whether the process has written anything to stdout.
  var hasWritten: Bool { !program.received.isEmpty }

  /// Whether the process has ended, and its output is complete.
  var hasEnded: Bool { program.hasEnded }

  /// Whether the process no longer runs its own code: it has exited, or the system is ending it.
  var isExiting: Bool { program.isExiting }

  /// How and when the process ended; `nil` until its end has been observed.
  var ending: (how: ChildProcess.Ending, time: MonotonicTime)? { program.ending }

  /// Sends a signal if the process still runs.
  func send(_ signal: Int32) {
    if signal == SIGKILL { sentSignal = SIGKILL }
    // A process that has already ended was not ended by the signal.
    if !hasEnded, signal == SIGTERM || signal == SIGKILL { endRequest = endRequest ?? SystemClock().now }
    program.send(signal)
  }

  /// Adds the part of the last `time` that belongs to the end of the process to ``encoderTime``, if an encoder has worked since
  /// the previous call. Returns whether one has worked.
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

  var events: [ProgramEvent] { program.received.all }

  /// Returns the events with a name. The app of a team may print other lines too.
  func events(_ name: String) -> [ProgramEvent] { program.received.all.filter { $0.name == name } }

  /// Returns the events of a type. An event of another program may have the same name but other keys, and is skipped.
  func events<Body: JSONEvent & Decodable>(as type: Body.Type) -> [Body] {
    events(Body.event).compactMap { event in
      do { return try event.decoded(as: type) } catch { return nil }
    }
  }

  /// Writes the events and stderr to files in a folder.
  func write(to folder: String) throws {
    try program.output.write(to: URL(filePath: "\(folder)/\(program.name).jsonl"))
    try Data(program.errors.utf8).write(to: URL(filePath: "\(folder)/\(program.name).err"))
  }

  /// The most specific line of stderr: an error of the Swift runtime or of the memory limit, otherwise the last line.
  var lastError: String? {
    let decisive = ["Fatal error:", "Precondition failed:", "exceeded mem limit", "Program crashed:"]
    let lines = program.errors.split(separator: "\n").map(String.init)
    let line = lines.first { line in decisive.contains { line.contains($0) } } ?? program.lastError
    let stack = Self.crashStack(in: lines)
    let functions = CallStack.functions(at: stack)
    guard !functions.isEmpty else { return line }
    let what = line.map { $0.hasSuffix(".") ? String($0.dropLast()) : $0 } ?? "The process crashed"
    let place = CallStack.line(at: stack).map { " (\($0))" } ?? ""
    return "\(what), in \(functions.joined(separator: " -> "))\(place)"
  }

  /// Returns the stack of a program that crashed, from the backtrace of the Swift runtime: addresses such as
  /// `1 [ra] 0x000055f41d15b5e0`, and images such as `0x000055f41d15a000–0x000055f41d15bbd0 81944719 name /path`.
  private static func crashStack(in lines: [String]) -> [CallStack.Address] {
    guard let start = lines.firstIndex(where: { $0.hasPrefix("Thread ") && $0.hasSuffix(" crashed:") }) else {
      return []
    }
    func number(_ text: Substring?) -> UInt? {
      text.flatMap { $0.hasPrefix("0x") ? UInt($0.dropFirst(2), radix: 16) : nil }
    }
    let images = lines[start...].compactMap { line -> (range: Range<UInt>, file: String)? in
      let words = line.split(separator: " ")
      let bounds = words.first?.split(separator: "–") ?? []
      guard bounds.count == 2, let from = number(bounds[0]), let to = number(bounds[1]), from < to,
        let path = line.firstIndex(of: "/")
      else { return nil }
      return (from..<to, String(line[path...]))
    }
    return lines[(start + 1)...].prefix { !$0.hasPrefix("Registers:") }.compactMap { line in
      // A return address is the address after the call, which may be in the next function.
      guard
        let address = number(line.split(separator: " ").last).map({ $0 &- (line.contains("[ra]") ? 1 : 0) }),
        let image = images.first(where: { $0.range.contains(address) })
      else { return nil }
      return (image.file, address - image.range.lowerBound, !image.file.contains(".so"))
    }
  }

  /// Returns a value of the process itself; `nil` if the name is unknown, or the value is not known yet.
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
