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

  /// A stream without tracks.
  public func mediaStream(withStreamId streamId: String) -> RTCMediaStream {
    RTCMediaStream(streamId: streamId)
  }
}
