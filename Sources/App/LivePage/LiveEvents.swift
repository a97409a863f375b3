import Foundation
import HTTPServer
import Platform
import Synchronization

/// The events of a watch for pages. It keeps the events of the whole watch for pages that connect later or reconnect, and
/// passes the signals of one page to the other connected pages.
///
/// Each event has an ID: its arrival in nanoseconds of the monotonic clock. A page sends the last ID that it has received.
final class LiveEvents: Sendable {
  enum Kind { case lasting, stats, measures, signal }

  struct Entry {
    let id: UInt64
    let line: Data
    let kind: Kind
  }

  private struct State {
    var events: [Entry] = []
    var streamCount = 0
    var beatCount = 0
    var isBeating = false
    /// The minimum interval between old reports of a kind, in nanoseconds.
    var spacing: UInt64 = 1_500_000_000
    var hasEnded = false
  }

  /// Five minutes with two reports per second take a quarter; the rest is for older events.
  static let capacity = 2400
  /// The age up to which every event is kept, in nanoseconds. Older reports are thinned out.
  private static let wholeTime: UInt64 = 300_000_000_000

  private let clock: any MonotonicClock
  /// Called when events are ready for a page.
  private let wake: StreamWaker
  private let state = Mutex(State())
  /// Signalled when the last stream ends after ``finish(within:)``.
  private let haveStreamsEnded = DispatchSemaphore(value: 0)

  init(clock: any MonotonicClock, wake: StreamWaker) {
    self.clock = clock
    self.wake = wake
  }

  /// Adds an event: one line with a JSON object.
  func add(_ line: Data, _ kind: Kind = .lasting) {
    let hasPages = state.withLock { state in
      let id = max(clock.now.nanoseconds, (state.events.last?.id ?? 0) + 1)
      if state.events.count >= Self.capacity { Self.thin(&state, at: id) }
      state.events.append(Entry(id: id, line: line.last == 10 ? line.dropLast() : line, kind: kind))
      return state.streamCount > 0
    }
    if hasPages { wake.call() }
  }

  /// Removes signals older than the last minutes, and thins out older reports of each kind with growing intervals. If that
  /// is not enough, it removes the oldest events.
  private static func thin(_ state: inout State, at id: UInt64) {
    let start = id - min(id, wholeTime)
    while true {
      let spacing = state.spacing
      var last: [Kind: UInt64] = [:]
      state.events.removeAll { event in
        guard event.kind != .lasting, event.id < start else { return false }
        if event.kind == .signal || event.id - (last[event.kind] ?? 0) < spacing { return true }
        last[event.kind] = event.id
        return false
      }
      if state.events.count <= capacity * 9 / 10 { return }
      guard state.spacing < wholeTime else { break }
      state.spacing *= 2
    }
    state.events.removeFirst(capacity / 10)
  }

  /// Sends a heartbeat to each page, every second while there is a page.
  private func beat() {
    let hasPages = state.withLock { state in
      state.beatCount += 1
      state.isBeating = state.streamCount > 0
      return state.isBeating
    }
    guard hasPages else { return }
    wake.call()
    DispatchQueue.global().asyncAfter(deadline: .now() + 1) { [weak self] in self?.beat() }
  }

  /// The number of heartbeats so far, and the current time.
  var beats: (count: Int, time: MonotonicTime) { (state.withLock { $0.beatCount }, clock.now) }

  /// Returns the events after `id` in order, and whether no more will follow.
  func events(after id: UInt64) -> (new: ArraySlice<Entry>, areLast: Bool) {
    state.withLock { state in
      (state.events[(state.events.lastIndex { $0.id <= id }.map { $0 + 1 } ?? 0)...], state.hasEnded)
    }
  }

  /// The ID of the newest event; 0 before the first event.
  var newestID: UInt64 { state.withLock { $0.events.last?.id ?? 0 } }

  /// Ends the streams after the current events, and waits up to `limit` for the pages to receive them.
  func finish(within limit: Duration) {
    let hasPages = state.withLock { state in
      state.hasEnded = true
      return state.streamCount > 0
    }
    guard hasPages else { return }
    wake.call()
    _ = haveStreamsEnded.wait(timeout: .now() + limit / .seconds(1))
  }

  func open() {
    let begins = state.withLock { state in
      defer { state.isBeating = true }
      state.streamCount += 1
      return !state.isBeating
    }
    if begins { beat() }
  }

  func close() {
    let isLast = state.withLock { state in
      state.streamCount -= 1
      return state.hasEnded && state.streamCount == 0
    }
    if isLast { haveStreamsEnded.signal() }
  }
}

/// Sends the events to one page as server-sent events.
final class LiveEventStream: HTTPBodyStream {
  private let events: LiveEvents
  private let state: Mutex<(last: UInt64, beats: Int, isFirst: Bool)>
  private let start: UInt64
  private let hasSignalsOnly: Bool

  /// Creates a stream of the events after the ID `last`, and of the signals after now.
  init(_ events: LiveEvents, after last: UInt64, signalsOnly: Bool = false) {
    self.events = events
    state = Mutex((last, 0, true))
    start = events.newestID
    hasSignalsOnly = signalsOnly
    events.open()
  }

  deinit { events.close() }

  func next() -> HTTPBodyPiece {
    state.withLock { state in
      let (new, areLast) = events.events(after: state.last)
      state.last = new.last?.id ?? state.last
      // The page reconnects a second after the connection ends.
      var bytes = Array((state.isFirst ? "retry: 1000\n\n" : "").utf8)
      state.isFirst = false
      for event in new where event.kind == .signal ? event.id > start : !hasSignalsOnly {
        bytes += Array("id: \(event.id)\n\(event.kind == .signal ? "event: signal\n" : "")data: ".utf8)
        bytes += event.line
        bytes += [10, 10]
      }
      let beats = events.beats
      if beats.count > state.beats, !hasSignalsOnly {
        state.beats = beats.count
        bytes += Array("event: beat\ndata: {\"atNs\":\(beats.time.nanoseconds)}\n\n".utf8)
      }
      guard bytes.isEmpty else { return .bytes(bytes) }
      return areLast ? .end : .wait
    }
  }
}
