import Platform
import RunReports
import ScreenBroadcast
import SharedMemory
import Synchronization
import TestPatterns

extension BroadcastProvider: BroadcastBufferContextSubscriber {
  package nonisolated func onFrame(_ frame: BroadcastFrame) {
    pendingFrames.withLock { $0.append(frame) }
    MainQueue.run { receiveFrames() }
  }

  package nonisolated func onFailure(_ failure: BroadcastBufferContext.Failure) {
    MainQueue.run { store.commit { $0.failure = .frames(failure) } }
  }

  func takePendingFrames() -> [BroadcastFrame] {
    pendingFrames.withLock { frames in
      defer { frames = [] }
      return frames
    }
  }

  /// Receives the frames that were read since the previous call.
  func receiveFrames() {
    for frame in takePendingFrames() {
      guard isNew(frame.id) else {
        framesLate += 1
        continue
      }
      let age = max(.zero, clock.now - frame.captureTime)
      let verdict = verifies ? ProofVerifier.verify(frame.pixelBuffer) : nil
      var failure: BroadcastFailure?
      do {
        try call.send(
          frame.pixelBuffer, orientation: frame.orientation, time: frame.time, number: frame.id.number)
      } catch {
        failure = .picture(error)
      }
      framesReceived += 1
      commit(frame, age: age, verdict, failure)
      // Poll audio after the frame, which does not wait for audio, so that the offset compares the frame with all audio
      // published by now. Poll only after the timer has found audio: without audio there is no offset, and each poll would
      // try to open missing files.
      if state.appAudio != nil || state.microphone != nil { audio.poll() }
      audio.measureOffset(of: frame, state, &store.delays.avOffsets)
    }
  }

  /// Whether a frame still belongs to the broadcast. A frame from a frame signal may arrive after the end of its broadcast,
  /// after the crash report of its extension, or after the following frame.
  private func isNew(_ frame: BroadcastFrame.ID) -> Bool {
    guard isPolling, frame.session != crashedSession else { return false }
    guard let last = state.lastFrame, last.session == frame.session else { return true }
    return frame.number > last.number
  }

  /// Whether a frame is from a producer that crashed. The article's layout has no sessions, and a crash leaves its file
  /// behind.
  private var isLeftBehind: Bool {
    guard bufferContext.session == nil else { return false }
    do {
      guard case .crashed = try crashDetector.verdict() else { return false }
      return true
    } catch {
      // The status manager reports errors of the flag, and the crash detector errors of the lock.
      return false
    }
  }

  private func commit(
    _ frame: BroadcastFrame, age: Duration, _ verdict: ProofVerdict?, _ failure: BroadcastFailure?
  ) {
    let session = bufferContext.session
    let isPaused = session?.state == .paused
    let isOver = session?.id != frame.id.session || session?.state == .finished
    // In a running session the screen may have been unchanged for a long time.
    let isStale = isOver && frame.receiveTime - frame.publishTime > BroadcastBufferContext.staleAge
    // The article's layout has no times.
    let hasAge = frame.captureTime > .zero
    if hasAge { store.delays.ages.add(age) }
    if frame.publishTime > .zero {
      store.delays.handOffs.add(max(.zero, frame.receiveTime - frame.publishTime))
    }
    store.commit { state in
      // Applies only to the article's layout, in which a file ends with its process. A frame of the same file is older than
      // the crash.
      let isOfSameSession = frame.id.session == state.lastFrame?.session
      let isOld = if case .crashed = state.phase { isOfSameSession || isLeftBehind } else { false }
      // A stopped process also has a last frame.
      let isStopped = if case .suspended(let pid) = state.phase { ProcessState.isStopped(pid) } else { false }
      if !isOld, !isStopped { state.phase = isPaused ? .paused : .live }
      state.format = FrameFormat(frame)
      state.lastFrame = frame.id
      if hasAge { state.lastAge = age }
      switch state.failure {
      case .status, .lock, .audio: break
      case .frames, .picture, nil: state.failure = failure
      }
      state.frames = frameCounts
      // The article's layout has neither sessions nor times.
      if isStale, frame.publishTime > .zero { state.framesStale += 1 }
      if let verdict { state.count(verdict, of: frame.id.session) }
    }
  }
}

extension BroadcastProvider: AudioBufferContextSubscriber {
  package nonisolated func onAudio(_ audio: BroadcastAudio) {
    MainQueue.run {
      self.audio.measure(audio)
      call.send(audio)
      store.commit { state in
        if case .audio = state.failure { state.failure = nil }
        self.audio.update(&state)
      }
    }
  }

  package nonisolated func onAudioFailure(_ failure: FileError) {
    MainQueue.run { store.commit { $0.failure = .audio(failure) } }
  }
}
