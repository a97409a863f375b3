import ScreenBroadcast
import SharedMemory

// The timer of the status ticks on the main queue, which the protocol cannot express.
extension BroadcastProvider: BroadcastStatusSubscriber {
  package nonisolated func onChange(status: Bool) {
    MainActor.assumeIsolated {
      if status {
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
        state.isActive = status
        state.statusChanges += 1
        switch state.phase {
        case _ where !status: state.phase = .ended(ending)
        // The lock is polled apart, so a crash can be reported first.
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

  package nonisolated func onFailure(_ failure: KeyValueFile.Failure) {
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
