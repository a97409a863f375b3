import CommandLineSupport
import PhoneLink
import Platform
import ScreenBroadcast
import SharedMemory
import Synchronization

/// Follows a broadcast: receives its status, frames, audio and crashes, and combines them in one state.
///
/// Frames are received on the main queue. A frame signal reads them on its own thread, which then waits for the main queue.
@MainActor
package final class BroadcastProvider: WatchedProvider {
  package let store = BroadcastStateStore()

  let bufferContext: BroadcastBufferContext
  let container: AppGroupContainer
  /// Frames that were read on any thread but not yet received on the main queue.
  let pendingFrames = Mutex<[BroadcastFrame]>([])
  private let statusManager: BroadcastStatusManagerImpl
  let crashDetector: BroadcastCrashDetector
  let audio: BroadcastAudioMonitor
  private let framePollTimer: any RepeatingTimer
  let call: VideoCall
  let verifies: Bool
  let clock: any MonotonicClock
  var isPolling = false
  var framesReceived: UInt64 = 0
  /// The frames that arrived after the end of their broadcast, or after a newer frame.
  var framesLate: UInt64 = 0
  /// The polls before the current start of the poll timer.
  var earlierPolls = Polls()
  /// The session that was read before the flag was last turned on. Its ending has been reported already.
  var earlierSession: UInt64?
  /// The last session whose extension crashed; `nil` with the article's layout, which has no sessions and repeats its last
  /// frame after a crash.
  var crashedSession: UInt64?

  struct Polls {
    var ticks: UInt64 = 0
    var missedTicks: UInt64 = 0
    var span = Duration.zero
  }

  /// Creates a provider that follows a container's broadcasts, and puts the frames into `call`.
  ///
  /// - Parameters:
  ///   - isWoken: whether each frame is received at once, not at the next poll.
  ///   - verifies: whether to compare every frame with the proof pattern.
  ///   - timers: the timers of the polls; `nil` for timers on the main queue.
  package init(
    container: AppGroupContainer, call: VideoCall,
    statusInterval: Duration = BroadcastStatusManagerImpl.pollInterval,
    framePollInterval: Duration = BroadcastBufferContext.pollInterval,
    isWoken: Bool = false, layout: BroadcastLayout = .ring,
    verifies: Bool = false, clock: any MonotonicClock = SystemClock(), timers: Timers? = nil
  ) {
    let timers = timers ?? Timers(for: container, isWoken: isWoken)
    statusManager = BroadcastStatusManagerImpl(
      defaults: KeyValueFile(container: container), timer: timers.status, interval: statusInterval)
    crashDetector = BroadcastCrashDetector(
      container: container, status: statusManager, timer: timers.crash, interval: statusInterval)
    bufferContext = BroadcastBufferContext(
      container: container, framePollTimer: timers.frames, isWoken: isWoken,
      interval: framePollInterval, layout: layout, clock: clock)
    let contexts = zip(BroadcastAudioStream.allCases, timers.audio).map { stream, timer in
      AudioBufferContext(
        container: container, stream: stream, pollTimer: timer, interval: framePollInterval, clock: clock)
    }
    audio = BroadcastAudioMonitor(contexts, verifies: verifies, clock: clock)
    framePollTimer = timers.frames
    self.container = container
    self.call = call
    self.verifies = verifies
    self.clock = clock
  }

  /// Reads the current status and subscribes to changes.
  package func start() {
    statusManager.subscribe(self)
    crashDetector.subscribe(self)
    if statusManager.lastStatus {
      onChange(status: true)
      // The status at the start does not count as a change.
      store.commit { $0.statusChanges = 0 }
    }
    crashDetector.poll()
  }

  package func stop() {
    stopPolling()
    statusManager.unsubscribe()
    crashDetector.unsubscribe()
    store.commit { takeCounts(&$0) }
  }

  package var subject: String { "broadcast" }

  package var opening: [WatchMessage] {
    if !state.isActive {
      return [.status(isActive: false, time: clock.now), .notice("Waiting for a broadcast.")]
    }
    guard state.phase == .waiting else { return [] }
    return [.notice("A broadcast was announced; waiting for its first frame.")]
  }

  package func failure(wasInterrupted: Bool) -> ProgramFailure? {
    guard state.frames.framesDelivered == 0, !wasInterrupted else { return nil }
    let advice =
      state.isActive || state.statusChanges > 0
      ? ", although a broadcast was announced; give both sides the same --layout"
      : "; start a producer in the same container and app group"
    return state.failure?.programFailure ?? ProgramFailure(.nothingCame, "No frame came\(advice).")
  }

  package func refresh() {
    let session = bufferContext.session
    store.commit { state in
      takeCounts(&state)
      guard let session, session.id == state.lastFrame?.session else { return }
      state.framesPublished = session.framesPublished
      state.framesUnpublished = session.framesDropped
      switch (session.state, state.phase) {
      case (.paused, .live): state.phase = .paused
      case (.live, .paused): state.phase = .live
      // The session ended, but the flag stayed on because its file of preferences could not be written.
      case (.finished, .live), (.finished, .paused): state.phase = .ended(session.error?.text)
      default: break
      }
    }
  }

  func takeCounts(_ state: inout BroadcastState) {
    let polls = polls
    state.frames = frameCounts
    audio.update(&state)
    // The timer keeps running after the end of a session, until the flag is polled.
    let ticks = polls.ticks - min(polls.ticks, bufferContext.statistics.pollsAfterEnd)
    state.ticks = ticks
    state.missedTicks = polls.missedTicks
    state.timePolled = polls.ticks == 0 ? .zero : polls.span * (Double(ticks) / Double(polls.ticks))
  }

  /// The counts of the buffer context, with the frames that were received on the main queue as delivered.
  var frameCounts: BroadcastBufferContext.Statistics {
    var counts = bufferContext.statistics
    counts.framesDelivered = framesReceived
    counts.framesSkipped += framesLate
    counts.polls -= counts.pollsAfterEnd
    return counts
  }

  /// The polls of the poll timer over all its starts.
  var polls: Polls {
    guard isPolling, let schedule = framePollTimer.schedule else { return earlierPolls }
    return Polls(
      ticks: earlierPolls.ticks + schedule.fired, missedTicks: earlierPolls.missedTicks + schedule.missed,
      span: earlierPolls.span + schedule.span)
  }
}
