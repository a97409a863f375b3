import Platform
import ScreenBroadcast
import WebRTC

/// One audio stream of the call: a source and its track.
struct CallAudio {
  let track: RTCAudioTrack
  private let source: RTCAudioSource

  init(_ factory: RTCPeerConnectionFactory, trackId: String) {
    source = factory.audioSource(with: nil)
    track = factory.audioTrack(with: source, trackId: trackId)
  }

  /// Puts samples into the call, which sends them in blocks of 10 ms.
  func send(_ audio: BroadcastAudio) {
    source.capture(
      audio.samples, sampleRate: Int(audio.sampleRate.rounded()), numberOfChannels: audio.channelCount,
      timeStampNs: Int64(clamping: audio.time.nanoseconds))
  }
}
