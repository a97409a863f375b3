import Foundation

/// The job of a worker process, as JSON after the hidden subcommand `worker`.
enum WorkerJob: Codable, Sendable {
  /// Publish frames in a ring as fast as possible.
  case ringWriter(RingWriterWorker)
  /// Read frames from that ring, slowly, and check them.
  case ringReader(RingReaderWorker)
  /// Broadcast as an extension does.
  case handler(HandlerWorker)
  /// Watch as an app does.
  case watcher(WatcherWorker)
  /// Lease frames.
  case leaser(LeaserWorker)
  /// Write other keys beside the flag.
  case keys(KeyWorker)

  static let subcommand = "worker"

  /// The arguments that make this program the worker.
  func arguments() throws -> [String] {
    [Self.subcommand, String(decoding: try JSONEncoder().encode(self), as: UTF8.self)]
  }

  /// Does the job in the arguments, and exits.
  static func run(_ arguments: ArraySlice<String>) -> Never {
    let parent = ParentProcess()
    do {
      guard let text = arguments.first else { throw CocoaError(.coderValueNotFound) }
      switch try JSONDecoder().decode(WorkerJob.self, from: Data(text.utf8)) {
      case .ringWriter(let worker): try worker.run(for: parent)
      case .ringReader(let worker): try worker.run(for: parent)
      case .handler(let worker): try worker.run(for: parent)
      case .watcher(let worker): try worker.run(for: parent)
      case .leaser(let worker): try worker.run(for: parent)
      case .keys(let worker): try worker.run(for: parent)
      }
    } catch {
      parent.report(.broken("\(error)"))
      exit(1)
    }
    exit(0)
  }
}
