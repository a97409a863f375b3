import CommandLineSupport
import Platform

/// Derives the causes of failures from the facts of a broadcast.
///
/// ```swift
/// var finder = CauseFinder()
/// for fact in facts { for cause in finder.take(fact) { print(cause.text) } }
/// ```
/// Pass facts in roughly chronological order. An ongoing cause is added once and then updated. Each symptom has one cause.
package struct CauseFinder: Sendable {
  /// Consecutive seconds with the same symptom.
  struct Stretch {
    var from: MonotonicTime
    var frames: UInt64 = 0
    var worst = 0.0
    /// Whether `worst` is the mean per frame, not the time of a single call.
    var isMean = false
    /// Whether the handler became fast again in the latest second.
    var recovers = false
    /// Bytes that the handler sent after the first second; `nil` if they are not counted.
    var sentBytes: UInt64?
  }

  private(set) var found: [Cause] = []
  private var changed: [Int] = []
  var stretches: [Cause.Kind: Stretch] = [:]

  /// The frame rate that was last requested of the screen.
  package private(set) var framesPerSecond: Double
  /// The launch of the newest broadcast.
  var launch = MonotonicTime.zero
  var start: MonotonicTime?
  /// The size of the screen at the start.
  var screen = ""
  var isPaused = false
  var hasEnded = false
  var hasEndedAbnormally = false
  /// A requested event, from the time it took effect until the end of its effect.
  struct Request: Sendable {
    var text: String
    var causes: Set<Cause.Kind>
    var from: MonotonicTime
    var end: MonotonicTime?
  }
  /// The latest request of each event, by event name (the word before the colon).
  var requests: [String: Request] = [:]
  /// A lost connection that the handler has not replaced yet.
  var loss: Cause?
  var growth = MemoryGrowth()
  /// Frames dropped while a call of the handler had not returned.
  var behind: (from: MonotonicTime, frames: UInt64)?

  /// - Parameter framesPerSecond: the screen's frame rate, until a fact reports another.
  package init(framesPerSecond: Double = 60) { self.framesPerSecond = framesPerSecond }

  /// The causes found so far, most important first.
  package var causes: [Cause] { found.sorted(by: Cause.isBefore) }

  /// Processes a fact, and returns the causes that it added or changed.
  package mutating func take(_ fact: Fact) -> [Cause] {
    changed = []
    let time = fact.time
    switch fact.body {
    case let body as LaunchFact: (framesPerSecond, launch, hasEndedAbnormally) = (body.fps, time, false)
    case let body as StartedEvent:
      begin(at: time, framesPerSecond: body.fps)
      if let width = body.width, let height = body.height { screen = "; the screen had \(width)x\(height)" }
    case is PausedEvent:
      isPaused = true
      endAll()
    case is ResumedEvent: isPaused = false
    case let body as RequestEvent: note(body, at: time)
    case let body as SecondEvent: judge(body, until: time)
    case let body as SocketEvent: judge(body, at: time)
    case let body as StopFact:
      let from = time.earlier(by: body.seconds)
      // A watcher of the process may have reported it already.
      if !wasSuspended(from: from, to: time) { add(.suspended(fact.pid, from: from, to: time)) }
    case let body as MisuseEvent:
      let held = body.buffersHeld.map { count in
        ["It held \(count) buffers, the longest for \((body.heldSeconds ?? 0).text(decimals: 2)) s."]
      }
      add(Cause(.misuse, body.kind, from: time, evidence: held ?? [], body.description))
    case let body as BroadcastEnd: judge(body, at: time)
    case let body as CallEvent:
      if body.isBlocked { add(.hung(body, until: time)) }
    case let body as ExitFact: judge(body, at: time)
    case let body as AppFact: judge(body, until: time)
    case let body as AppStopFact: judge(body, until: time)
    default: break
    }
    return changed.map { found[$0] }
  }

  /// Adds a cause, or replaces its earlier version. Other components add their own causes, for example about files. Returns the
  /// cause with the request that explains it.
  @discardableResult package mutating func add(_ cause: Cause, lasts: Bool = false) -> Cause {
    var cause = cause
    cause.isOpen = cause.isOpen || lasts
    cause.frames = stretches[cause.kind]?.frames ?? 0
    cause.request = cause.request ?? request(for: cause)
    let place =
      found.firstIndex { $0.fingerprint == cause.fingerprint && $0.from == cause.from }
      // If there is no room, replace a closed cause that is only an explanation.
      ?? (found.count >= Self.limit && cause.isReportedAtOnce
        ? found.firstIndex { !$0.isReportedAtOnce && !$0.isOpen } : nil)
    guard place != nil || found.count < Self.limit else { return cause }
    if let place { found[place] = cause } else { found.append(cause) }
    changed.append(place ?? found.count - 1)
    return cause
  }

  /// Adds a second to the stretch of a symptom, and returns the stretch.
  mutating func extend(
    _ kind: Cause.Kind, from: MonotonicTime, by frames: UInt64 = 0, worst: Double = 0, isMean: Bool = false
  ) -> Stretch {
    // If a requested event caused the symptom during this second, the stretch starts with the event.
    let asked = requests.values.first {
      $0.causes.contains(kind) && $0.from > from && $0.from - from < .seconds(1.1)
    }?.from
    var stretch = stretches[kind] ?? Stretch(from: asked ?? from)
    // The time of a single call cannot be compared with a mean per frame.
    if isMean, !stretch.isMean { (stretch.worst, stretch.isMean) = (0, true) }
    (stretch.frames, stretch.worst) = (stretch.frames + frames, max(stretch.worst, worst))
    stretches[kind] = stretch
    return stretch
  }

  /// Ends the stretch of a symptom, and closes its cause.
  mutating func end(_ kind: Cause.Kind) {
    stretches[kind] = nil
    guard let place = found.lastIndex(where: { $0.kind == kind && $0.isOpen }) else { return }
    found[place].isOpen = false
    changed.append(place)
  }

  /// Closes the open suspension of the extension's process, and returns it; `nil` if there is none.
  package mutating func endSuspension(of pid: Int32, at time: MonotonicTime) -> Cause? {
    guard let open = found.last(where: { $0.kind == .suspended && $0.isOpen }) else { return nil }
    return add(.suspended(pid, from: open.from, to: time))
  }

  /// Whether the extension was suspended at any time between `from` and `to`.
  func wasSuspended(from: MonotonicTime, to: MonotonicTime) -> Bool {
    found.contains { $0.kind == .suspended && $0.from <= to && ($0.isOpen || ($0.to ?? $0.from) >= from) }
  }

  mutating func endAll() {
    for kind in Set(found.filter(\.isOpen).map(\.kind)) { end(kind) }
    stretches = [:]
  }

  private mutating func begin(at time: MonotonicTime, framesPerSecond: Double) {
    endAll()
    (start, self.framesPerSecond, hasEnded, isPaused) = (time, framesPerSecond, false, false)
    (loss, growth, behind, hasEndedAbnormally) = (nil, MemoryGrowth(), nil, false)
  }

  /// The maximum number of causes, whatever a file contains.
  private static let limit = 500

  // MARK: Requests

  private mutating func note(_ request: RequestEvent, at time: MonotonicTime) {
    let text = request.what.onOneLine
    let word = String(text.prefix { $0 != ":" })
    if word == "rate", request.refusal == nil, let rate = Double(text.dropFirst(5)), (1...240).contains(rate)
    {
      framesPerSecond = rate
    }
    // A refused event did not take effect.
    if request.refusal == nil, let effect = request.effect, !effect.causes.isEmpty {
      requests[word] = Request(
        text: text, causes: effect.causes, from: time, end: effect.seconds.map { time + .seconds($0) })
    } else {
      requests[word]?.end = time
    }
  }

  func request(for cause: Cause) -> String? {
    requests.values.filter { request in
      request.causes.contains(cause.kind)
        && (cause.kind == .network ? cause.from : cause.to ?? cause.from) >= request.from
        && request.end.map { cause.from <= $0 } ?? true
    }.max { $0.from < $1.from }?.text
  }
}
