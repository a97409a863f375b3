import Foundation
import HTTPServer
import Platform
import Synchronization

/// The events of a watch for pages, with those of the last minutes for a page that comes later or again; and the signals of
/// one page for the others that are there.
///
/// Each has an id, the instant of its arrival in nanoseconds of the monotonic clock. A page names the last id that it has.
final class LiveEvents: Sendable {
  struct Entry {
    let id: UInt64
    let line: Data
    var isSignal = false
  }

  private struct State {
    var events: [Entry] = []
    var streamCount = 0
    var hasEnded = false
  }

  /// Five minutes with two reports a second, and others. Plots cover three minutes.
  static let capacity = 700

  private let clock: any MonotonicClock
  /// Called when a page may take an event.
  private let wake: LiveWake
  private let state = Mutex(State())
  /// Signalled when the last stream ends after ``finish(within:)``.
  private let haveStreamsEnded = DispatchSemaphore(value: 0)

  init(clock: any MonotonicClock, wake: LiveWake) { (self.clock, self.wake) = (clock, wake) }

  /// Whether a page is open.
  var hasPages: Bool { state.withLock { $0.streamCount > 0 } }

  /// Adds an event, a JSON object on a line.
  func add(_ line: Data, isSignal: Bool = false) {
    let hasPages = state.withLock { state in
      let id = max(clock.now.nanoseconds, (state.events.last?.id ?? 0) + 1)
      if state.events.count >= Self.capacity { state.events.removeFirst(Self.capacity / 10) }
      state.events.append(Entry(id: id, line: line.last == 10 ? line.dropLast() : line, isSignal: isSignal))
      return state.streamCount > 0
    }
    if hasPages { wake.call() }
  }

  /// The events after `id`, in their order, and whether no more will come.
  func events(after id: UInt64) -> (new: ArraySlice<Entry>, areLast: Bool) {
    state.withLock { state in
      (state.events[(state.events.lastIndex { $0.id <= id }.map { $0 + 1 } ?? 0)...], state.hasEnded)
    }
  }

  /// The id of the newest event; 0 before the first.
  var newestID: UInt64 { state.withLock { $0.events.last?.id ?? 0 } }

  /// Ends the streams after the events so far, and waits for the pages to take them, at most for a time.
  func finish(within limit: Duration) {
    let hasPages = state.withLock { state in
      state.hasEnded = true
      return state.streamCount > 0
    }
    guard hasPages else { return }
    wake.call()
    _ = haveStreamsEnded.wait(timeout: .now() + limit / .seconds(1))
  }

  func open() { state.withLock { $0.streamCount += 1 } }

  func close() {
    let isLast = state.withLock { state in
      state.streamCount -= 1
      return state.hasEnded && state.streamCount == 0
    }
    if isLast { haveStreamsEnded.signal() }
  }
}

/// The events for one page, as server-sent events.
final class LiveEventStream: HTTPBodyStream {
  private let events: LiveEvents
  private let last: Mutex<UInt64>
  private let isFirst = Mutex(true)
  private let start: UInt64
  private let hasSignalsOnly: Bool

  /// The events after the id `last`, and the signals after now.
  init(_ events: LiveEvents, after last: UInt64, signalsOnly: Bool = false) {
    self.events = events
    self.last = Mutex(last)
    start = events.newestID
    hasSignalsOnly = signalsOnly
    events.open()
  }

  deinit { events.close() }

  func next() -> HTTPBodyPiece {
    let (new, areLast) = last.withLock { last in
      let (new, areLast) = events.events(after: last)
      last = new.last?.id ?? last
      return (new, areLast)
    }
    var bytes: [UInt8] = []
    let opens = isFirst.withLock { isFirst in
      defer { isFirst = false }
      return isFirst
    }
    // The page tries again a second after the connection ends.
    if opens { bytes += Array("retry: 1000\n\n".utf8) }
    for event in new where event.isSignal ? event.id > start : !hasSignalsOnly {
      bytes += Array("id: \(event.id)\n\(event.isSignal ? "event: signal\n" : "")data: ".utf8)
      bytes += event.line
      bytes += [10, 10]
    }
    guard bytes.isEmpty else { return .bytes(bytes) }
    return areLast ? .end : .wait
  }
}
