import CommandLineSupport
import Foundation
import Platform

/// A launched program with its output, its events and its end. It is killed when this object is deallocated.
///
/// A program with `--json` writes one event per line.
package final class LaunchedProgram {
  /// The name of the program in failures, such as `consumer`.
  package let name: String
  package let process: ChildProcess
  /// The output, with its lines as events.
  package let received = ReceivedLines(ProgramEvent.init)
  package let launchTime = SystemClock().now
  /// How and when the process ended, once that has been checked.
  package private(set) var ending: (how: ChildProcess.Ending, time: MonotonicTime)?
  /// The time at which the process was first seen to exit. From then on the program's code does not run, but on an overloaded
  /// host the system may need seconds to end the process.
  package private(set) var exitTime: MonotonicTime?
  private let errorFile: String
  /// The name before the program's messages.
  private let file: String
  private let folder: TemporaryFolder?

  /// Launches a program.
  ///
  /// - Parameters:
  ///   - name: the name in failures; `nil` for the file name.
  ///   - output: receives stdout instead of ``received``.
  ///   - errorFile: receives stderr.
  ///   - folder: the folder of the program's files. It exists as long as this object.
  ///   - collect: also receives stdout, on a separate thread.
  package init(
    _ program: URL, _ arguments: [String], named name: String? = nil, environment: [String: String] = [:],
    input: FileHandle = .nullDevice, output: FileHandle? = nil, errorFile: String,
    in folder: TemporaryFolder? = nil, collect: @escaping @Sendable (Data) -> Void = { _ in }
  ) throws(ProgramFailure) {
    file = program.lastPathComponent
    self.name = name ?? file
    self.errorFile = errorFile
    self.folder = folder
    process = try ChildProcess(
      program, arguments, environment: environment, input: input, output: output, errors: errorFile
    ) { [received] data in
      received.add(data)
      collect(data)
    }
  }

  deinit { process.kill() }

  package var pid: Int32 { process.pid }

  package var isRunning: Bool { process.isRunning }

  package func send(_ signal: Int32) { process.send(signal) }

  /// Whether the program has ended and its output is complete.
  package var hasEnded: Bool {
    if ending == nil, let how = process.end(within: .zero) {
      let now = SystemClock().now
      ending = (how, now)
      exitTime = exitTime ?? now
    }
    return ending != nil
  }

  /// Whether the code of the program no longer runs, because the process has ended or the system is ending it.
  package var isExiting: Bool {
    if !hasEnded, exitTime == nil, !isRunning || ProcessState.isExiting(pid) { exitTime = SystemClock().now }
    return exitTime != nil
  }

  /// The data written to stdout.
  package var output: Data { received.data }

  /// The text written to stderr.
  package var errors: String {
    String(decoding: FileManager.default.contents(atPath: errorFile) ?? Data(), as: UTF8.self)
  }

  /// The last message of the program on stderr, or the last line of stderr if there is no message.
  package var lastError: String? {
    let lines = errors.split(separator: "\n").map(String.init)
    return lines.last { $0.hasPrefix("\(file): ") } ?? lines.last
  }

  /// Returns the events. Throws if a line of the output is not an event.
  package func events() throws(Failure) -> [ProgramEvent] {
    if let line = received.unreadable { throw Failure("\(name) printed \(line)") }
    return received.all
  }

  /// Returns the events of a name. Throws if a line of the output is not an event.
  package func events(_ event: String) throws(Failure) -> [ProgramEvent] {
    try events().filter { $0.name == event }
  }

  /// A failure of a program in a run, with the end of its stderr.
  package struct Failure: Error, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }
  }
}
