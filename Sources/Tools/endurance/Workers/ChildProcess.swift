import CommandLineSupport
import Foundation
import Synchronization

/// A process that this one started: what it prints, and how it ends.
final class ChildProcess {
  private let process = Process()
  private let hasClosed: Closing

  private final class Closing: Sendable { let isTrue = Atomic(false) }

  /// Starts a program. Its standard output goes to `collect`, piece by piece, on a thread of its own; its standard
  /// error to the file `errors`, or to where this process' goes.
  init(
    _ program: URL, _ arguments: [String], errors: String? = nil,
    collect: @escaping @Sendable (Data) -> Void
  ) throws(ProgramFailure) {
    let output = Pipe()
    process.executableURL = program
    process.arguments = arguments
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    do {
      if let errors {
        try Data().write(to: URL(filePath: errors))
        process.standardError = try FileHandle(forWritingTo: URL(filePath: errors))
      }
      try process.run()
    } catch {
      throw ProgramFailure(
        .inputOutput, "\(program.path) cannot be started: \(error.localizedDescription).")
    }
    let (pipe, hasClosed) = (output.fileHandleForReading, Closing())
    self.hasClosed = hasClosed
    Thread.detachNewThread {
      while true {
        let data = pipe.availableData
        guard !data.isEmpty else { break }
        collect(data)
      }
      hasClosed.isTrue.store(true, ordering: .releasing)
      // Not left to the last reference: thousands are started.
      pipe.closeFile()
    }
  }

  /// This program itself.
  static let ownProgram =
    (Bundle.main.executableURL ?? URL(filePath: CommandLine.arguments[0])).resolvingSymlinksInPath()

  /// Its process id.
  var pid: Int32 { process.processIdentifier }

  /// Whether it has not ended yet.
  var isRunning: Bool { process.isRunning }

  /// Sends it a signal, if it still runs.
  func send(_ signal: Int32) {
    if process.isRunning { _ = Foundation.kill(pid, signal) }
  }

  /// Waits until it has ended and its output is collected; how it ended. `nil` when it has not within the limit.
  func end(within limit: Duration = .seconds(10)) -> Ending? {
    guard holds(within: limit, { !process.isRunning && hasClosed.isTrue.load(ordering: .acquiring) }) else {
      return nil
    }
    return process.terminationReason == .exit
      ? .exit(process.terminationStatus) : .signal(process.terminationStatus)
  }

  /// Kills it, also when it was stopped, and waits until it is gone.
  func kill() {
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

extension ChildProcess.Ending? {
  /// What to say of it, behind the name of the process.
  var text: String { self?.description ?? "does not end" }
}
