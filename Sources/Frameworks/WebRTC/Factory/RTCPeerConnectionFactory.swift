/// Where sources, tracks and streams come from.
///
/// ```swift
/// let factory = RTCPeerConnectionFactory()
/// let source = factory.videoSource()
/// let track = factory.videoTrack(with: source, trackId: "screen")
/// let stream = factory.mediaStream(withStreamId: "broadcast")
/// stream.addVideoTrack(track)
/// ```
public final class RTCPeerConnectionFactory: NSObject, Sendable {
  /// A factory of its own.
  public override init() {}

  /// A video source without tracks.
  public func videoSource() -> RTCVideoSource { RTCVideoSource(factory: self) }

  /// A track that shows the frames of `source`, which it keeps alive.
  public func videoTrack(with source: RTCVideoSource, trackId: String) -> RTCVideoTrack {
    let track = RTCVideoTrack(source: source, trackId: trackId)
    source.attach(track)
    return track
  }

  /// An audio source without tracks.
  public func audioSource(with constraints: RTCMediaConstraints?) -> RTCAudioSource {
    RTCAudioSource(factory: self)
  }

  /// A track of a source of its own.
  public func audioTrack(withTrackId trackId: String) -> RTCAudioTrack {
    audioTrack(with: audioSource(with: nil), trackId: trackId)
  }

  /// A track that carries the sound of `source`, which it keeps alive.
  public func audioTrack(with source: RTCAudioSource, trackId: String) -> RTCAudioTrack {
    let track = RTCAudioTrack(source: source, trackId: trackId)
    source.attach(track)
    return track
  }

  /// A stream without tracks.
  public func mediaStream(withStreamId streamId: String) -> RTCMediaStream {
    RTCMediaStream(streamId: streamId)
  }
}
