import ScreenBroadcast

extension BroadcastProvider: AudioBufferContextSubscriber {
  package nonisolated func onAudio(_ audio: BroadcastAudio) {
    MainQueue.run {
      self.audio.measure(audio)
      call.send(audio)
      audioHandler(audio)
      store.commit { state in
        if case .audio = state.failure { state.failure = nil }
        self.audio.update(&state)
      }
    }
  }

  package nonisolated func onFailure(_ failure: AudioBufferContext.Failure) {
    MainQueue.run { store.commit { $0.failure = .audio(failure) } }
  }
}
