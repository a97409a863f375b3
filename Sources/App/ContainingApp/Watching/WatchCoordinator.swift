import Causes
import CommandLineSupport
import Foundation
import PhoneLink
import Platform
import RunReports
import ScreenBroadcast
import WebRTC

/// Runs a watch from its start to its end, and decides when it ends.
@MainActor
package final class WatchCoordinator {
  private let provider: any WatchedProvider
  private let viewModel: WatchViewModel
  private let view: WatchCauses
  private let outputs: [any VideoOutput]
  private let goals: WatchGoals
  private let refreshTimer = DispatchTimer(queue: .main)
  private let showsLive: Bool
  private let clock: any MonotonicClock
  private var lastRefresh: MonotonicTime
  private var lastDelay = Duration.zero
  /// A time in which this process did not run. It is kept until the handler of SIGCONT has run.
  private var stop: (time: Duration, machineDelay: Duration)?
  private let signals = SignalSources(queue: .main)
  private var wasContinued = false
  private var onEnd: ((ProgramFailure?) -> Void)?

  /// The longest interval between two refreshes of a running process: twice the longer interval below, to tolerate an
  /// overloaded host.
  private static let longestGap = Duration.seconds(2)
  /// The interval between two updates of a live line.
  private static let liveInterval = Duration.milliseconds(200)
  /// The interval between two reports of rates without a live line.
  private static let statsInterval = Duration.seconds(1)
  /// The interval that rates are counted over. It is a bit less than a second, because timers may fire early.
  private static let ratesInterval = Duration.milliseconds(950)

  /// Creates a watch of `provider`, which puts its frames into `call`.
  ///
  /// - Parameters:
  ///   - container: the container in which the phone leaves its facts, if there is one.
  ///   - control: the command that requests an event from the phone in a terminal, without the event; `nil` if no other
  ///     process can request events.
  ///   - pollsPerSecond: the maximum number of frames received per second.
  ///   - showsLive: whether the view draws a live line, and therefore needs rates more often.
  package init(
    _ provider: any WatchedProvider, in call: VideoCall, view: any WatchView,
    container: AppGroupContainer? = nil, control: String? = nil,
    pollsPerSecond: Double = .infinity, outputs: [any VideoOutput] = [],
    goals: WatchGoals = WatchGoals(), showsLive: Bool, clock: any MonotonicClock = SystemClock()
  ) {
    self.provider = provider
    self.clock = clock
    lastRefresh = clock.now
    let view = WatchCauses(
      view, container: container, control: control, pollsPerSecond: pollsPerSecond, clock: clock)
    viewModel = WatchViewModel(of: provider.subject, clock: clock) { view.show($0) }
    self.view = view
    self.outputs = outputs
    self.goals = goals
    self.showsLive = showsLive
    for output in outputs { call.track.add(output) }
  }

  /// Starts the watch. Calls `onEnd` once on the main queue, with the failure of the watch if there is one.
  package func start(onEnd: @escaping (ProgramFailure?) -> Void) {
    self.onEnd = onEnd
    provider.store.onCommit = { [weak self] old, new in
      // A change can end the watch while another change is processed. Nothing may be shown after the summary.
      guard let self, self.onEnd != nil else { return }
      // Show the final statistics first, so that a page does not show older ones next to the end.
      if old.phase.isOn, !new.phase.isOn { showStats() }
      viewModel.update(from: old, to: new)
      endIfDone(new)
    }
    provider.start()
    guard self.onEnd != nil else { return }
    for message in provider.opening { view.show(message) }
    lastRefresh = clock.now
    lastDelay = ThreadActivity.processorDelay()
    signals.handle(SIGCONT) { [weak self] in MainActor.assumeIsolated { self?.wasContinued = true } }
    refreshTimer.startOnMain(every: showsLive ? Self.liveInterval : Self.statsInterval) { [weak self] in
      self?.refresh()
    }
    if let duration = goals.duration { MainQueue.run(after: duration) { [weak self] in self?.end() } }
    if let wait = goals.wait {
      MainQueue.run(after: wait) { [weak self] in
        if let self, provider.state.frames.framesDelivered == 0 { end() }
      }
    }
  }

  package func interrupt() { end(wasInterrupted: true) }

  private func refresh() {
    guard onEnd != nil else { return }
    reportSuspension()
    followPhone()
    provider.refresh()
    if showsLive || provider.state.phase.isOn { showStats() }
    endIfDone(provider.state)
  }

  private func followPhone() {
    view.followPhone()
    provider.store.commit { $0.framesMissed = view.framesMissed }
  }

  private func showStats() {
    viewModel.showStats(
      provider.state, avOffset: provider.delays.avOffsets.last, ratesOver: Self.ratesInterval)
  }

  /// Whether the view or an output has stopped.
  private var wasCutShort: Bool { view.failure != nil || outputs.contains { $0.failure != nil } }

  private func endIfDone(_ state: BroadcastState) {
    guard onEnd != nil else { return }
    if let frames = goals.frames, state.frames.framesDelivered >= frames { return end() }
    if wasCutShort { return end() }
    guard goals.endsWithBroadcast else { return }
    switch state.phase {
    case .ended: end()
    // A crash without a frame is an old crash: the awaited broadcast is still to come.
    case .crashed: if state.frames.framesDelivered > 0 { end() }
    case .waiting, .live, .paused, .suspended: break
    }
  }

  /// Reports a time in which this process did not run.
  private func reportSuspension() {
    // SIGCONT is handled before or after the timer that notices the gap.
    if let stop {
      view.noteStop(stop.time, wasStopped: wasContinued, machineDelay: stop.machineDelay)
      (self.stop, wasContinued) = (nil, false)
    }
    let (time, delay) = (clock.now, ThreadActivity.processorDelay())
    defer { (lastRefresh, lastDelay) = (time, delay) }
    let isGap = time - lastRefresh > Self.longestGap
    if isGap || wasContinued { view.noteInterruption() }
    guard isGap else { return wasContinued = false }
    stop = (time - lastRefresh, max(.zero, delay - lastDelay))
    view.show(.appSuspended(time - lastRefresh))
  }

  private func end(wasInterrupted: Bool = false) {
    guard let onEnd else { return }
    reportSuspension()
    self.onEnd = nil
    refreshTimer.cancel()
    provider.stop()
    // An output can fail before the first frame, and be the reason why no frame came.
    var failure = verdict(provider.state, wasInterrupted: wasInterrupted || wasCutShort) ?? view.failure
    for output in outputs {
      do throws(ProgramFailure) { try output.finish() } catch { failure = failure ?? error }
    }
    for notice in outputs.compactMap(\.notice) { view.show(.notice(notice)) }
    followPhone()
    view.show(.summary(AppSummary(provider.state, provider.delays)))
    onEnd(failure)
  }

  /// Returns the worst failure of the broadcast.
  private func verdict(_ state: BroadcastState, wasInterrupted: Bool) -> ProgramFailure? {
    if let tear = state.firstTear {
      let failed = state.framesTorn + state.framesWithoutProof
      return ProgramFailure(
        .verificationFailed,
        "\(failed) of \(failed + state.framesVerified) frames failed the verification; "
          + "the first: \(tear).")
    }
    if let fault = state.audioFault {
      return ProgramFailure(.verificationFailed, "The audio was incomplete or out of sync: \(fault).")
    }
    if state.framesStale > 0, state.framesVerified > 0 {
      return ProgramFailure(
        .verificationFailed,
        "\(state.framesStale) frames came after their broadcast ended, over half a second old.")
    }
    if case .crashed(let pid, let kill) = state.phase {
      return ProgramFailure(
        .producerCrashed,
        "The producer (process \(pid)) \(kill?.description ?? "died while it broadcast"); start it again, "
          + "or clear the flag with 'consumer stop'.")
    }
    return provider.failure(wasInterrupted: wasInterrupted)
  }
}

/// The conditions that end a watch.
package struct WatchGoals: Equatable, Sendable {
  /// The watch ends after this time; `nil` for no limit.
  package var duration: Duration?
  /// The watch ends after this number of frames; `nil` for no limit.
  package var frames: UInt64?
  /// The watch ends if no frame comes within this time; `nil` for no limit.
  package var wait: Duration?
  /// Whether the watch ends when the first broadcast ends.
  package var endsWithBroadcast: Bool

  package init(
    duration: Duration? = nil, frames: UInt64? = nil, wait: Duration? = nil, endsWithBroadcast: Bool = false
  ) {
    self.duration = duration
    self.frames = frames
    self.wait = wait
    self.endsWithBroadcast = endsWithBroadcast
  }
}
