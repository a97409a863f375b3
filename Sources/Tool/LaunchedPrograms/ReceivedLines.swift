import Foundation
import Synchronization

/// The output of a process: its bytes, and its lines in order, each parsed into a value.
package final class ReceivedLines<Line: Sendable>: Sendable {
  private struct State {
    var data = Data()
    var lines: [Line] = []
    var splitter = LineSplitter()
    var isEmpty = true
    var unreadable: String?
  }

  private let state = Mutex(State())
  private let read: @Sendable (Data) throws -> Line

  package init(_ read: @escaping @Sendable (Data) throws -> Line) { self.read = read }

  /// The bytes that were not removed.
  package var data: Data { state.withLock { $0.data } }

  /// The lines that were not removed.
  package var all: [Line] { state.withLock { $0.lines } }

  package var isEmpty: Bool { state.withLock { $0.isEmpty } }

  /// The first line that cannot be parsed, with the error.
  package var unreadable: String? { state.withLock { $0.unreadable } }

  /// Removes all data and lines, which pile up in a long run, and returns the lines.
  @discardableResult
  package func takeAll() -> [Line] {
    state.withLock { state in
      defer { (state.lines, state.data) = ([], Data()) }
      return state.lines
    }
  }

  package func add(_ data: Data) {
    state.withLock { state in
      if !data.isEmpty { state.isEmpty = false }
      state.data += data
      for line in state.splitter.lines(adding: data) {
        do { state.lines.append(try read(line)) } catch {
          state.unreadable = state.unreadable ?? "'\(String(decoding: line, as: UTF8.self))': \(error)"
        }
      }
    }
  }
}

/// Splits bytes that arrive in pieces into lines. An incomplete last line waits for its rest.
package struct LineSplitter {
  private var rest = Data()

  package init() {}

  /// Returns the lines that are complete now, without their line feeds.
  package mutating func lines(adding data: Data) -> [Data] {
    var lines = (rest + data).split(separator: 0x0A, omittingEmptySubsequences: false).map { Data($0) }
    rest = lines.removeLast()
    return lines
  }
}
