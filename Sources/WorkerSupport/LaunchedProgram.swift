import CommandLineSupport
import Foundation
import Platform

/// A program that was launched with `--json`, with the events that it reports. It is killed at the end of this object's
/// life.
package final class LaunchedProgram {
  package let process: ChildProcess
  package let events = ReceivedLines(ProgramEvent.init)
  package let launchTime = SystemClock().now
  /// How and when the process ended, once that was checked.
  package private(set) var ending: (how: ChildProcess.Ending, time: MonotonicTime)?
  private let errorFile: String
  /// Must outlive the process.
  private let folder: TemporaryFolder?

  /// Launches a program.
  ///
  /// - Parameters:
  ///   - errorFile: receives the standard error.
  ///   - folder: the folder of the program's files, which exists as long as this object.
  ///   - collect: receives the standard output too.
  package init(
    _ program: URL, _ arguments: [String], environment: [String: String] = [:], errorFile: String,
    in folder: TemporaryFolder? = nil, collect: @escaping @Sendable (Data) -> Void = { _ in }
  ) throws(ProgramFailure) {
    (self.errorFile, self.folder) = (errorFile, folder)
    process = try ChildProcess(program, arguments, environment: environment, errors: errorFile) {
      [events] data in
      events.add(data)
      collect(data)
    }
  }

  deinit { process.kill() }

  /// Whether it has ended, and its output is complete.
  package var hasEnded: Bool {
    if ending == nil, let how = process.end(within: .zero) { ending = (how, SystemClock().now) }
    return ending != nil
  }

  package func send(_ signal: Int32) { process.send(signal) }

  package func events(_ name: String) -> [ProgramEvent] { events.all.filter { $0.name == name } }

  /// What it has written to standard error.
  package var errors: String {
    String(decoding: FileManager.default.contents(atPath: errorFile) ?? Data(), as: UTF8.self)
  }

  /// The last line of its standard error.
  package var lastError: String? { errors.split(separator: "\n").last.map(String.init) }
}
