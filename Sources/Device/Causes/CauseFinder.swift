import CommandLineSupport
import Platform

/// Finds the causes of what went wrong among the facts of a broadcast.
///
/// ```swift
/// var finder = CauseFinder()
/// for fact in facts { for cause in finder.take(fact) { print(cause.text) } }
/// ```
/// Facts come in about the order of their times. A cause that lasts is found once and grows; one symptom has one cause.
package struct CauseFinder: Sendable {
  /// A time in which each second has a symptom.
  struct Stretch {
    var from: MonotonicTime
    var frames: UInt64 = 0
    var worst = 0.0
    /// Whether `worst` is that of each frame, not of one.
    var isEach = false
    /// Whether its newest second is the one in which a handler became fast again.
    var recovers = false
    /// What the handler sent, but for the first second; `nil` if that is not counted.
    var sentBytes: UInt64?
  }

  private(set) var found: [Cause] = []
  private var changed: [Int] = []
  var stretches: [Cause.Kind: Stretch] = [:]

  var framesPerSecond: Double
  var start: MonotonicTime?
  var isPaused = false
  var hasEnded = false
  /// An event that was asked for, from its time until it was taken back.
  struct Request: Sendable {
    var text: String
    var causes: Set<Cause.Kind>
    var from: MonotonicTime
    var end: MonotonicTime?
  }
  /// The newest events of each word before their value.
  var requests: [String: Request] = [:]
  /// A connection that was lost and not made again.
  var loss: Cause?
  var growth = MemoryGrowth()
  /// Frames that were dropped behind a call that had not returned yet.
  var behind: (from: MonotonicTime, frames: UInt64)?

  /// - Parameter framesPerSecond: the rate of the screen, until a fact says another.
  package init(framesPerSecond: Double = 60) { self.framesPerSecond = framesPerSecond }

  /// The causes so far, the most important first.
  package var causes: [Cause] { found.sorted(by: Cause.isBefore) }

  /// Takes a fact; returns the causes that it made or changed.
  package mutating func take(_ fact: Fact) -> [Cause] {
    changed = []
    let time = fact.time
    switch fact.body {
    case let body as StartedEvent: begin(at: time, framesPerSecond: body.fps)
    case is PausedEvent:
      isPaused = true
      endAll()
    case is ResumedEvent: isPaused = false
    case let body as RequestEvent: note(body, at: time)
    case let body as SecondEvent: judge(body, until: time)
    case let body as SocketEvent: judge(body, at: time)
    case let body as StopFact:
      let from = time.earlier(by: body.seconds)
      // Who watches the process may have seen it.
      if !wasSuspended(from: from, to: time) { add(.suspended(fact.pid, from: from, to: time)) }
    case let body as MisuseEvent:
      let held = body.buffersHeld.map { count in
        ["It held \(count) buffers, one of them for \((body.heldSeconds ?? 0).text(decimals: 2)) s."]
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

  /// Adds a cause, also one that another part has found, such as one about a file; or replaces what it was before. Returns
  /// it with what a person asked for.
  @discardableResult package mutating func add(_ cause: Cause, lasts: Bool = false) -> Cause {
    var cause = cause
    cause.isOpen = cause.isOpen || lasts
    cause.frames = stretches[cause.kind]?.frames ?? 0
    cause.request = cause.request ?? request(for: cause)
    let place =
      found.firstIndex { $0.fingerprint == cause.fingerprint && $0.from == cause.from }
      // Where there are too many, one that only explains makes room.
      ?? (found.count >= Self.limit && cause.isTold ? found.firstIndex { !$0.isTold && !$0.isOpen } : nil)
    guard place != nil || found.count < Self.limit else { return cause }
    if let place { found[place] = cause } else { found.append(cause) }
    changed.append(place ?? found.count - 1)
    return cause
  }

  /// Adds a second to a symptom that lasts, and returns it.
  mutating func lengthen(
    _ kind: Cause.Kind, from: MonotonicTime, by frames: UInt64 = 0, worst: Double = 0, isEach: Bool = false
  ) -> Stretch {
    // What an event made in a second was not there before it.
    let asked = requests.values.first {
      $0.causes.contains(kind) && $0.from > from && $0.from - from < .seconds(1.1)
    }?.from
    var stretch = stretches[kind] ?? Stretch(from: asked ?? from)
    // What one call took is not what each takes.
    if isEach, !stretch.isEach { (stretch.worst, stretch.isEach) = (0, true) }
    (stretch.frames, stretch.worst) = (stretch.frames + frames, max(stretch.worst, worst))
    stretches[kind] = stretch
    return stretch
  }

  /// Ends a symptom.
  mutating func end(_ kind: Cause.Kind) {
    stretches[kind] = nil
    guard let place = found.lastIndex(where: { $0.kind == kind && $0.isOpen }) else { return }
    found[place].isOpen = false
    changed.append(place)
  }

  /// The process of the extension continues. Returns the cause that lasted until then.
  package mutating func endSuspension(of pid: Int32, at time: MonotonicTime) -> Cause? {
    guard let open = found.last(where: { $0.kind == .suspended && $0.isOpen }) else { return nil }
    return add(.suspended(pid, from: open.from, to: time))
  }

  /// Whether the extension was stopped for a part of a time.
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
    (loss, growth, behind) = (nil, MemoryGrowth(), nil)
  }

  /// The most causes of a run, whatever a file says.
  private static let limit = 500

  // MARK: Requests

  private mutating func note(_ request: RequestEvent, at time: MonotonicTime) {
    let text = request.what.onOneLine
    let word = String(text.prefix { $0 != ":" })
    // An event that was refused did not happen.
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
