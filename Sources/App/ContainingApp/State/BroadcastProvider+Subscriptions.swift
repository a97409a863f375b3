import ScreenBroadcast
import Synchronization

// The timers of status and crashes tick on the main queue, which the protocols cannot express.
extension BroadcastProvider: BroadcastStatusSubscriber {
  package nonisolated func onChange(status: Bool) {
    MainActor.assumeIsolated { statusChanged(to: status, isChange: true) }
  }

  package nonisolated func onRecovery() {
    MainActor.assumeIsolated {
      if case .status = state.failure { store.commit { $0.failure = nil } }
    }
  }

  package nonisolated func onFailure(_ failure: KeyValueFile.Failure) {
    MainActor.assumeIsolated { store.commit { $0.failure = .status(failure) } }
  }
}

extension BroadcastProvider: BroadcastBufferContextSubscriber, AudioBufferContextSubscriber {
  package nonisolated func onFrame(_ frame: BroadcastFrame) {
    pendingFrames.withLock { $0.append(frame) }
    MainQueue.run { receiveFrames() }
  }

  package nonisolated func onFailure(_ failure: BroadcastBufferContext.Failure) {
    MainQueue.run { store.commit { $0.failure = .frames(failure) } }
  }

  package nonisolated func onAudio(_ audio: BroadcastAudio) {
    MainQueue.run { receive(audio) }
  }

  package nonisolated func onFailure(_ failure: AudioBufferContext.Failure) {
    MainQueue.run { store.commit { $0.failure = .audio(failure) } }
  }
}

extension BroadcastProvider: BroadcastCrashSubscriber {
  package nonisolated func onCrash(pid: Int32) {
    MainActor.assumeIsolated {
      // The session read last may be that of an earlier producer.
      let session = bufferContext.session.flatMap { $0.processID == pid ? $0.id : nil }
      store.commit { $0.phase = .crashed(pid: pid, kill: memoryKill(pid, session)) }
    }
  }

  package nonisolated func onSuspension(pid: Int32) {
    MainActor.assumeIsolated { store.commit { $0.phase = .suspended(pid: pid) } }
  }

  /// Waits for the next frame, whose phase follows.
  package nonisolated func onResumption(pid: Int32) {
    MainActor.assumeIsolated {
      store.commit { if case .suspended = $0.phase { $0.phase = .waiting } }
    }
  }
}
