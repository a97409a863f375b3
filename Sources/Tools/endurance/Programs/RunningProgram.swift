import CommandLineSupport
import Foundation
import ScreenBroadcast
import WorkerSupport

/// A running `producer` or `consumer`.
final class SoakProgram {
  /// The name in messages.
  let name: String
  let process: ChildProcess
  let events: SoakEvents
  private let errorFile: String

  /// Launches a program that lies beside this one, in a container.
  ///
  /// - Parameter role: the part of the program in the run, which only one running program may have.
  init(
    _ program: String, _ arguments: [String], role: String, container: AppGroupContainer, folder: WorkFolder
  ) throws(ProgramFailure) {
    let path = ChildProcess.ownProgram.deletingLastPathComponent().appending(path: program)
    guard FileManager.default.isExecutableFile(atPath: path.path) else {
      throw ProgramFailure(.inputOutput, "\(path.path) is not a program; build it with 'swift build'.")
    }
    let shared = ["--json", "--container", folder.path, "--group", container.group]
    let events = SoakEvents()
    self.events = events
    errorFile = "\(folder.path)/\(role).errors"
    process = try ChildProcess(path, arguments + shared, errors: errorFile) { events.add($0) }
    name = "\(role) (process \(process.pid))"
  }

  /// Waits for the end, and throws if it is another one.
  func expectEnd(_ wanted: ChildProcess.Ending) throws(CheckFailure) {
    let ending = process.end()
    try expect(ending == wanted, "\(name) \(ending.text); expected: \(wanted)\(errorText)")
    try expectReadable()
  }

  /// Waits for an event.
  @discardableResult
  func expectEvent(
    _ description: String, where matches: (SoakEvent) -> Bool
  ) throws(CheckFailure) -> SoakEvent {
    var found: SoakEvent?
    _ = holds(within: .seconds(15)) {
      found = events.all.first(where: matches)
      return found != nil || !process.isRunning
    }
    // A process that has ended may have reported the event in the meantime.
    guard let found = found ?? events.all.first(where: matches) else {
      throw CheckFailure(
        "\(name) did not report \(description)\(process.isRunning ? " within 15 s" : "")\(errorText)")
    }
    return found
  }

  /// Throws if a line of the output was not an event.
  func expectReadable() throws(CheckFailure) {
    if let line = events.unreadable { throw CheckFailure("\(name) printed '\(line)'") }
  }

  /// The end of its standard error, to append to a sentence.
  private var errorText: String {
    let text = FileManager.default.contents(atPath: errorFile) ?? Data()
    let end = String(decoding: text.suffix(400), as: UTF8.self).trimmingCharacters(
      in: .whitespacesAndNewlines)
    return end.isEmpty ? "" : "; its standard error: \(end)"
  }
}
