import CommandLineSupport
import Foundation
import Platform

/// A program that was launched, with its output, its events and its end. It is killed at the end of this object's life.
///
/// A program with `--json` writes events: each line of its output is one.
package final class LaunchedProgram {
  /// What a failure calls it, such as `consumer`.
  package let name: String
  package let process: ChildProcess
  /// Its output, with the lines that are events.
  package let received = ReceivedLines(ProgramEvent.init)
  package let launchTime = SystemClock().now
  /// How and when the process ended, once that was checked.
  package private(set) var ending: (how: ChildProcess.Ending, time: MonotonicTime)?
  /// When the process was first seen to exit: from then it runs no code of its own. The system may need seconds more to end
  /// it on a busy machine.
  package private(set) var exitTime: MonotonicTime?
  private let errorFile: String
  /// The name in front of its messages.
  private let file: String
  private let folder: TemporaryFolder?

  /// Launches a program.
  ///
  /// - Parameters:
  ///   - name: what a failure calls it; `nil` for the name of its file.
  ///   - output: receives its standard output, instead of ``received``.
  ///   - errorFile: receives the standard error.
  ///   - folder: the folder of the program's files, which exists as long as this object.
  ///   - collect: receives the standard output too, on a thread of its own.
  package init(
    _ program: URL, _ arguments: [String], named name: String? = nil, environment: [String: String] = [:],
    input: FileHandle = .nullDevice, output: FileHandle? = nil, errorFile: String,
    in folder: TemporaryFolder? = nil, collect: @escaping @Sendable (Data) -> Void = { _ in }
  ) throws(ProgramFailure) {
    file = program.lastPathComponent
    (self.name, self.errorFile, self.folder) = (name ?? file, errorFile, folder)
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

  /// Whether it has ended, and its output is complete.
  package var hasEnded: Bool {
    if ending == nil, let how = process.end(within: .zero) {
      let now = SystemClock().now
      ending = (how, now)
      exitTime = exitTime ?? now
    }
    return ending != nil
  }

  /// Whether it runs no code of its own any more: it has ended, or the system is ending it.
  package var isExiting: Bool {
    if !hasEnded, exitTime == nil, !isRunning || ProcessState.isExiting(pid) { exitTime = SystemClock().now }
    return exitTime != nil
  }

  /// What it has written to standard output.
  package var output: Data { received.data }

  /// What it has written to standard error.
  package var errors: String {
    String(decoding: FileManager.default.contents(atPath: errorFile) ?? Data(), as: UTF8.self)
  }

  /// The last message of the program on its standard error, else the last line of the code in it.
  package var lastError: String? {
    let lines = errors.split(separator: "\n").map(String.init)
    return lines.last { $0.hasPrefix("\(file): ") } ?? lines.last
  }

  /// Its events. Throws if a line of its output is not one.
  package func events() throws(Failure) -> [ProgramEvent] {
    if let line = received.unreadable { throw Failure("\(name) printed \(line)") }
    return received.all
  }

  /// Its events of a name. Throws if a line of its output is not an event.
  package func events(_ event: String) throws(Failure) -> [ProgramEvent] {
    try events().filter { $0.name == event }
  }

  /// What a program did that it must not do, with the end of its standard error.
  package struct Failure: Error, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }
  }
}
