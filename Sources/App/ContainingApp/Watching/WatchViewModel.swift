import ScreenBroadcast

/// Maps what the app knows to what it shows.
@MainActor
package final class WatchViewModel {
  private let subject: String
  private let show: (WatchOutput) -> Void
  private let now: () -> UInt64
  private let startTime: UInt64
  /// Where the rates are counted from; `nil` before the first frame of a session.
  private var mark: Mark?
  private var rates: (in: Double, out: Double)?

  private struct Mark {
    var time: UInt64
    var session: UInt64
    var published: UInt64
    var delivered: UInt64
  }

  /// The shortest time a rate is counted over before there is an earlier one, in seconds.
  private static let shortestInterval = 0.2

  /// A view model that gives what is to be shown to `show`; `now` tells monotonic nanoseconds.
  ///
  /// - Parameter subject: what is watched, in a word.
  package init(
    of subject: String = "broadcast", now: @escaping () -> UInt64, show: @escaping (WatchOutput) -> Void
  ) {
    self.subject = subject
    self.show = show
    self.now = now
    startTime = now()
  }

  /// Shows what is new in `new` against `old`.
  package func update(from old: BroadcastState, to new: BroadcastState) {
    if let frame = new.lastFrame, frame.session != mark?.session {
      mark = Mark(
        time: now(), session: frame.session, published: frame.number, delivered: new.frames.framesDelivered)
      rates = nil
    }
    if new.isActive != old.isActive { show(.status(isActive: new.isActive, time: now())) }
    if let format = new.format, format != old.format { show(.format(format)) }
    if let change = new.capture, change != old.capture { show(.capture(change)) }
    if new.phase != old.phase { showPhase(new.phase, after: old.phase) }
    if let tear = new.firstTear, old.firstTear == nil { show(.problem("Not whole: \(tear).")) }
    if let fault = new.soundFault, old.soundFault == nil { show(.problem("Out of step: \(fault).")) }
    if let failure = new.failure, failure != old.failure { show(.problem("\(failure).")) }
  }

  /// Shows how it goes, with rates over the time since they were last told, if that is `interval` or longer.
  package func tell(_ state: BroadcastState, avOffset: Double? = nil, ratesOver interval: Double) {
    let time = now()
    countRates(state, at: time, over: interval)
    show(
      .stats(
        WatchStats(
          framesPerSecondIn: rates?.in ?? 0, framesPerSecondOut: rates?.out ?? 0, ageMs: state.lastAge,
          framesSkipped: state.frames.framesSkipped, framesTorn: state.framesTorn, format: state.format,
          bitRate: (state.format?.bitsPerFrame ?? 0) * (rates?.out ?? 0), phase: state.phase,
          seconds: Self.seconds(from: startTime, to: time),
          appLevelDb: Self.level(of: state.appAudio, in: state.phase),
          micLevelDb: Self.level(of: state.microphone, in: state.phase), avOffsetMs: avOffset)))
  }

  /// How loud a sound is now: what was heard before a pause is not.
  private static func level(of sound: AudioState?, in phase: BroadcastState.Phase) -> Double? {
    switch phase {
    case .waiting, .live: sound?.level
    case .paused, .suspended, .ended, .crashed: sound.map { _ in AudioLevel.silence }
    }
  }

  private func countRates(_ state: BroadcastState, at time: UInt64, over interval: Double) {
    guard let mark, mark.session == state.lastFrame?.session else { return }
    let seconds = Self.seconds(from: mark.time, to: time)
    guard seconds >= (rates == nil ? Self.shortestInterval : interval) else { return }
    let published = max(state.framesPublished, mark.published)
    let delivered = max(state.frames.framesDelivered, mark.delivered)
    rates = (
      Double(published - mark.published) / seconds, Double(delivered - mark.delivered) / seconds
    )
    self.mark = Mark(time: time, session: mark.session, published: published, delivered: delivered)
  }

  /// The seconds between two looks at the clock; 0 for a clock that went back.
  private static func seconds(from start: UInt64, to end: UInt64) -> Double {
    Double(end - min(start, end)) / 1e9
  }

  private func showPhase(_ phase: BroadcastState.Phase, after old: BroadcastState.Phase) {
    switch phase {
    case .waiting:
      if case .suspended(let pid) = old {
        show(.resumed(pid: pid))
      } else {
        show(.notice("A broadcast was announced; waiting for its first frame."))
      }
    case .suspended(let pid): show(.suspended(pid: pid))
    case .live:
      switch old {
      case .suspended(let pid): show(.resumed(pid: pid))
      case .paused: show(.notice("The broadcast goes on."))
      case .crashed: show(.notice("The producer is back."))
      default: show(.notice("The \(subject) is live."))
      }
    case .paused: show(.notice("The \(subject) is paused."))
    case .ended(let text):
      show(.notice("The \(subject) is over" + (text.map { ": \($0)" } ?? "") + "."))
    case .crashed(let pid, let kill):
      show(.crashed(pid: pid, kill: kill))
    }
  }
}
