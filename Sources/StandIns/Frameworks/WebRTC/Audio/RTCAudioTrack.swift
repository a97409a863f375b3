import Synchronization

/// libwebrtc takes an app's samples through a custom audio device (`RTCAudioDevice`), whose delegate feeds the only
/// microphone path. Here each source takes its own samples, as a video source takes frames. The renderers of a track
/// receive the same: 16-bit samples, 10 ms at a time.
public final class RTCAudioSource: NSObject, Sendable {
  private let state = Mutex(State())

  private struct State {
    var tracks = WeakTracks<RTCAudioTrack>()
    var blocks = AudioBlocks()
  }

  /// As in libwebrtc, the source retains its factory.
  private let factory: RTCPeerConnectionFactory

  init(factory: RTCPeerConnectionFactory) { self.factory = factory }

  /// Adds samples that follow the previous samples. It calls the tracks' renderers with each complete block on the
  /// caller's thread, and keeps the remaining samples. Only one thread may call it at a time. Not in WebRTC.
  ///
  /// If the time jumps by more than a block or the format changes, the waiting block is completed with silence. So
  /// nothing is lost, and no block mixes two times.
  ///
  /// - Parameters:
  ///   - samples: interleaved.
  ///   - sampleRate: frames per second (100 to 384,000). Samples of other rates are dropped.
  ///   - numberOfChannels: 1 or 2. Samples with other numbers are dropped.
  ///   - timeStampNs: the capture time of the first frame, in nanoseconds of the monotonic clock.
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
    // Outside of the lock, because a renderer may call the source.
    for block in blocks {
      for track in tracks { track.deliver(block) }
    }
  }

  func attach(_ track: RTCAudioTrack) { state.withLock { $0.tracks.add(track) } }
}

/// A receiver of a track's audio.
///
/// Google's framework has no audio renderer. LiveKit's fork has one (`RTCAudioRenderer.h`) with `AVAudioPCMBuffer`.
package protocol AudioRenderer: NSObjectProtocol {
  /// Processes 10 ms of audio, on the capturing thread.
  func render(_ block: AudioBlock)
}

/// Unchecked `Sendable` because renderers are not `Sendable`: a lock protects their list, and each is called on the
/// capturing thread.
public final class RTCAudioTrack: RTCMediaStreamTrack, @unchecked Sendable {
  public let source: RTCAudioSource
  private let lock = NSLock()
  private var renderers: [any AudioRenderer] = []

  init(source: RTCAudioSource, trackId: String) {
    self.source = source
    super.init(kind: kRTCMediaStreamTrackKindAudio, trackId: trackId)
  }

  /// Adds and retains a renderer, unless it was added before. LiveKit's fork has it as `add(_:)`; Google's framework
  /// does not have it.
  package func add(_ renderer: any AudioRenderer) {
    lock.withLock {
      if !renderers.contains(where: { $0 === renderer }) { renderers.append(renderer) }
    }
  }

  /// Removes a renderer. A delivery in progress on another thread may still call it.
  package func remove(_ renderer: any AudioRenderer) {
    lock.withLock { renderers.removeAll { $0 === renderer } }
  }

  /// Passes a block to the renderers. While the track is disabled, passes silence of the same length.
  func deliver(_ block: AudioBlock) {
    let renderers = lock.withLock { self.renderers }
    guard !renderers.isEmpty else { return }
    let block = isEnabled ? block : block.silenced
    // Outside of the lock, because a renderer may add and remove renderers.
    for renderer in renderers { renderer.render(block) }
  }
}
