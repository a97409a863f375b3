import Synchronization

/// A source's frames on their way to renderers.
///
/// Sendable without a check because renderers are not: what the track stores of them is behind a lock, and
/// each is called on the thread that captures, as libwebrtc does.
public final class RTCVideoTrack: RTCMediaStreamTrack, @unchecked Sendable {
  /// Where the frames come from.
  public let source: RTCVideoSource
  private let state = Mutex(State())

  private struct State {
    var outputs: [RendererOutput] = []
    var blackFrames = BlackFrames()
  }

  init(source: RTCVideoSource, trackId: String) {
    self.source = source
    super.init(kind: kRTCMediaStreamTrackKindVideo, trackId: trackId)
  }

  /// Adds a renderer and keeps it alive; one that is there already is not added again.
  public func add(_ renderer: any RTCVideoRenderer) {
    let output = RendererOutput(renderer)
    state.withLock { state in
      guard !state.outputs.contains(where: { $0.shows(output) }) else { return }
      state.outputs.append(output)
    }
  }

  /// Removes a renderer. A frame that is being delivered on another thread may still reach it.
  public func remove(_ renderer: any RTCVideoRenderer) {
    let removed = RendererOutput(renderer)
    state.withLock { $0.outputs.removeAll { $0.shows(removed) } }
  }

  /// Shows a frame, or a black one of the same size, time and rotation while the track is disabled.
  func deliver(_ frame: RTCVideoFrame) {
    let isEnabled = isEnabled
    let (outputs, shown) = state.withLock { state in
      (state.outputs, isEnabled || state.outputs.isEmpty ? frame : state.blackFrames.frame(like: frame))
    }
    // Outside of the lock: a renderer may add and remove renderers.
    for output in outputs { output.show(shown) }
  }
}
