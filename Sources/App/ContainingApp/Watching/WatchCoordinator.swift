import CommandLineSupport
import Dispatch
import MemoryKillRecord
import ScreenBroadcast
import WebRTC

/// Leads a watch through its life: waiting, live, ended.
@MainActor
package final class WatchCoordinator {
  private let provider: any WatchedProvider
  private let viewModel: WatchViewModel
  private let view: any WatchView
  private let outputs: [any VideoOutput]
  private let audioOutputs: [any AudioOutput]
  private let goals: WatchGoals
  private let refreshTimer: any RepeatingTimer
  private let showsLive: Bool
  private let now: () -> UInt64
  private var lastRefresh: UInt64
  private var onEnd: ((ProgramFailure?) -> Void)?

  /// The longest time between two refreshes of a process that runs, in nanoseconds: the longer of the intervals
  /// below, and as much again for a busy machine.
  private static let longestGap: UInt64 = 2_000_000_000
  /// How often a live line is drawn anew.
  private static let liveInterval = Duration.milliseconds(200)
  /// How often rates are told where there is no live line.
  private static let statsInterval = Duration.seconds(1)

  /// A watch that has not begun.
  ///
  /// - Parameter showsLive: whether the view draws a live line, so that it is worth telling it often.
  package init(
    services: Services, view: any WatchView, outputs: [any VideoOutput] = [],
    audioOutputs: [any AudioOutput] = [], goals: WatchGoals = WatchGoals(), showsLive: Bool
  ) {
    provider = services.provider
    refreshTimer = services.refreshTimer
    now = services.now
    lastRefresh = services.now()
    viewModel = WatchViewModel(of: services.provider.subject, now: services.now) { view.show($0) }
    self.view = view
    self.outputs = outputs
    self.audioOutputs = audioOutputs
    self.goals = goals
    self.showsLive = showsLive
    for output in outputs {
      services.call.track.add(OutputRenderer(output, copier: services.lendsPixels ? FrameCopier() : nil))
    }
  }

  /// Begins. `onEnd` is told once, with what went wrong if something did.
  package func start(onEnd: @escaping (ProgramFailure?) -> Void) {
    self.onEnd = onEnd
    provider.onCommit = { [weak self] old, new in
      // A change may end the watch while another is under way: nothing is shown after the summary.
      guard let self, self.onEnd != nil else { return }
      viewModel.update(from: old, to: new)
      considerEnding(new)
    }
    provider.onSound = { [audioOutputs] audio in
      for output in audioOutputs { output.hear(audio) }
    }
    provider.start()
    guard self.onEnd != nil else { return }
    for output in provider.opening { view.show(output) }
    lastRefresh = now()
    refreshTimer.start(every: showsLive ? Self.liveInterval : Self.statsInterval) { [weak self] in
      MainActor.assumeIsolated { self?.refresh() }
    }
    if let duration = goals.duration { after(duration) { $0.end() } }
    if let wait = goals.wait { after(wait) { $0.giveUpUnlessSomethingCame() } }
  }

  /// Ends because somebody asked for it.
  package func interrupt() { end(wasInterrupted: true) }

  private func refresh() {
    guard onEnd != nil else { return }
    noticeSuspension()
    provider.refresh()
    let framesMayCome =
      switch provider.state.phase {
      case .live, .paused, .suspended: true
      case .waiting, .ended, .crashed: false
      }
    if showsLive || framesMayCome {
      viewModel.tell(provider.state, avOffset: provider.delays.avOffsets.last, ratesOver: 0.95)
    }
    considerEnding(provider.state)
  }

  private func considerEnding(_ state: BroadcastState) {
    guard onEnd != nil else { return }
    if let frames = goals.frames, state.frames.framesDelivered >= frames { return end() }
    if view.failure != nil || outputs.contains(where: { $0.failure != nil })
      || audioOutputs.contains(where: { $0.failure != nil })
    {
      return end()
    }
    guard goals.endsWithBroadcast else { return }
    switch state.phase {
    case .ended: end()
    // A crash of which nothing was seen here is an old one: the broadcast waited for is still to come.
    case .crashed: if state.frames.framesDelivered > 0 { end() }
    case .waiting, .live, .paused, .suspended: break
    }
  }

  /// Tells of a time in which this process did not run.
  private func noticeSuspension() {
    let time = now()
    defer { lastRefresh = time }
    guard time > lastRefresh &+ Self.longestGap else { return }
    view.show(.appSuspended(seconds: Double(time - lastRefresh) / 1e9))
  }

  private func giveUpUnlessSomethingCame() {
    if provider.state.frames.framesDelivered == 0 { end() }
  }

  private func end(wasInterrupted: Bool = false) {
    guard let onEnd else { return }
    self.onEnd = nil
    refreshTimer.cancel()
    provider.stop()
    // Sound may come before the first frame, so a full disk may be what there was no frame for.
    let wasCutShort = view.failure != nil || audioOutputs.contains { $0.failure != nil }
    var failure =
      verdict(provider.state, wasInterrupted: wasInterrupted || wasCutShort) ?? view.failure
    for output in outputs {
      do throws(ProgramFailure) { try output.finish() } catch { failure = failure ?? error }
    }
    for output in audioOutputs {
      do throws(ProgramFailure) { try output.finish() } catch { failure = failure ?? error }
    }
    for notice in outputs.compactMap(\.notice) + audioOutputs.compactMap(\.notice) {
      view.show(.notice(notice))
    }
    view.show(.summary(WatchSummary(provider.state, provider.delays)))
    onEnd(failure)
  }

  /// What went wrong, worst first.
  private func verdict(_ state: BroadcastState, wasInterrupted: Bool) -> ProgramFailure? {
    if let tear = state.firstTear {
      let count = state.framesTorn + state.framesVerified
      return ProgramFailure(
        .verificationFailed,
        "\(state.framesTorn) of \(count) frames were not proven whole; the first: \(tear).")
    }
    if let fault = state.soundFault {
      return ProgramFailure(.verificationFailed, "The sound was not whole and in step: \(fault).")
    }
    if case .crashed(let pid, let kill) = state.phase {
      return ProgramFailure(
        .producerCrashed,
        "The producer (process \(pid)) \(kill?.description ?? "died without ending its broadcast"); start it again, "
          + "or clear the flag with 'consumer stop'.")
    }
    return provider.failure(wasInterrupted: wasInterrupted)
  }

  private func after(_ time: Duration, _ action: @escaping @MainActor (WatchCoordinator) -> Void) {
    let nanoseconds = Int(min(time / .nanoseconds(1), 1e18))
    DispatchQueue.main.asyncAfter(deadline: .now() + .nanoseconds(nanoseconds)) { [weak self] in
      MainActor.assumeIsolated { if let self { action(self) } }
    }
  }
}
