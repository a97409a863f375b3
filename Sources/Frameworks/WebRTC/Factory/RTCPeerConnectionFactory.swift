/// The creator of sources and tracks. Models `sdk/objc/api/peerconnection/RTCPeerConnectionFactory.h`.
///
/// ```swift
/// let factory = RTCPeerConnectionFactory()
/// let source = factory.videoSource()
/// let track = factory.videoTrack(with: source, trackId: "screen")
/// ```
public final class RTCPeerConnectionFactory: NSObject, Sendable {
  /// Creates a factory.
  public override init() {}

  /// Returns a new source of video.
  public func videoSource() -> RTCVideoSource { RTCVideoSource(factory: self) }

  /// Returns a new source of video. In libwebrtc the encoder prefers legible text for a screencast; the stand-in has none.
  public func videoSource(forScreenCast: Bool) -> RTCVideoSource { videoSource() }

  /// Returns a new track that shows the frames of `source` and retains it.
  public func videoTrack(with source: RTCVideoSource, trackId: String) -> RTCVideoTrack {
    let track = RTCVideoTrack(source: source, trackId: trackId)
    source.attach(track)
    return track
  }

  /// Returns a new stream without tracks.
  public func mediaStream(withStreamId streamId: String) -> RTCMediaStream {
    RTCMediaStream(streamId: streamId)
  }

  /// Returns a new audio source. The stand-in does not process audio: constraints have no effect.
  public func audioSource(with constraints: RTCMediaConstraints?) -> RTCAudioSource {
    RTCAudioSource(factory: self)
  }

  /// Returns a new track with a new source.
  public func audioTrack(withTrackId trackId: String) -> RTCAudioTrack {
    audioTrack(with: audioSource(with: nil), trackId: trackId)
  }

  /// Returns a new track that passes on the audio of `source` and retains it.
  public func audioTrack(with source: RTCAudioSource, trackId: String) -> RTCAudioTrack {
    let track = RTCAudioTrack(source: source, trackId: trackId)
    source.attach(track)
    return track
  }
}

/// Constraints of an audio source by name. Models `sdk/objc/api/peerconnection/RTCMediaConstraints.h`.
public final class RTCMediaConstraints: NSObject, Sendable {
  /// Creates constraints. The stand-in applies none.
  public init(mandatoryConstraints: [String: String]?, optionalConstraints: [String: String]?) {}
}
