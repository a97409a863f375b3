import Foundation
import HTTPServer
import Platform
import Synchronization

/// The events of a watch for pages, with those of the whole watch for a page that comes later or again; and the signals of one
/// page for the others that are there.
///
/// Each has an id, the instant of its arrival in nanoseconds of the monotonic clock. A page names the last id that it has.
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
    /// Of old reports of a kind, in nanoseconds.
    var spacing: UInt64 = 1_500_000_000
    var hasEnded = false
  }

  /// Five minutes with two reports a second, and as much again three times for what is older.
  static let capacity = 2400
  /// The time in nanoseconds of which all is kept.
  private static let wholeTime: UInt64 = 300_000_000_000

  private let clock: any MonotonicClock
  /// Called when a page may take an event.
  private let wake: LiveWake
  private let state = Mutex(State())
  /// Signalled when the last stream ends after ``finish(within:)``.
  private let haveStreamsEnded = DispatchSemaphore(value: 0)

  init(clock: any MonotonicClock, wake: LiveWake) { (self.clock, self.wake) = (clock, wake) }

  /// Adds an event, a JSON object on a line.
  func add(_ line: Data, _ kind: Kind = .lasting) {
    let hasPages = state.withLock { state in
      let id = max(clock.now.nanoseconds, (state.events.last?.id ?? 0) + 1)
      if state.events.count >= Self.capacity { Self.thin(&state, at: id) }
      state.events.append(Entry(id: id, line: line.last == 10 ? line.dropLast() : line, kind: kind))
      return state.streamCount > 0
    }
    if hasPages { wake.call() }
  }

  /// Of the time before the last minutes, leaves out signals, and reports until those of a kind are far enough apart. If that is
  /// not enough, the oldest events go.
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

  /// A sign of life for each page, each second while there is one.
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

  /// The signs of life so far, and now.
  var beats: (count: Int, time: MonotonicTime) { (state.withLock { $0.beatCount }, clock.now) }

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

/// The events for one page, as server-sent events.
final class LiveEventStream: HTTPBodyStream {
  private let events: LiveEvents
  private let state: Mutex<(last: UInt64, beats: Int, isFirst: Bool)>
  private let start: UInt64
  private let hasSignalsOnly: Bool

  /// The events after the id `last`, and the signals after now.
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
      // The page tries again a second after the connection ends.
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
