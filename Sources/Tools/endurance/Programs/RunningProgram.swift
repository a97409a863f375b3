import CommandLineSupport
import Foundation
import ScreenBroadcast
import WorkerSupport

/// A running `producer` or `consumer` of a run, with its resources.
final class RunningProgram {
  let program: String
  let name: String
  private(set) var samples: [[Resource: Double]] = []
  private let launched: LaunchedProgram
  private let container: AppGroupContainer

  /// Launches a program that lies beside this one, in a container.
  ///
  /// - Parameter role: the part of the program in the run, which only one running program may have.
  init(
    _ program: String, _ arguments: [String], role: String, in container: AppGroupContainer,
    _ context: RunContext
  ) throws {
    (self.program, self.container) = (program, container)
    launched = try LaunchedProgram(
      ChildProcess.program(program),
      arguments + ["--json", "--container", context.folder.path, "--group", container.group],
      errorFile: "\(context.folder.path)/\(role).errors")
    name = "\(role) (process \(launched.process.pid))"
  }

  var process: ChildProcess { launched.process }

  var events: ReceivedLines<ProgramEvent> { launched.events }

  /// Waits for an event; `description` follows "did not report" in the failure.
  @discardableResult
  func expect(
    _ event: String, _ description: String, where matches: (ProgramEvent) -> Bool = { _ in true }
  ) throws(CheckFailure) -> ProgramEvent {
    var found: ProgramEvent? { launched.events(event).first(where: matches) }
    // A process that has ended may have reported the event just before.
    _ = holds(within: .seconds(15)) { found != nil || launched.hasEnded }
    guard let event = found else {
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
  private var errorText: String { errors.isEmpty ? "" : "; its standard error: \(errors)" }

  /// The end of its standard error.
  private var errors: String {
    String(launched.errors.suffix(400)).trimmingCharacters(in: .whitespacesAndNewlines)
  }
}
