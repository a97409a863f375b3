/// How long a broadcast has run, was paused, and took frames; all in nanoseconds of one clock.
struct BroadcastTiming {
  /// When it began.
  private(set) var start: UInt64 = 0
  private var end: UInt64?
  private var pause: UInt64?
  private var paused: UInt64 = 0
  /// When the latest frame was taken, moved on by the pauses since; and the time from the first frame to it without
  /// pauses.
  private var lastFrame: UInt64?
  private var frames: UInt64 = 0

  /// Begins at `time`.
  mutating func begin(at time: UInt64) { start = time }

  /// Is paused from `time` on.
  mutating func pause(at time: UInt64) { pause = time }

  /// Goes on at `time`.
  mutating func resume(at time: UInt64) {
    guard let pause else { return }
    let length = Self.span(from: pause, to: time)
    paused += length
    lastFrame = lastFrame.map { $0 &+ length }
    self.pause = nil
  }

  /// Takes a frame at `time`.
  mutating func countFrame(at time: UInt64) {
    if let lastFrame { frames += Self.span(from: lastFrame, to: time) }
    lastFrame = time
  }

  /// Is over at `time`; what is asked for later is asked for as of then.
  mutating func finish(at time: UInt64) { end = time }

  /// The time since the beginning, pauses included.
  func elapsed(at time: UInt64) -> UInt64 { Self.span(from: start, to: end ?? time) }

  /// The time in pauses.
  func paused(at time: UInt64) -> UInt64 {
    paused + (pause.map { Self.span(from: $0, to: end ?? time) } ?? 0)
  }

  /// The time from the first frame to the latest, pauses left out.
  var ofFrames: UInt64 { frames }

  /// The nanoseconds between two looks at the clock; 0 for a clock that went back.
  static func span(from start: UInt64, to end: UInt64) -> UInt64 { end - min(start, end) }
}
