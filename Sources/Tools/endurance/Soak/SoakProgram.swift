import CommandLineSupport
import Foundation
import ScreenBroadcast

/// One of the real programs, running.
final class SoakProgram {
  /// What it is called in messages to people.
  let name: String
  /// Its process.
  let process: ChildProcess
  /// What it told.
  let events: SoakEvents
  private let errorFile: String

  /// Starts a program that lies beside this one, in a container. One at a time plays a `role` there.
  init(
    _ program: String, _ arguments: [String], role: String, container: AppGroupContainer, folder: WorkFolder
  )
    throws(ProgramFailure)
  {
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

  /// Waits for its end, which must be this one.
  func expectEnd(_ wanted: ChildProcess.Ending) throws(BrokenPromise) {
    let ending = process.end()
    guard ending == wanted else {
      throw BrokenPromise("\(name) \(ending.text), and should have \(wanted.asParticiple)\(said)")
    }
    try expectReadable()
  }

  /// Waits until it has told something.
  @discardableResult
  func expect(
    _ what: String, where matches: (SoakEvent) -> Bool
  ) throws(BrokenPromise) -> SoakEvent {
    var found: SoakEvent?
    let came = holds(within: .seconds(15)) {
      found = events.all.first(where: matches)
      return found != nil || !process.isRunning
    }
    // It may have told it last.
    found = found ?? (process.isRunning ? nil : events.all.first(where: matches))
    guard came, let found else {
      throw BrokenPromise("\(name) did not tell \(what)\(process.isRunning ? " within 15 s" : "")\(said)")
    }
    return found
  }

  /// Throws when a line was no event.
  func expectReadable() throws(BrokenPromise) {
    if let line = events.unreadable { throw BrokenPromise("\(name) printed '\(line)'") }
  }

  /// What it said on standard error, to be put behind a sentence.
  private var said: String {
    let text = FileManager.default.contents(atPath: errorFile) ?? Data()
    let said = String(decoding: text.suffix(400), as: UTF8.self).trimmingCharacters(
      in: .whitespacesAndNewlines)
    return said.isEmpty ? "" : "; it said: \(said)"
  }
}

extension ChildProcess.Ending {
  /// How it should have ended, behind "should have".
  fileprivate var asParticiple: String {
    switch self {
    case .exit(let code): "left with \(code)"
    case .signal(let number): "died of signal \(number)"
    }
  }
}
