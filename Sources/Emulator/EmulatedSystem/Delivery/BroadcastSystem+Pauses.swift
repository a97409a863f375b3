import Platform
import ReplayKit

extension BroadcastSystem {
  /// Why no samples are delivered.
  enum PauseReason { case person, indicator, lock }

  /// The time the person takes to answer whether to stop.
  private static let timeToAnswer = Duration.seconds(1)

  /// Stops the samples for `reason`, until all reasons are gone. Returns whether the reason is new.
  @discardableResult
  func pause(for reason: PauseReason) -> Bool {
    let isFirst = pauseReasons.isEmpty
    guard pauseReasons.insert(reason).inserted else { return false }
    guard isFirst else { return true }
    // The audio up to the pause is heard.
    deliverAudio()
    timing.pause(at: clock.now)
    pacer.dropHeld()
    delivery.call { $0.broadcastPaused() }
    onEvent(.paused)
    return true
  }

  /// Takes `reason` away, and delivers samples again if it was the last. Returns whether there was this reason.
  @discardableResult
  func resume(from reason: PauseReason) -> Bool {
    guard pauseReasons.remove(reason) != nil else { return false }
    guard pauseReasons.isEmpty else { return true }
    timing.resume(at: clock.now)
    for stream in audio { stream.skip(to: clock.now) }
    delivery.call { $0.broadcastResumed() }
    onEvent(.resumed)
    return true
  }

  /// Pauses while the system asks the person whether to stop. Returns `false` if it asks already.
  func ask(_ answer: DeviceEvent.IndicatorAnswer) -> Bool {
    guard pause(for: .indicator) else { return false }
    pendingAnswer = (clock.now + Self.timeToAnswer, answer)
    watchSchedule()
    return true
  }

  /// Applies the person's answer if it is due.
  func applyDueAnswer(at now: MonotonicTime) {
    guard let (time, answer) = pendingAnswer, now >= time else { return }
    pendingAnswer = nil
    switch answer {
    case .stop: end(.bySystem)
    case .cancel: resume(from: .indicator)
    }
  }
}
