import Foundation
import Synchronization

/// What a worker has told so far.
final class Mailbox: Sendable {
  private struct State {
    var messages: [WorkerMessage] = []
    var rest = Data()
    var isClosed = false
  }

  private let state = Mutex(State())

  /// All messages, the oldest first.
  var messages: [WorkerMessage] { state.withLock { $0.messages } }

  /// Whether nothing more will come.
  var isClosed: Bool { state.withLock { $0.isClosed } }

  /// What the worker says does not hold.
  var complaints: [String] {
    messages.compactMap { if case .broken(let complaint) = $0 { complaint } else { nil } }
  }

  /// The newest tally; none at all when there is none yet.
  var tally: TornTally {
    let tallies = messages.reversed().lazy.compactMap { if case .tally(let tally) = $0 { tally } else { nil } }
    return tallies.first ?? TornTally()
  }

  /// Takes what comes out of a pipe until its writer has gone, on a thread of its own.
  func collect(from pipe: FileHandle) {
    Thread.detachNewThread {
      while true {
        let data = pipe.availableData
        guard !data.isEmpty else { break }
        self.add(data)
      }
      self.state.withLock { $0.isClosed = true }
      do { try pipe.close() } catch { fatalError("a pipe cannot be closed: \(error)") }
    }
  }

  /// Takes bytes: whole lines become messages. The last line of a worker that was killed may be a part, and stays.
  func add(_ data: Data) {
    state.withLock { state in
      state.rest += data
      while let end = state.rest.firstIndex(of: 0x0A) {
        let line = state.rest[..<end]
        state.rest = state.rest[(end + 1)...]
        do { state.messages.append(try JSONDecoder().decode(WorkerMessage.self, from: Data(line))) } catch {
          state.messages.append(.broken("it printed '\(String(decoding: line, as: UTF8.self))'"))
        }
        // Of tallies only the newest counts, and there are many.
        if case .tally = state.messages.last, state.messages.count > 1,
          case .tally = state.messages[state.messages.count - 2]
        {
          state.messages.remove(at: state.messages.count - 2)
        }
      }
    }
  }
}
