import Synchronization

/// A source's sound on its way to renderers.
///
/// Sendable without a check because renderers are not: what the track stores of them is behind a lock, and each is
/// called on the thread that records.
public final class RTCAudioTrack: RTCMediaStreamTrack, @unchecked Sendable {
  /// Where the sound comes from.
  public let source: RTCAudioSource
  private let outputs = Mutex<[Output]>([])

  /// A renderer; a wrapper as existentials of classes cannot be stored behind a lock.
  private final class Output: @unchecked Sendable {
    let renderer: any RTCAudioRenderer

    init(_ renderer: any RTCAudioRenderer) { self.renderer = renderer }
  }

  init(source: RTCAudioSource, trackId: String) {
    self.source = source
    super.init(kind: kRTCMediaStreamTrackKindAudio, trackId: trackId)
  }

  /// Adds a renderer and keeps it alive; one that is there already is not added again.
  public func add(_ renderer: any RTCAudioRenderer) {
    let output = Output(renderer)
    outputs.withLock { outputs in
      guard !outputs.contains(where: { $0.renderer === output.renderer }) else { return }
      outputs.append(output)
    }
  }

  /// Removes a renderer. A block that is being delivered on another thread may still reach it.
  public func remove(_ renderer: any RTCAudioRenderer) {
    let removed = Output(renderer)
    outputs.withLock { $0.removeAll { $0.renderer === removed.renderer } }
  }

  /// Hands a block to the renderers, or silence of the same length while the track is disabled.
  func deliver(_ buffer: RTCPCMBuffer) {
    let outputs = outputs.withLock { $0 }
    guard !outputs.isEmpty else { return }
    let heard = isEnabled ? buffer : buffer.silenced
    // Outside of the lock: a renderer may add and remove renderers.
    for output in outputs { output.renderer.render(pcmBuffer: heard) }
  }
}
