import Foundation
import Synchronization
import WorkerSupport

/// The messages that a worker has sent.
final class WorkerMessages: Sendable {
  private struct State {
    var messages: [WorkerMessage] = []
    var splitter = LineSplitter()
  }

  private let state = Mutex(State())

  /// All messages, the oldest first; of consecutive tallies only the newest.
  var all: [WorkerMessage] { state.withLock { $0.messages } }

  /// The failures that the worker reported.
  var failures: [String] {
    all.compactMap { if case .broken(let failure) = $0 { failure } else { nil } }
  }

  /// The newest tally.
  var tally: TornTally {
    for case .tally(let tally) in all.reversed() { return tally }
    return TornTally()
  }

  /// Adds output of the worker.
  func add(_ data: Data) {
    state.withLock { state in
      for line in state.splitter.lines(adding: data) {
        do {
          let message = try JSONDecoder().decode(WorkerMessage.self, from: line)
          if case .tally = message, case .tally = state.messages.last { state.messages.removeLast() }
          state.messages.append(message)
        } catch {
          state.messages.append(.broken("it printed '\(String(decoding: line, as: UTF8.self))'"))
        }
      }
    }
  }
}
