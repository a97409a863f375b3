import PhoneLink
import Platform
import ScreenBroadcast
import SharedMemory

// The status timer fires on the main queue, which the protocol cannot express.
extension BroadcastProvider: BroadcastStatusSubscriber {
  package nonisolated func onChange(status: Bool) {
    MainActor.assumeIsolated {
      if status {
        earlierSession = bufferContext.session?.id
        startPolling()
      } else {
        // The last frame and the last audio may be newer than the last poll, or may wait for this queue.
        bufferContext.poll()
        receiveFrames()
        audio.poll()
        stopPolling()
      }
      let session = bufferContext.session
      let ending = session?.id == earlierSession ? nil : session?.error?.text
      store.commit { state in
        takeCounts(&state)
        state.isActive = status
        state.statusChanges += 1
        switch state.phase {
        case _ where !status: state.phase = .ended(ending)
        // The lock is polled separately, so a crash may be reported first.
        case .live, .crashed, .suspended: break
        case .waiting, .paused, .ended: state.phase = .waiting
        }
      }
    }
  }

  package nonisolated func onRecovery() {
    MainActor.assumeIsolated {
      if case .status = state.failure { store.commit { $0.failure = nil } }
    }
  }

  package nonisolated func onFailure(_ failure: FileError) {
    MainActor.assumeIsolated { store.commit { $0.failure = .status(failure) } }
  }

  private func startPolling() {
    guard !isPolling else { return }
    isPolling = true
    for context in audio.contexts { context.subscribe(self) }
    bufferContext.subscribe(self)
  }

  func stopPolling() {
    guard isPolling else { return }
    bufferContext.unsubscribe()
    for context in audio.contexts { context.unsubscribe() }
    earlierPolls = polls
    isPolling = false
  }
}

// The timer of the crash detector fires on the main queue, which the protocol cannot express.
extension BroadcastProvider: BroadcastCrashSubscriber {
  package nonisolated func onCrash(pid: Int32) {
    MainActor.assumeIsolated {
      // Frames that were read before the report must not be received after it.
      framesLate += UInt64(takePendingFrames().count)
      // The last session that was read may belong to an earlier producer.
      crashedSession = bufferContext.session.flatMap { $0.processID == pid ? $0.id : nil }
      let kill = FactsFile.memoryKill(of: pid, session: crashedSession, in: container)
      store.commit { $0.phase = .crashed(pid: pid, kill: kill) }
    }
  }

  package nonisolated func onSuspension(pid: Int32) {
    MainActor.assumeIsolated { store.commit { $0.phase = .suspended(pid: pid) } }
  }

  package nonisolated func onLock(failure: FileError?) {
    MainActor.assumeIsolated {
      store.commit { state in
        if let failure {
          state.failure = .lock(failure)
        } else if case .lock = state.failure {
          state.failure = nil
        }
      }
    }
  }

  /// Waits for the next frame, which sets the phase.
  package nonisolated func onResumption(pid: Int32) {
    MainActor.assumeIsolated {
      store.commit { if case .suspended = $0.phase { $0.phase = .waiting } }
    }
  }
}
