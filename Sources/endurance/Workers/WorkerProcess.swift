import CommandLineSupport
import Foundation

/// A worker as the process sees it that started it.
final class WorkerProcess {
  /// What it is called in messages to people.
  let name: String
  /// What it tells.
  let mailbox = Mailbox()
  private let process = Process()

  /// Starts this program again, as a worker.
  init(_ order: WorkerOrder, name: String) throws(ProgramFailure) {
    self.name = name
    let output = Pipe()
    process.executableURL = Self.program
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    do {
      process.arguments = try order.arguments()
      try process.run()
    } catch {
      throw ProgramFailure(.internalError, "A worker cannot be started: \(error).")
    }
    mailbox.collect(from: output.fileHandleForReading)
  }

  /// This program itself.
  private static let program =
    (Bundle.main.executableURL ?? URL(filePath: CommandLine.arguments[0])).resolvingSymlinksInPath()

  /// Its process id.
  var pid: Int32 { process.processIdentifier }

  /// Whether it has not ended yet.
  var isRunning: Bool { process.isRunning }

  /// Sends it a signal, if it still runs.
  func send(_ signal: Int32) {
    // Not reaped before `isRunning` says so, so the id is still its own.
    if process.isRunning { _ = Foundation.kill(pid, signal) }
  }

  /// Waits for its end and for its last message; how it ended. `nil` when it did not within the limit.
  func end(within limit: Duration = .seconds(10)) -> Ending? {
    guard holds(within: limit, { !process.isRunning && mailbox.isClosed }) else { return nil }
    return process.terminationReason == .exit
      ? .exit(process.terminationStatus) : .signal(process.terminationStatus)
  }

  /// Kills it and waits until it is gone.
  func kill() {
    send(SIGCONT)
    send(SIGKILL)
    _ = end()
  }

  /// How a process ended.
  enum Ending: Equatable, CustomStringConvertible {
    case exit(Int32)
    case signal(Int32)

    /// What to say of it, behind the name of the process.
    var description: String {
      switch self {
      case .exit(let code): "left with exit code \(code)"
      case .signal(let number): "died of signal \(number)"
      }
    }
  }
}
