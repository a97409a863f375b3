import CommandLineSupport
import MemoryKillRecord
import Platform
import ScreenBroadcast
import SharedMemory
import Synchronization
import TestPatterns

/// Follows a broadcast: receives its status, frames, audio and crashes, and keeps them as one state.
///
/// Frames are received on the main queue. A frame signal reads them on a thread of its own, which then waits for the
/// main queue.
@MainActor
package final class BroadcastProvider: WatchedProvider {
  package let store = BroadcastStateStore()
  package var audioHandler: (BroadcastAudio) -> Void = { _ in }

  let bufferContext: BroadcastBufferContext
  let memoryKill: (_ pid: Int32, _ session: UInt64?) -> MemoryKill?
  /// Frames that were read on any thread and not yet received here.
  let pendingFrames = Mutex<[BroadcastFrame]>([])
  private let statusManager: BroadcastStatusManagerImpl
  private let crashDetector: BroadcastCrashDetector
  private let audio: BroadcastAudioMonitor
  private let framePollTimer: any RepeatingTimer
  private let call: VideoCall
  private let verifies: Bool
  private let clock: any MonotonicClock
  private var isPolling = false
  private var framesReceived: UInt64 = 0
  /// Frames that arrived after the end of their broadcast or after a newer frame.
  private var framesLate: UInt64 = 0
  /// The polls before the present start of the poll timer.
  private var earlierPolls = Polls()
  /// The session read before the flag was last turned on: its ending is reported already.
  private var earlierSession: UInt64?

  private struct Polls {
    var ticks: UInt64 = 0
    var missedTicks: UInt64 = 0
    var span = Duration.zero
  }

  /// A provider over the article's classes, which puts the frames into `call`.
  ///
  /// - Parameters:
  ///   - audioContexts: the audio to receive, at most one context for each stream.
  ///   - framePollTimer: the timer of `bufferContext`, for the count of missed polls.
  ///   - verifies: whether every received frame is compared with the proof pattern.
  ///   - memoryKill: returns the record if a process was killed for its memory, in a session if that is known.
  init(
    statusManager: BroadcastStatusManagerImpl, crashDetector: BroadcastCrashDetector,
    bufferContext: BroadcastBufferContext, audioContexts: [AudioBufferContext],
    framePollTimer: any RepeatingTimer, call: VideoCall, verifies: Bool,
    memoryKill: @escaping (_ pid: Int32, _ session: UInt64?) -> MemoryKill?, clock: any MonotonicClock
  ) {
    self.statusManager = statusManager
    self.crashDetector = crashDetector
    self.bufferContext = bufferContext
    audio = BroadcastAudioMonitor(audioContexts, verifies: verifies)
    self.framePollTimer = framePollTimer
    self.call = call
    self.verifies = verifies
    self.memoryKill = memoryKill
    self.clock = clock
  }

  /// Reads the present status and subscribes to changes.
  package func start() {
    statusManager.subscribe(self)
    crashDetector.subscribe(self)
    if statusManager.lastStatus { statusChanged(to: true, isChange: false) }
    crashDetector.poll()
  }

  package func stop() {
    stopPolling()
    statusManager.unsubscribe()
    crashDetector.unsubscribe()
    store.commit(takeCounts)
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
    return state.failure.map { ProgramFailure($0) }
      ?? ProgramFailure(
        .nothingCame, "No frame came; start a producer in the same container and app group.")
  }

  package func refresh() {
    let session = bufferContext.session
    store.commit { state in
      takeCounts(&state)
      guard let session, session.id == state.lastFrame?.session else { return }
      state.framesPublished = session.framesPublished
      state.framesDropped = session.framesDropped
      switch (session.state, state.phase) {
      case (.paused, .live): state.phase = .paused
      case (.live, .paused): state.phase = .live
      // The session ended, but its file of preferences could not be written, so the flag stayed on.
      case (.finished, .live), (.finished, .paused): state.phase = .ended(session.error?.text)
      default: break
      }
    }
  }

  func statusChanged(to isActive: Bool, isChange: Bool) {
    if isActive {
      earlierSession = bufferContext.session?.id
      startPolling()
    } else {
      // The last frame and the last audio may have come since the last poll, or wait for this queue.
      bufferContext.poll()
      receiveFrames()
      audio.poll()
      stopPolling()
    }
    let session = bufferContext.session
    let ending = session?.id == earlierSession ? nil : session?.error?.text
    store.commit { state in
      takeCounts(&state)
      state.isActive = isActive
      if isChange { state.statusChanges += 1 }
      switch state.phase {
      case _ where !isActive: state.phase = .ended(ending)
      case .live, .crashed, .suspended: break  // The lock is polled apart, so a crash can be reported first.
      case .waiting, .paused, .ended: state.phase = .waiting
      }
    }
  }

  /// Receives the frames that were read since the last call.
  func receiveFrames() {
    let frames = pendingFrames.withLock { frames in
      defer { frames = [] }
      return frames
    }
    for frame in frames {
      guard isNew(frame.id) else {
        framesLate += 1
        continue
      }
      let age = max(.zero, clock.now - frame.captureTime)
      let verdict = verifies ? ProofVerifier.verify(frame.pixelBuffer) : nil
      var failure: BroadcastFailure?
      do { try call.send(frame.pixelBuffer, orientation: frame.orientation, time: frame.time) } catch {
        failure = .picture(error)
      }
      framesReceived += 1
      commit(frame, age: age, verdict, failure)
      // After the frame, which does not wait for audio: the offset compares it with all audio published by now.
      audio.poll()
      audio.measureOffset(of: frame, state, &store.delays.avOffsets)
    }
  }

  /// Whether a frame still belongs to the broadcast. A frame of a frame signal can arrive here after the end of its
  /// broadcast, or after the frame that follows it.
  private func isNew(_ frame: BroadcastFrame.ID) -> Bool {
    guard isPolling else { return false }
    guard let last = state.lastFrame, last.session == frame.session else { return true }
    return frame.number > last.number
  }

  private func commit(
    _ frame: BroadcastFrame, age: Duration, _ verdict: ProofVerdict?, _ failure: BroadcastFailure?
  ) {
    let isPaused = bufferContext.session?.state == .paused
    // A lease can be revoked during the work on the frame, which then is worthless.
    let isIntact = frame.isIntact
    // The article's layout has no times.
    let hasAge = frame.captureTime > .zero
    if hasAge { store.delays.ages.add(age) }
    if frame.publishTime > .zero {
      store.delays.handOffs.add(max(.zero, frame.receiveTime - frame.publishTime))
    }
    store.commit { state in
      // A session ends with its process: a frame of the same session was read before the crash.
      let isOld = frame.id.session == state.lastFrame?.session
      if case .crashed = state.phase, isOld {} else { state.phase = isPaused ? .paused : .live }
      state.format = FrameFormat(frame)
      state.lastFrame = frame.id
      if hasAge { state.lastAge = age }
      switch state.failure {
      case .status, .audio: break
      case .frames, .picture, nil: state.failure = failure
      }
      state.frames = frameCounts
      if !isIntact {
        state.framesTakenBack += 1
      } else if let verdict {
        state.count(verdict, of: frame.id.session)
      }
    }
  }

  func receive(_ audio: BroadcastAudio) {
    self.audio.measure(audio)
    call.send(audio)
    audioHandler(audio)
    store.commit { state in
      if case .audio = state.failure { state.failure = nil }
      self.audio.update(&state)
    }
  }

  private func startPolling() {
    guard !isPolling else { return }
    isPolling = true
    for context in audio.contexts { context.subscribe(self) }
    bufferContext.subscribe(self)
  }

  private func stopPolling() {
    guard isPolling else { return }
    bufferContext.unsubscribe()
    for context in audio.contexts { context.unsubscribe() }
    earlierPolls = polls
    isPolling = false
  }

  private func takeCounts(_ state: inout BroadcastState) {
    let polls = polls
    state.frames = frameCounts
    audio.update(&state)
    state.ticks = polls.ticks
    state.missedTicks = polls.missedTicks
    state.timePolled = polls.span
  }

  /// The counts of the buffer context, with the frames that were received here as delivered.
  private var frameCounts: BroadcastBufferContext.Statistics {
    var counts = bufferContext.statistics
    counts.framesDelivered = framesReceived
    counts.framesSkipped += framesLate
    return counts
  }

  /// The polls of the poll timer over all its starts.
  private var polls: Polls {
    guard isPolling, let schedule = framePollTimer.schedule else { return earlierPolls }
    return Polls(
      ticks: earlierPolls.ticks + schedule.fired, missedTicks: earlierPolls.missedTicks + schedule.missed,
      span: earlierPolls.span + schedule.span)
  }
}
