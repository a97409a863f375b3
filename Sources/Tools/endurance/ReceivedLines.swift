import Foundation
import Synchronization
import WorkerSupport

/// The JSON lines that a process has printed, in order.
final class ReceivedLines<Line: Decodable & Sendable>: Sendable {
  private struct State {
    var lines: [Line] = []
    var splitter = LineSplitter()
    var unreadable: String?
  }

  private let state = Mutex(State())

  /// The lines that were not removed.
  var all: [Line] { state.withLock { $0.lines } }

  /// The first line that has another form, with the error.
  var unreadable: String? { state.withLock { $0.unreadable } }

  /// Removes and returns the lines so far, of which a long run has many.
  @discardableResult
  func takeAll() -> [Line] {
    state.withLock { state in
      defer { state.lines = [] }
      return state.lines
    }
  }

  func add(_ data: Data) {
    state.withLock { state in
      for line in state.splitter.lines(adding: data) {
        do { state.lines.append(try JSONDecoder().decode(Line.self, from: line)) } catch {
          state.unreadable = state.unreadable ?? "'\(String(decoding: line, as: UTF8.self))': \(error)"
        }
      }
    }
  }
}
