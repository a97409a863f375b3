import Foundation

/// What a worker process is to do. It comes as JSON on the command line, behind the verb `worker`, which no help
/// names.
enum WorkerOrder: Codable, Sendable {
  /// Publish frames in a ring as fast as possible.
  case ringWriter(RingWriterWorker)
  /// Take frames from that ring, slowly, and judge them.
  case ringReader(RingReaderWorker)
  /// Broadcast as an extension does.
  case handler(HandlerWorker)
  /// Watch as an app does.
  case watcher(WatcherWorker)
  /// Lease frames.
  case leaser(LeaserWorker)
  /// Write other keys beside the flag.
  case keys(KeyWorker)

  /// The verb.
  static let word = "worker"

  /// The arguments that make this program the worker.
  func arguments() throws -> [String] {
    [Self.word, String(decoding: try JSONEncoder().encode(self), as: UTF8.self)]
  }

  /// Does what the arguments say, and ends the process.
  static func obey(_ arguments: ArraySlice<String>) -> Never {
    let parent = ParentProcess()
    do {
      guard let text = arguments.first else { throw CocoaError(.coderValueNotFound) }
      switch try JSONDecoder().decode(WorkerOrder.self, from: Data(text.utf8)) {
      case .ringWriter(let worker): try worker.run(for: parent)
      case .ringReader(let worker): try worker.run(for: parent)
      case .handler(let worker): try worker.run(for: parent)
      case .watcher(let worker): try worker.run(for: parent)
      case .leaser(let worker): try worker.run(for: parent)
      case .keys(let worker): try worker.run(for: parent)
      }
    } catch {
      parent.tell(.broken("\(error)"))
      exit(1)
    }
    exit(0)
  }
}
