import ScreenBroadcast

/// Maps what the app knows to what it shows.
@MainActor
public final class WatchViewModel {
  private let show: (WatchOutput) -> Void
  private let now: () -> UInt64
  private let startTime: UInt64
  private var last: (time: UInt64, published: UInt64, delivered: UInt64, session: UInt64?)
  private var rates = (in: 0.0, out: 0.0)

  /// A view model that gives what is to be shown to `show`; `now` tells monotonic nanoseconds.
  public init(now: @escaping () -> UInt64, show: @escaping (WatchOutput) -> Void) {
    self.show = show
    self.now = now
    startTime = now()
    last = (startTime, 0, 0, nil)
  }

  /// Shows what is new in `new` against `old`.
  public func update(from old: BroadcastState, to new: BroadcastState) {
    if new.isActive != old.isActive { show(.status(isActive: new.isActive, time: now())) }
    if let format = new.format, format != old.format { show(.format(format)) }
    if new.phase != old.phase { showPhase(new.phase, after: old.phase) }
    if let tear = new.firstTear, old.firstTear == nil { show(.notice("Not whole: \(tear).")) }
    if let failure = new.failure, failure != old.failure { show(.notice("\(failure).")) }
  }

  /// Shows how it goes, with rates over the time since they were last told, if that is `interval` or longer.
  public func tell(_ state: BroadcastState, ratesOver interval: Double) {
    let time = now()
    let seconds = Double(time - last.time) / 1e9
    let isSameSession = last.session == state.lastFrame?.session
    if seconds >= interval || !isSameSession {
      // A session met for the first time may have run for long: its rate is known one interval later.
      if isSameSession, seconds > 0 {
        rates.in = Double(state.framesPublished - min(last.published, state.framesPublished)) / seconds
        rates.out = Double(state.frames.framesDelivered - last.delivered) / seconds
      }
      last = (time, state.framesPublished, state.frames.framesDelivered, state.lastFrame?.session)
    }
    show(
      .stats(
        WatchStats(
          framesPerSecondIn: rates.in, framesPerSecondOut: rates.out, ageMs: state.lastAge,
          framesSkipped: state.frames.framesSkipped, framesTorn: state.framesTorn, format: state.format,
          bitRate: (state.format?.bitsPerFrame ?? 0) * rates.out, phase: state.phase,
          seconds: Double(time - startTime) / 1e9)))
  }

  private func showPhase(_ phase: BroadcastState.Phase, after old: BroadcastState.Phase) {
    switch phase {
    case .waiting: show(.notice("A broadcast was announced; waiting for its first frame."))
    case .live:
      switch old {
      case .paused: show(.notice("The broadcast goes on."))
      case .crashed: show(.notice("The producer is back."))
      default: show(.notice("The broadcast is live."))
      }
    case .paused: show(.notice("The broadcast is paused."))
    case .ended(let text):
      show(.notice("The broadcast is over" + (text.map { ": \($0)" } ?? "") + "."))
    case .crashed(let pid):
      show(.crashed(pid: pid))
    }
  }
}
