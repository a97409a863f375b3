import EmulatedDevice
import Platform
import ReplayKitCore

extension BroadcastSystem {
  /// Performs an event now, and reports that it happened or was refused. Returns the reason if it was refused, otherwise
  /// `nil`.
  @discardableResult
  package func perform(_ event: DeviceEvent) -> String? { perform(event, isRequested: true) }

  private func perform(_ event: DeviceEvent, isRequested: Bool) -> String? {
    switch phase {
    case .idle: return "The broadcast has not begun."
    case .ending, .ended: return "The broadcast is over."
    case .starting, .live: break
    }
    if pauseReasons.contains(.replaydCrash), event != "crash" {
      let reason = "replayd has crashed; nothing reaches the extension any more."
      onEvent(.refused(event, reason))
      return reason
    }
    do throws(DeviceEvent.Refusal) {
      if replay != nil, event.traits.contains(.ofTrace) {
        throw DeviceEvent.Refusal(
          "The trace determines this; leave the event out, or broadcast without --trace.")
      }
      if isRequested { onEvent(.requested(event)) }
      try event.happen(self)
      if !event.traits.contains(.unreported) { onEvent(.happened(event)) }
      return nil
    } catch {
      onEvent(.refused(event, error.reason))
      return error.reason
    }
  }

  /// Schedules an event that follows from another one, and returns it with its time.
  @discardableResult
  func perform(_ event: DeviceEvent, after delay: Duration) -> ScheduledEvent {
    var scheduled = ScheduledEvent(time: time.clock.now - launchTime + delay, event: event)
    scheduled.isRequested = false
    schedule.append(scheduled)
    schedule.sort { $0.time < $1.time }
    startChecks()
    return scheduled
  }

  /// Performs the events that are due at `time`.
  func performDueEvents(until time: MonotonicTime) {
    while let next = schedule.first, phase == .starting || phase == .live,
      BroadcastTiming.span(from: launchTime, to: time) >= next.time
    {
      schedule.removeFirst()
      _ = perform(next.event, isRequested: next.isRequested)
    }
  }

  /// Performs the events at 0 s that come before the first call of the handler.
  func performFirstEvents() {
    while let index = schedule.firstIndex(where: {
      $0.time == .zero && $0.event.traits.contains(.beforeStart)
    }) {
      perform(schedule.remove(at: index).event)
    }
  }
}

extension BroadcastSystem {
  /// The reason why no samples are delivered.
  enum PauseReason { case person, indicator, lock, replaydCrash }

  /// The person's answer to the question whether to stop.
  enum IndicatorAnswer: String, CaseIterable { case stop, cancel }

  /// Stops the samples for `reason`, until no reason is left. Throws `refusal` if `reason` is present already.
  func pause(for reason: PauseReason, orRefuse refusal: String) throws(DeviceEvent.Refusal) {
    guard phase == .live else { throw DeviceEvent.Refusal("The broadcast has not started yet.") }
    guard pauseReasons.insert(reason).inserted else { throw DeviceEvent.Refusal(refusal) }
    guard pauseReasons.count == 1 else { return }
    finishAudio()
    pacing.dropHeld()
    deliverPause()
  }

  func deliverPause() {
    timing.pause(at: time.clock.now)
    delivery.call("broadcastPaused") { [recorder, recordings] in
      recordings.pause()
      recorder?.note(.broadcastPaused)
      $0.broadcastPaused()
    }
    onEvent(.paused)
  }

  /// Removes `reason`, and resumes the delivery if it was the last reason. Returns whether `reason` was present.
  @discardableResult
  func resume(from reason: PauseReason) -> Bool {
    guard pauseReasons.remove(reason) != nil else { return false }
    guard pauseReasons.isEmpty else { return true }
    for stream in audio { stream.skip(to: time.clock.now) }
    deliverResume()
    return true
  }

  func deliverResume() {
    timing.resume(at: time.clock.now)
    delivery.call("broadcastResumed") { [recorder] in
      recorder?.note(.broadcastResumed)
      $0.broadcastResumed()
    }
    onEvent(.resumed)
  }

  /// Reports to the handler which app the person has opened first.
  func annotate(_ identifier: String) {
    isAnnotated = true
    delivery.call("broadcastAnnotated") { [recorder] in
      recorder?.note(.broadcastAnnotated(identifier))
      $0.broadcastAnnotated(withApplicationInfo: [RPApplicationInfoBundleIdentifierKey: identifier])
    }
  }

  /// Stops the samples without calling the handler, and kills the process with SIGKILL after `delay`.
  func crashReplayd(endingAfter delay: Duration) throws(DeviceEvent.Refusal) {
    guard phase == .live else { throw DeviceEvent.Refusal("The broadcast has not started yet.") }
    pauseReasons.insert(.replaydCrash)
    finishAudio()
    pacing.dropHeld()
    schedule.removeAll()
    perform("crash", after: delay)
  }

  /// Pauses while the system asks the person whether to stop. The person answers after a second.
  func askWhetherToStop(_ answer: IndicatorAnswer) throws(DeviceEvent.Refusal) {
    try pause(for: .indicator, orRefuse: "The person is being asked already.")
    let cancel = DeviceEvent(text: "", name: "", traits: .unreported) { $0.resume(from: .indicator) }
    perform(answer == .stop ? "stop" : cancel, after: .seconds(1))
  }
}
