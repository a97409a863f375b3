import CommandLineSupport
import Foundation
import ScreenBroadcast
import WorkerSupport

/// A running `producer` or `consumer`, which is killed at the end of this object's life.
final class RunningProgram {
  let program: String
  let name: String
  let process: ChildProcess
  let events: ReceivedLines<ProgramEvent>
  private(set) var samples: [[Resource: Double]] = []
  private let container: AppGroupContainer
  private let errorFile: String

  /// Launches a program that lies beside this one, in a container.
  ///
  /// - Parameter role: the part of the program in the run, which only one running program may have.
  init(
    _ program: String, _ arguments: [String], role: String, in container: AppGroupContainer,
    _ context: RunContext
  ) throws {
    (self.program, self.container) = (program, container)
    let events = ReceivedLines<ProgramEvent>()
    self.events = events
    errorFile = "\(context.folder.path)/\(role).errors"
    process = try ChildProcess(
      ChildProcess.ownProgram.deletingLastPathComponent().appending(path: program),
      arguments + ["--json", "--container", context.folder.path, "--group", container.group],
      errors: errorFile
    ) { events.add($0) }
    name = "\(role) (process \(process.pid))"
  }

  deinit { process.kill() }

  /// Waits for an event; `description` follows "did not report" in the failure.
  @discardableResult
  func expect<Event>(
    _ type: Event.Type, _ description: String, where matches: (Event) -> Bool = { _ in true }
  ) throws(CheckFailure) -> Event {
    // A process that has ended may have reported the event just before.
    _ = holds(within: .seconds(15)) { events.all.of(type).contains(where: matches) || !process.isRunning }
    guard let event = events.all.of(type).first(where: matches) else {
      throw CheckFailure("\(name) did not report \(description)\(errorText)")
    }
    return event
  }

  /// Samples its use of resources, with the files of its container, which are checked, or without them.
  func sample(withFiles: Bool) throws {
    let files = withFiles ? try ContainerTree.check(container, isAtRest: false) : 0
    samples.append(try Resource.use(by: process.pid, containerFiles: files))
  }

  /// The newest sample of its private memory, for the progress of a run.
  var memoryText: String {
    "\((samples.last?[.privateMemory] ?? 0).text(decimals: 0)) KB private in \(name)"
  }

  /// Waits for the end, and throws if it is another one.
  func expectEnd(_ wanted: ChildProcess.Ending) throws(CheckFailure) {
    let ending = process.end()
    guard ending == wanted else {
      throw CheckFailure("\(name) \(ending.text); expected: \(wanted)\(errorText)")
    }
    try expectReadable()
  }

  /// Waits for the end, and returns what the verification of frames and audio reported; `nil` if it passed. Throws if the
  /// program ended for another reason.
  func verificationFault() throws(CheckFailure) -> String? {
    if process.end() == .exit(ExitCode.verificationFailed.rawValue) {
      try expectReadable()
      return errors
    }
    try expectEnd(.exit(0))
    return nil
  }

  /// Throws if a line of the output was not an event.
  func expectReadable() throws(CheckFailure) {
    if let line = events.unreadable { throw CheckFailure("\(name) printed \(line)") }
  }

  /// The end of its standard error, to append to a sentence.
  private var errorText: String {
    let errors = errors
    return errors.isEmpty ? "" : "; its standard error: \(errors)"
  }

  /// The end of its standard error.
  private var errors: String {
    let text = FileManager.default.contents(atPath: errorFile) ?? Data()
    return String(decoding: text.suffix(400), as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
  }
}
