import CommandLineSupport
import Foundation
import Programs

/// The work of a worker process, with its parameters.
protocol Worker: Codable, Sendable {
  /// Works until the parent process needs no more; an error ends the worker, and is reported.
  func run(for parent: ParentProcess) throws
}

/// The workers, each launched with the hidden subcommand `worker`, its type, and its parameters as JSON.
enum Workers {
  static let subcommand = "worker"

  private static let types: [any Worker.Type] = [
    RingWriterWorker.self, RingReaderWorker.self, KillWorker.self,
  ]

  /// The arguments that make this program a worker.
  static func arguments(for worker: some Worker) throws -> [String] {
    let parameters = String(decoding: try JSONEncoder().encode(worker), as: UTF8.self)
    return [subcommand, "\(type(of: worker))", parameters]
  }

  /// Does the work that the arguments name, and exits.
  static func run(_ arguments: ArraySlice<String>) -> Never {
    let interruption = Interruption()
    let signals = interruption.handleSignals()
    let parent = ParentProcess(interruption: interruption)
    do {
      guard let type = types.first(where: { "\($0)" == arguments.first }), let parameters = arguments.last
      else { throw CheckFailure("there is no worker \(arguments)") }
      try JSONDecoder().decode(type, from: Data(parameters.utf8)).run(for: parent)
    } catch {
      parent.report(.failure("\(error)"))
      exit(1)
    }
    extendLifetime(signals)
    exit(0)
  }
}

/// A message of a worker to its parent process.
enum WorkerMessage: Codable, Equatable, Sendable {
  case ready
  /// What a reader of the ring has checked so far.
  case tally(TornTally)
  /// The first frame of the extension of this process was delivered or read.
  case frame(from: Int32)
  /// The extension of process `pid` crashed. The last poll that did not detect it began at `before`, in monotonic
  /// nanoseconds.
  case crash(pid: Int32, before: UInt64)
  case failure(String)
}

/// The parent process, as a worker sees it.
struct ParentProcess: Sendable {
  let interruption: Interruption
  let pid = getppid()
  let output = StandardStream(descriptor: STDOUT_FILENO)

  /// Whether to continue: no signal has arrived, and the parent process lives and reads.
  var wantsMore: Bool { !interruption.hasArrived && getppid() == pid && output.failure == nil }

  func report(_ message: WorkerMessage) {
    do {
      output.write(try JSONEncoder().encode(message) + [0x0A])
    } catch {
      fatalError("a message has no JSON form: \(error)")
    }
  }
}
