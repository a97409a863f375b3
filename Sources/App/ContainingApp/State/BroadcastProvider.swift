import CommandLineSupport
import CoreVideo
import MemoryKillRecord
import PixelAccess
import Platform
import ScreenBroadcast
import SharedMemory
import Synchronization
import TestPatterns

/// Knows the broadcast: hears status, frames, sound and crashes, and holds all of it as one state that changes at once.
@MainActor
package final class BroadcastProvider: WatchedProvider {
  /// The present state.
  package private(set) var state = BroadcastState()
  /// The delays of all frames.
  package private(set) var delays = FrameDelays()
  /// Told after every change, with the state before and after.
  package var onCommit: (_ old: BroadcastState, _ new: BroadcastState) -> Void = { _, _ in }
  /// Told of all sound as it came.
  package var onSound: (BroadcastAudio) -> Void = { _ in }

  private let statusManager: BroadcastStatusManagerImpl
  private let crashDetector: BroadcastCrashDetector
  private let bufferContext: BroadcastBufferContext
  private let sounds: BroadcastSounds
  private let framePollTimer: any RepeatingTimer
  private let call: VideoCall
  private let verifies: Bool
  private var framesReceived: UInt64 = 0
  /// Frames that arrived after the end of their broadcast or after a newer frame.
  private var framesLate: UInt64 = 0
  private let memoryKill: (_ pid: Int32, _ session: UInt64?) -> MemoryKill?
  private let now: () -> UInt64
  private var isPolling = false
  /// Frames that were read, on whichever thread, and that the main actor has not received yet.
  private let pendingFrames = Mutex<[BroadcastFrame]>([])
  /// The session and the burned-in number of the frame that was proven last.
  private var lastProven: (session: UInt64, number: UInt32)?
  /// What the poll timer counted before its present start.
  private var earlier = (ticks: UInt64(0), missedTicks: UInt64(0), nanoseconds: UInt64(0))
  /// The session that had been read when the flag was last seen on: what it ended with is not told again.
  private var earlierSession: UInt64?

  /// A provider over the article's classes; frames go into `call`.
  ///
  /// - Parameters:
  ///   - audioContexts: the sounds that are heard, at most one of a stream.
  ///   - framePollTimer: the timer `bufferContext` polls with; asked for the polls it missed.
  ///   - verifies: whether every frame is checked against the proof pattern, as it was received.
  ///   - memoryKill: tells whether a process that had a session, if that is known, was killed for its memory.
  ///   - now: monotonic nanoseconds.
  package init(
    statusManager: BroadcastStatusManagerImpl, crashDetector: BroadcastCrashDetector,
    bufferContext: BroadcastBufferContext, audioContexts: [AudioBufferContext] = [],
    framePollTimer: any RepeatingTimer, call: VideoCall,
    verifies: Bool = false,
    memoryKill: @escaping (_ pid: Int32, _ session: UInt64?) -> MemoryKill? = { _, _ in nil },
    now: @escaping () -> UInt64 = { SystemClock().now.nanoseconds }
  ) {
    self.statusManager = statusManager
    self.crashDetector = crashDetector
    self.bufferContext = bufferContext
    sounds = BroadcastSounds(audioContexts, verifies: verifies)
    self.framePollTimer = framePollTimer
    self.call = call
    self.verifies = verifies
    self.memoryKill = memoryKill
    self.now = now
  }

  /// Starts following: reads the present status, and hears of changes from then on.
  package func start() {
    statusManager.subscribe(self)
    crashDetector.subscribe(self)
    if statusManager.lastStatus { statusChanged(to: true, isChange: false) }
    crashDetector.poll()
  }

  /// Stops following. The state stays as it is.
  package func stop() {
    stopPolling()
    statusManager.unsubscribe()
    crashDetector.unsubscribe()
    commit { state in takeCounts(&state) }
  }

  /// What the watch is of.
  package var subject: String { "broadcast" }

  /// What the flag says, and what is waited for.
  package var opening: [WatchOutput] {
    if !state.isActive {
      return [.status(isActive: false, time: now()), .notice("Waiting for a broadcast.")]
    }
    guard state.phase == .waiting else { return [] }
    return [.notice("A broadcast was announced; waiting for its first frame.")]
  }

  /// Why nothing came, if nothing did and nobody ended the watch before.
  package func failure(wasInterrupted: Bool) -> ProgramFailure? {
    guard state.frames.framesDelivered == 0, !wasInterrupted else { return nil }
    if let failure = state.failure { return ProgramFailure(failure) }
    return ProgramFailure(
      .nothingCame, "No frame came; start a producer in the same container and app group.")
  }

  /// Brings what is not told by itself up to date: counts, and what the extension says of its session.
  package func refresh() {
    let session = bufferContext.session
    commit { state in
      takeCounts(&state)
      guard let session, session.id == state.lastFrame?.session else { return }
      state.framesPublished = session.framesPublished
      state.framesDropped = session.framesDropped
      switch (session.state, state.phase) {
      case (.paused, .live): state.phase = .paused
      case (.live, .paused): state.phase = .live
      // Ended in order, although the flag stayed on: its file could not be written.
      case (.finished, .live), (.finished, .paused): state.phase = .ended(session.error?.text)
      default: break
      }
    }
  }

  /// Notes that something is wrong.
  private func note(_ failure: BroadcastFailure) { commit { $0.failure = failure } }

  /// Notes that the status is no longer what is wrong.
  private func noteRecoveryOfStatus() {
    if case .status = state.failure { commit { $0.failure = nil } }
  }

  /// Changes the state, in one step that others see whole.
  private func commit(_ change: (inout BroadcastState) -> Void) {
    let old = state
    change(&state)
    if state != old { onCommit(old, state) }
  }

  private func statusChanged(to isActive: Bool, isChange: Bool) {
    if isActive {
      earlierSession = bufferContext.session?.id
      startPolling()
    } else {
      // The last frame and the last audio may have come since the last poll, or wait for this queue.
      bufferContext.poll()
      receivePendingFrames()
      sounds.poll()
      stopPolling()
    }
    let session = bufferContext.session
    let ending = session?.id == earlierSession ? nil : session?.error?.text
    commit { state in
      takeCounts(&state)
      state.isActive = isActive
      if isChange { state.statusChanges += 1 }
      switch state.phase {
      case _ where !isActive: state.phase = .ended(ending)
      case .live, .crashed, .suspended: break  // Flag and lock are polled apart: the crash may be told first.
      case .waiting, .paused, .ended: state.phase = .waiting
      }
    }
  }

  private func receivePendingFrames() {
    let frames = pendingFrames.withLock { frames in
      defer { frames = [] }
      return frames
    }
    for frame in frames {
      guard isNew(frame.id) else {
        framesLate += 1
        continue
      }
      receive(frame)
      // After the frame, which does not wait for audio: what was published by now is compared with it.
      sounds.poll()
      sounds.measureOffset(of: frame, state, &delays.avOffsets)
    }
  }

  /// Whether a frame still belongs to the broadcast: a frame signal reads on its own thread, so a frame can arrive
  /// here after the end of its broadcast, or after the frame that follows it.
  private func isNew(_ frame: BroadcastFrame.ID) -> Bool {
    guard isPolling else { return false }
    guard let last = state.lastFrame, last.session == frame.session else { return true }
    return frame.number > last.number
  }

  private func receive(_ frame: BroadcastFrame) {
    let time = now()
    let age = time - min(time, frame.captureTime.nanoseconds)
    let isPaused = bufferContext.session?.state == .paused
    let verdict = verifies ? ProofVerifier.verify(frame.pixelBuffer) : nil
    var failure: BroadcastFailure?
    do { try call.send(frame) } catch { failure = .picture(error) }
    // Only now it is known whether what was made of a leased frame is worth anything.
    let isIntact = frame.isIntact
    // Where the layout has no times there is no age either.
    if frame.captureTime > .zero { delays.ages.add(age) }
    if frame.publishTime > .zero {
      delays.handOffs.add(frame.receiveTime.nanoseconds(since: frame.publishTime))
    }
    framesReceived += 1
    commit { state in
      // A session ends with its process: a frame of the same session was read before the crash.
      let isOld = frame.id.session == state.lastFrame?.session
      if case .crashed = state.phase, isOld {} else { state.phase = isPaused ? .paused : .live }
      state.format = FrameFormat(frame)
      state.lastFrame = frame.id
      if frame.captureTime > .zero { state.lastAge = Double(age) / 1e6 }
      switch state.failure {
      case .status, .audio: break
      case .frames, .picture, nil: state.failure = failure
      }
      state.frames = frameCounts
      guard isIntact else {
        state.framesTakenBack += 1
        return
      }
      if let verdict { state.count(verdict, of: frame.id.session, after: &lastProven) }
    }
  }

  private func receive(_ audio: BroadcastAudio) {
    sounds.measure(audio)
    call.send(audio)
    onSound(audio)
    commit { state in
      if case .audio = state.failure { state.failure = nil }
      sounds.update(&state)
    }
  }

  private func startPolling() {
    guard !isPolling else { return }
    isPolling = true
    sounds.subscribe(self)
    bufferContext.subscribe(self)
  }

  private func stopPolling() {
    guard isPolling else { return }
    bufferContext.unsubscribe()
    sounds.unsubscribe()
    earlier = polled
    isPolling = false
  }

  private func takeCounts(_ state: inout BroadcastState) {
    let polled = polled
    state.frames = frameCounts
    sounds.update(&state)
    state.ticks = polled.ticks
    state.missedTicks = polled.missedTicks
    state.secondsPolled = Double(polled.nanoseconds) / 1e9
  }

  /// The counts of the frames' context, of which only those frames are delivered that were received here.
  private var frameCounts: BroadcastBufferContext.Statistics {
    var counts = bufferContext.statistics
    counts.framesDelivered = framesReceived
    counts.framesSkipped += framesLate
    return counts
  }

  private var polled: (ticks: UInt64, missedTicks: UInt64, nanoseconds: UInt64) {
    guard isPolling, let schedule = framePollTimer.schedule else { return earlier }
    return (
      earlier.ticks + schedule.fired, earlier.missedTicks + schedule.missed,
      earlier.nanoseconds + UInt64(clamping: schedule.span.wholeNanoseconds)
    )
  }
}

