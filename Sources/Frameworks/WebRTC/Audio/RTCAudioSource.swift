import Synchronization

/// The origin of a call's audio: passes captured samples to its tracks in blocks of 10 ms. Models
/// `sdk/objc/api/peerconnection/RTCAudioSource.h`.
///
/// libwebrtc takes an app's own samples through a custom audio device (`RTCAudioDevice`), whose delegate feeds the single
/// microphone path. Here each source takes its own, as a video source takes frames; a track's renderers get the same:
/// 16-bit samples, 10 ms at a time.
public final class RTCAudioSource: NSObject, Sendable {
  private let state = Mutex(State())

  private struct State {
    var tracks = WeakTracks<RTCAudioTrack>()
    var blocks = AudioBlocks()
  }

  /// The source retains its factory, as in libwebrtc.
  private let factory: RTCPeerConnectionFactory

  init(factory: RTCPeerConnectionFactory) { self.factory = factory }

  /// Takes samples that follow the previous ones and calls the tracks' renderers with each complete block, on the caller's
  /// thread; the rest waits for more. One thread at a time may call it. Not WebRTC's.
  ///
  /// When the time jumps by more than a block or the format changes, silence completes the waiting block: nothing is lost
  /// and no block mixes two times.
  ///
  /// - Parameters:
  ///   - samples: interleaved.
  ///   - sampleRate: frames per second, 100 to 384,000; samples of other rates are dropped.
  ///   - numberOfChannels: 1 or 2; samples of other numbers are dropped.
  ///   - timeStampNs: the capture time of the first frame, in monotonic nanoseconds.
  package func capture(
    _ samples: [Int16], sampleRate: Int, numberOfChannels: Int, timeStampNs: Int64
  ) {
    guard (100...384_000).contains(sampleRate), (1...2).contains(numberOfChannels) else { return }
    let (tracks, blocks) = state.withLock { state in
      (
        state.tracks.all,
        state.blocks.add(
          samples, sampleRate: sampleRate, numberOfChannels: numberOfChannels, timeStampNs: timeStampNs)
      )
    }
    // Outside of the lock: a renderer may call the source.
    for block in blocks {
      for track in tracks { track.deliver(block) }
    }
  }

  func attach(_ track: RTCAudioTrack) { state.withLock { $0.tracks.add(track) } }
}
