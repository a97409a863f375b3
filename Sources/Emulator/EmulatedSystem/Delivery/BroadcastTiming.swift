import Platform

/// How long a broadcast has run, was paused, and delivered frames. A clock that goes back adds nothing.
struct BroadcastTiming {
  private(set) var start = MonotonicTime.zero
  private var end: MonotonicTime?
  private var pauseStart: MonotonicTime?
  private var pauses = Duration.zero
  /// The time of the newest frame, moved by the pauses since.
  private var lastFrame: MonotonicTime?
  /// The time from the first frame to the newest, without pauses.
  private(set) var framesSpan = Duration.zero

  mutating func begin(at time: MonotonicTime) { start = time }

  mutating func pause(at time: MonotonicTime) { pauseStart = time }

  mutating func resume(at time: MonotonicTime) {
    guard let pauseStart else { return }
    let length = Self.span(from: pauseStart, to: time)
    pauses += length
    lastFrame = lastFrame.map { $0 + length }
    self.pauseStart = nil
  }

  mutating func countFrame(at time: MonotonicTime) {
    if let lastFrame { framesSpan += Self.span(from: lastFrame, to: time) }
    lastFrame = time
  }

  /// Ends the broadcast: ``elapsed(at:)`` and ``paused(at:)`` stop growing.
  mutating func finish(at time: MonotonicTime) { end = time }

  /// The time since the start, pauses included.
  func elapsed(at time: MonotonicTime) -> Duration { Self.span(from: start, to: end ?? time) }

  func paused(at time: MonotonicTime) -> Duration {
    pauses + (pauseStart.map { Self.span(from: $0, to: end ?? time) } ?? .zero)
  }

  /// The time from `start` to `end`, at least zero.
  static func span(from start: MonotonicTime, to end: MonotonicTime) -> Duration { max(.zero, end - start) }
}