// The timers tick on the main queue, so the calls come on the main actor; the protocols cannot say so. A signal of
// frames ticks on its own thread, which then waits until the main queue has dealt with the frame.
extension BroadcastProvider: BroadcastStatusSubscriber {
  /// Follows the flag.
  package nonisolated func onChange(status: Bool) {
    MainActor.assumeIsolated { statusChanged(to: status, isChange: true) }
  }

  /// Notes that the status can be read again.
  package nonisolated func onRecovery() {
    MainActor.assumeIsolated { noteRecoveryOfStatus() }
  }

  /// Notes that the status cannot be read.
  package nonisolated func onFailure(_ failure: KeyValueFile.Failure) {
    MainActor.assumeIsolated { note(.status(failure)) }
  }
}

extension BroadcastProvider: BroadcastBufferContextSubscriber {
  /// Puts the frame into the call.
  package nonisolated func onFrame(_ frame: BroadcastFrame) {
    pendingFrames.withLock { $0.append(frame) }
    MainQueue.run { receivePendingFrames() }
  }

  /// Notes that frames cannot be read.
  package nonisolated func onFailure(_ failure: BroadcastBufferContext.Failure) {
    MainQueue.run { note(.frames(failure)) }
  }
}

extension BroadcastProvider: AudioBufferContextSubscriber {
  /// Puts the sound into the call.
  package nonisolated func onAudio(_ audio: BroadcastAudio) {
    MainQueue.run { receive(audio) }
  }

  /// Notes that sound cannot be read.
  package nonisolated func onFailure(_ failure: AudioBufferContext.Failure) {
    MainQueue.run { note(.audio(failure)) }
  }
}

extension BroadcastProvider: BroadcastCrashSubscriber {
  /// Notes that the extension is dead.
  package nonisolated func onCrash(pid: Int32) {
    MainActor.assumeIsolated {
      // The frames that were read last may be those of an earlier producer.
      let session = bufferContext.session.flatMap { $0.processID == pid ? $0.id : nil }
      let kill = memoryKill(pid, session)
      commit { $0.phase = .crashed(pid: pid, kill: kill) }
    }
  }

  /// Notes that the extension stands still.
  package nonisolated func onSuspension(pid: Int32) {
    MainActor.assumeIsolated { commit { $0.phase = .suspended(pid: pid) } }
  }

  /// Notes that it goes on; the next frame says the rest.
  package nonisolated func onResumption(pid: Int32) {
    MainActor.assumeIsolated {
      commit { if case .suspended = $0.phase { $0.phase = .waiting } }
    }
  }
}
