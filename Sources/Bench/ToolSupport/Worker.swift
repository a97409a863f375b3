import CommandLineSupport
import Foundation
import LaunchedPrograms

/// The work of a process that a tool launches: the tool itself, once more. Its properties are the parameters.
package protocol Worker<Report>: Codable, Sendable {
  /// What it reports to its parent process, beside that it is ready or has failed.
  associatedtype Report: Codable, Equatable, Sendable

  /// Works until the parent process needs no more; an error ends the worker, and is reported.
  func run(for parent: ParentProcess<Report>) throws
}

extension Worker {
  fileprivate static func main(_ parameters: String) -> Never {
    // The signals of a terminal reach the workers too; only the parent process ends them.
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

/// The hidden subcommand of a worker. Its type and its parameters as JSON follow.
package enum WorkerSubcommand {
  package static let name = "worker"

  /// Does the work that the arguments name, and exits; returns if they name none of the types.
  package static func run(_ arguments: [String], among types: [any Worker.Type]) {
    guard arguments.count == 3, arguments[0] == name else { return }
    types.first { "\($0)" == arguments[1] }?.main(arguments[2])
  }
}

/// A line of a worker's standard output.
enum WorkerMessage<Report: Codable & Equatable & Sendable>: Codable, Equatable, Sendable {
  case ready
  case report(Report)
  case failure(String)
}

/// The parent process, as a worker sees it.
package struct ParentProcess<Report: Codable & Equatable & Sendable>: Sendable {
  private let output = StandardStream(descriptor: STDOUT_FILENO)

  /// Whether to continue: the parent process lives, and has not let the worker end.
  package var wantsMore: Bool {
    var input = pollfd(fd: STDIN_FILENO, events: 0, revents: 0)
    // UNSAFE: one entry, a local variable. It reports only that the pipe is closed.
    return unsafe poll(&input, 1, 0) < 1
  }

  /// Waits for the next line from the parent process; `nil` when the worker may end.
  package func nextLine() -> String? { readLine() }

  package func reportReady() { send(.ready) }
  package func report(_ report: Report) { send(.report(report)) }
  /// Reports a failure of something that continues.
  package func fail(_ failure: String) { send(.failure(failure)) }

  fileprivate func send(_ message: WorkerMessage<Report>) {
    do {
      output.write(try JSONEncoder().encode(message) + [0x0A])
    } catch {
      fatalError("a message has no JSON form: \(error)")
    }
  }
}
