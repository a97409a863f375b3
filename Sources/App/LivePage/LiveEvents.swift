import Foundation
import HTTPServer
import Platform
import Synchronization

/// The events of a watch for pages, with those of the last minutes for a page that comes later or again.
///
/// Each has an id, the instant of its arrival in nanoseconds of the monotonic clock. A page names the last id that it has.
final class LiveEvents: Sendable {
  private struct State {
    var events: [(id: UInt64, line: Data)] = []
    var streamCount = 0
    var wake: (@Sendable () -> Void)?
  }

  /// Five minutes with five reports a second, and some.
  static let capacity = 2000

  private let clock: any MonotonicClock
  private let state = Mutex(State())

  init(clock: any MonotonicClock) { self.clock = clock }

  /// Sets what is called when a page may take an event.
  func onEvent(_ wake: @escaping @Sendable () -> Void) { state.withLock { $0.wake = wake } }

  /// Whether a page is open.
  var hasPages: Bool { state.withLock { $0.streamCount > 0 } }

  /// Adds an event, a JSON object on a line.
  func add(_ line: Data) {
    let wake = state.withLock { state in
      let id = max(clock.now.nanoseconds, (state.events.last?.id ?? 0) + 1)
      if state.events.count >= Self.capacity { state.events.removeFirst(Self.capacity / 10) }
      state.events.append((id, line.last == 10 ? line.dropLast() : line))
      return state.streamCount > 0 ? state.wake : nil
    }
    wake?()
  }

  /// The events after `id`, in their order.
  func events(after id: UInt64) -> ArraySlice<(id: UInt64, line: Data)> {
    state.withLock { state in
      state.events[(state.events.lastIndex { $0.id <= id }.map { $0 + 1 } ?? 0)...]
    }
  }

  func open() { state.withLock { $0.streamCount += 1 } }
  func close() { state.withLock { $0.streamCount -= 1 } }
}

/// The events for one page, as server-sent events.
final class LiveEventStream: HTTPBodyStream {
  private let events: LiveEvents
  private let last: Mutex<UInt64>
  private let isFirst = Mutex(true)

  /// The events after the id `last`.
  init(_ events: LiveEvents, after last: UInt64) {
    self.events = events
    self.last = Mutex(last)
    events.open()
  }

  deinit { events.close() }

  func next() -> HTTPBodyPiece {
    let new = last.withLock { last in
      let new = events.events(after: last)
      last = new.last?.id ?? last
      return new
    }
    var bytes: [UInt8] = []
    let opens = isFirst.withLock { isFirst in
      defer { isFirst = false }
      return isFirst
    }
    // The page tries again a second after the connection ends.
    if opens { bytes += Array("retry: 1000\n\n".utf8) }
    for event in new {
      bytes += Array("id: \(event.id)\ndata: ".utf8)
      bytes += event.line
      bytes += [10, 10]
    }
    return bytes.isEmpty ? .wait : .bytes(bytes)
  }
}
