import Foundation
import Platform
import ReplayKit
import ScreenBroadcast

extension BroadcastSystem {
  /// Makes an event happen now, and reports it or its refusal. Returns the reason of a refusal, else `nil`.
  @discardableResult
  package func perform(_ event: DeviceEvent) -> String? {
    switch phase {
    case .idle: return "The broadcast has not begun."
    case .ending, .ended: return "The broadcast is over."
    case .starting, .live: break
    }
    do throws(Refusal) {
      try apply(event)
    } catch {
      onEvent(.refused(event, error.reason))
      return error.reason
    }
    switch event {
    // Their consequences are events of their own.
    case .pause, .resume, .stop, .crash, .error: break
    default: onEvent(.happened(event))
    }
    return nil
  }

  /// Why an event cannot happen, as a sentence.
  private struct Refusal: Error {
    let reason: String
    init(_ reason: String) { self.reason = reason }
  }

  private func apply(_ event: DeviceEvent) throws(Refusal) {
    switch event {
    case .pause: try pauseLive(for: .person, "The broadcast is paused already.")
    case .resume: guard resume(from: .person) else { throw Refusal("The broadcast is not paused.") }
    case .indicator(let answer):
      try checkIsLive()
      guard ask(answer) else { throw Refusal("The person is being asked already.") }
    case .lock: try pauseLive(for: .lock, "The device is locked already.")
    case .unlock: guard resume(from: .lock) else { throw Refusal("The device is not locked.") }
    case .call: try interruptAudio(true, "The phone is in a call already.")
    case .hangUp: try interruptAudio(false, "There is no phone call.")
    case .stop: end(.bySystem)
    case .error(let code):
      let error = NSError(
        domain: RPRecordingErrorDomain, code: code.rawValue,
        userInfo: [NSLocalizedDescriptionKey: "The broadcast ended: \(code)"])
      // On a thread of the extension, which may end the broadcast even while it starts.
      delivery.callBeside { $0.finishBroadcastWithError(error) }
    case .annotate(let identifier):
      delivery.call {
        $0.broadcastAnnotated(
          withApplicationInfo: [RPApplicationInfoBundleIdentifierKey: identifier])
      }
    case .rotate(let orientation): screen.orientation = orientation
    case .resize(let size):
      let isResized: Bool
      do { isResized = try screen.resize(to: size) } catch { throw Refusal("\(error).") }
      guard isResized else { throw Refusal("A clip has a fixed size; use a pattern.") }
    case .still(let time): pacer.freeze(until: clock.now + time)
    case .rate(let rate): setRate(rate)
    case .skip(let count): pacer.skip(count)
    case .burst(let count): pacer.coalesce(count)
    case .slow(let time): delivery.delay = time
    case .allocate(let mebibytes):
      // On another thread, so that the memory grows even while the handler is busy.
      DispatchQueue.global().async { ExtensionMemory.allocate(mebibytes << 20) }
    case .crash: kill(getpid(), SIGKILL)
    }
  }

  private func pauseLive(for reason: PauseReason, _ refusal: String) throws(Refusal) {
    try checkIsLive()
    guard pause(for: reason) else { throw Refusal(refusal) }
  }

  private func interruptAudio(_ isInterrupted: Bool, _ refusal: String) throws(Refusal) {
    guard isInCall != isInterrupted else { throw Refusal(refusal) }
    isInCall = isInterrupted
    for stream in audio { stream.isInterrupted = isInterrupted }
  }

  private func checkIsLive() throws(Refusal) {
    guard phase == .live else { throw Refusal("The broadcast has not started yet.") }
  }

  /// Performs the events that are due: one tick of the event timer.
  package func runDueEvents() {
    let now = clock.now
    applyDueAnswer(at: now)
    while let next = schedule.first, phase == .starting || phase == .live,
      BroadcastTiming.span(from: launchTime, to: now) >= next.time
    {
      schedule.removeFirst()
      perform(next.event)
    }
    if schedule.isEmpty, pendingAnswer == nil { eventTimer.cancel() }
  }

  func watchSchedule() {
    eventTimer.start(every: Self.checkInterval) { [weak self] in
      MainActor.assumeIsolated { self?.runDueEvents() }
    }
    runDueEvents()
  }

  /// Performs `slow` events at 0 s before the first call of the handler, which they delay too.
  func applyInitialDelay() {
    let isDelay = { (scheduled: ScheduledEvent) in
      if case .slow = scheduled.event { scheduled.time == .zero } else { false }
    }
    let delays = schedule.filter(isDelay)
    schedule.removeAll(where: isDelay)
    for delay in delays { perform(delay.event) }
  }
}
