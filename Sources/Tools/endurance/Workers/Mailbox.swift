import Foundation
import Synchronization

/// What a worker has told so far.
final class Mailbox: Sendable {
  private struct State {
    var messages: [WorkerMessage] = []
    var splitter = LineSplitter()
  }

  private let state = Mutex(State())

  /// All messages, the oldest first; of tallies only the newest.
  var messages: [WorkerMessage] { state.withLock { $0.messages } }

  /// What the worker says does not hold.
  var complaints: [String] {
    messages.compactMap { if case .broken(let complaint) = $0 { complaint } else { nil } }
  }

  /// The newest tally; none at all when there is none yet.
  var tally: TornTally {
    for case .tally(let tally) in messages.reversed() { return tally }
    return TornTally()
  }

  /// Takes what the worker printed.
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
