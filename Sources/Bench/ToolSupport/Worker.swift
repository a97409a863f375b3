import CommandLineSupport
import Foundation
import LaunchedPrograms

/// The work of a process that a tool launches. The process runs the tool itself again. The properties of the worker are its
/// parameters.
package protocol Worker<Report>: Codable, Sendable {
  /// The type of its reports to the parent process, in addition to "ready" and failures.
  associatedtype Report: Codable, Equatable, Sendable

  /// Works until the parent process needs no more. An error ends the worker, and is reported.
  func run(for parent: ParentProcess<Report>) throws
}

extension Worker {
  fileprivate static func main(_ parameters: String) -> Never {
    // The signals of a terminal reach the workers too, but only the parent process ends them.
    for number in SignalSources.requestsToEnd { _ = signal(number, SIG_IGN) }
    let parent = ParentProcess<Report>()
    do {
      try JSONDecoder().decode(Self.self, from: Data(parameters.utf8)).run(for: parent)
    } catch {
      parent.send(.failure("\(error)"))
      exit(1)
    }
    exit(0)
  }
}

/// The hidden subcommand of a worker, followed by the worker's type and its parameters as JSON.
package enum WorkerSubcommand {
  package static let name = "worker"

  /// Runs the worker that the arguments name, and exits. Returns if they do not name one of the types.
  package static func run(_ arguments: [String], among types: [any Worker.Type]) {
    guard arguments.count == 3, arguments[0] == name else { return }
    types.first { "\($0)" == arguments[1] }?.main(arguments[2])
  }
}

/// A line of a worker's stdout.
enum WorkerMessage<Report: Codable & Equatable & Sendable>: Codable, Equatable, Sendable {
  case ready
  case report(Report)
  case failure(String)
}

/// The parent process, from the worker's point of view.
package struct ParentProcess<Report: Codable & Equatable & Sendable>: Sendable {
  private let output = StandardStream(descriptor: STDOUT_FILENO)

  /// Whether to continue: the parent process is alive, and has not asked the worker to end.
  package var wantsMore: Bool {
    var input = pollfd(fd: STDIN_FILENO, events: 0, revents: 0)
    // UNSAFE: one entry, a local variable. The call reports only that the pipe is closed.
    return unsafe poll(&input, 1, 0) < 1
  }

  /// Waits for the next line from the parent process; `nil` once the worker may end.
  package func nextLine() -> String? { readLine() }

  package func reportReady() { send(.ready) }
  package func report(_ report: Report) { send(.report(report)) }
  /// Reports a failure; the worker continues.
  package func fail(_ failure: String) { send(.failure(failure)) }

  fileprivate func send(_ message: WorkerMessage<Report>) {
    do {
      output.write(try JSONEncoder().encode(message) + [0x0A])
    } catch {
      fatalError("a message has no JSON form: \(error)")
    }
  }
}
