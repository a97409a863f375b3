import Platform
import ScreenBroadcast

/// Converts changes of the state into messages.
@MainActor
package final class WatchViewModel {
  private let subject: String
  private let show: (WatchMessage) -> Void
  private let clock: any MonotonicClock
  private let startTime: MonotonicTime
  /// The point from which rates are counted; `nil` before the first frame of a session.
  private var mark: Mark?
  private var rates: (in: Double, out: Double)?

  private struct Mark {
    var time: MonotonicTime
    var session: UInt64
    var published: UInt64
    var delivered: UInt64
  }

  /// The shortest interval for the first rate of a session.
  private static let shortestInterval = Duration.milliseconds(200)

  /// - Parameter subject: the noun for the watched source, such as "broadcast".
  package init(
    of subject: String = "broadcast", clock: any MonotonicClock = SystemClock(),
    show: @escaping (WatchMessage) -> Void
  ) {
    self.subject = subject
    self.show = show
    self.clock = clock
    startTime = clock.now
  }

  /// Shows the differences between two states.
  package func update(from old: BroadcastState, to new: BroadcastState) {
    if let frame = new.lastFrame, frame.session != mark?.session {
      mark = Mark(
        time: clock.now, session: frame.session, published: frame.number,
        delivered: new.frames.framesDelivered)
      rates = nil
    }
    if new.isActive != old.isActive { show(.status(isActive: new.isActive, time: clock.now)) }
    if let format = new.format, format != old.format { show(.format(format)) }
    for change in AudioChange.changes(of: .app, from: old.appAudio, to: new.appAudio)
      + AudioChange.changes(of: .microphone, from: old.microphone, to: new.microphone)
    {
      show(.audio(change))
    }
    if let change = new.capture, change != old.capture { show(.capture(change)) }
    if new.phase != old.phase { showPhase(new.phase, after: old.phase) }
    if let tear = new.firstTear, old.firstTear == nil { show(.problem("Not intact: \(tear).")) }
    if let fault = new.audioFault, old.audioFault == nil { show(.problem("Out of sync: \(fault).")) }
    if let failure = new.failure, failure != old.failure { show(.problem("\(failure)")) }
  }

  /// Shows the rates since they were last computed; within `interval`, shows the same rates again.
  ///
  /// - Parameter avOffset: the latest offset between audio and frames, in milliseconds.
  package func showStats(_ state: BroadcastState, avOffset: Double? = nil, ratesOver interval: Duration) {
    let time = clock.now
    countRates(state, at: time, over: interval)
    if !state.phase.isOn { rates = nil }
    let streams = [BroadcastAudioStream.app: state.appAudio, .microphone: state.microphone]
      .compactMapValues { $0 }
    let stopped = streams.filter { $0.value.absentSeconds > 0 }.mapValues(\.hasSound)
    // While no stream comes, no audio is compared with the frames.
    let isCompared = streams.values.contains { $0.absentSeconds == 0 }
    show(
      .stats(
        WatchStats(
          framesPerSecondIn: rates?.in ?? 0, framesPerSecondOut: rates?.out ?? 0,
          ageMs: state.lastAge / .milliseconds(1), framesSkipped: state.frames.framesSkipped,
          framesTorn: state.framesTorn, framesWithoutProof: state.framesWithoutProof, format: state.format,
          bitRate: (state.format?.bitsPerFrame ?? 0) * (rates?.out ?? 0), phase: state.phase,
          seconds: max(.zero, time - startTime) / .seconds(1),
          appLevelDb: Self.level(of: state.appAudio, in: state.phase),
          micLevelDb: Self.level(of: state.microphone, in: state.phase),
          avOffsetMs: isCompared ? avOffset : nil, stoppedAudio: stopped)))
  }

  /// Returns the current audio level. It is silence during a pause.
  private static func level(of audio: AudioState?, in phase: BroadcastState.Phase) -> Double? {
    switch phase {
    case .waiting, .live: audio?.level
    case .paused, .suspended, .ended, .crashed: audio.map { _ in AudioLevel.silence }
    }
  }

  private func countRates(_ state: BroadcastState, at time: MonotonicTime, over interval: Duration) {
    guard let mark, mark.session == state.lastFrame?.session else { return }
    let elapsed = time - mark.time
    guard elapsed >= (rates == nil ? Self.shortestInterval : interval) else { return }
    let seconds = elapsed / .seconds(1)
    let published = max(state.framesPublished, mark.published)
    let delivered = max(state.frames.framesDelivered, mark.delivered)
    rates = (
      Double(published - mark.published) / seconds, Double(delivered - mark.delivered) / seconds
    )
    self.mark = Mark(time: time, session: mark.session, published: published, delivered: delivered)
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
      case .paused: show(.notice("The \(subject) continues."))
      case .crashed: show(.notice("The producer is back."))
      default: show(.notice("The \(subject) is live."))
      }
    case .paused: show(.notice("The \(subject) is paused."))
    case .ended(let text):
      show(.notice("The \(subject) is over" + (text.map { ": \($0)" } ?? "") + "."))
    case .crashed(let pid, let kill): show(.crashed(pid: pid, kill: kill))
    }
  }
}
