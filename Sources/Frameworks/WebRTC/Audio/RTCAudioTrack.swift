/// A receiver of a track's audio.
///
/// Google's framework has no audio renderer; LiveKit's fork does (`RTCAudioRenderer.h`), with `AVAudioPCMBuffer`.
package protocol AudioRenderer: NSObjectProtocol {
  /// Takes 10 ms of audio, on the thread that captures.
  func render(_ block: AudioBlock)
}

/// A track that passes the audio of a source to renderers. Models `sdk/objc/api/peerconnection/RTCAudioTrack.h`.
///
/// Unchecked `Sendable` because renderers are not `Sendable`: a lock protects their list, and each is called on the thread
/// that captures.
public final class RTCAudioTrack: RTCMediaStreamTrack, @unchecked Sendable {
  /// The source of the audio.
  public let source: RTCAudioSource
  private let lock = NSLock()
  private var renderers: [any AudioRenderer] = []

  init(source: RTCAudioSource, trackId: String) {
    self.source = source
    super.init(kind: kRTCMediaStreamTrackKindAudio, trackId: trackId)
  }

  /// Adds and retains a renderer, once. LiveKit's fork has it as `add(_:)`, Google's framework has not.
  package func add(_ renderer: any AudioRenderer) {
    lock.withLock {
      if !renderers.contains(where: { $0 === renderer }) { renderers.append(renderer) }
    }
  }

  /// Removes a renderer. A delivery in progress on another thread may still call it.
  package func remove(_ renderer: any AudioRenderer) {
    lock.withLock { renderers.removeAll { $0 === renderer } }
  }

  /// Passes a block to the renderers, or silence of the same length while the track is disabled.
  func deliver(_ block: AudioBlock) {
    let renderers = lock.withLock { self.renderers }
    guard !renderers.isEmpty else { return }
    let block = isEnabled ? block : block.silenced
    // Outside of the lock: a renderer may add and remove renderers.
    for renderer in renderers { renderer.render(block) }
  }
}
