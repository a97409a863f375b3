import Platform
import ScreenBroadcast

// The timer of the crash detector ticks on the main queue, which the protocol cannot express.
extension BroadcastProvider: BroadcastCrashSubscriber {
  package nonisolated func onCrash(pid: Int32) {
    MainActor.assumeIsolated {
      // What was read before the report is not received after it.
      framesLate += UInt64(takePendingFrames().count)
      // The session read last may be that of an earlier producer.
      crashedSession = bufferContext.session.flatMap { $0.processID == pid ? $0.id : nil }
      store.commit { $0.phase = .crashed(pid: pid, kill: memoryKill(pid, crashedSession)) }
    }
  }

  package nonisolated func onSuspension(pid: Int32) {
    MainActor.assumeIsolated { store.commit { $0.phase = .suspended(pid: pid) } }
  }

  package nonisolated func onLock(failure: StorageError?) {
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

  /// Waits for the next frame, whose phase follows.
  package nonisolated func onResumption(pid: Int32) {
    MainActor.assumeIsolated {
      store.commit { if case .suspended = $0.phase { $0.phase = .waiting } }
    }
  }
}
