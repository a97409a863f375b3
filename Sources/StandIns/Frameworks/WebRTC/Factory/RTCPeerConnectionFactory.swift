public final class RTCPeerConnectionFactory: NSObject, Sendable {
  public override init() {}

  public func videoSource() -> RTCVideoSource { RTCVideoSource(factory: self) }

  /// In libwebrtc, the encoder prefers legible text for a screencast. The stand-in has no encoder.
  public func videoSource(forScreenCast: Bool) -> RTCVideoSource { videoSource() }

  public func videoTrack(with source: RTCVideoSource, trackId: String) -> RTCVideoTrack {
    let track = RTCVideoTrack(source: source, trackId: trackId)
    source.attach(track)
    return track
  }

  public func mediaStream(withStreamId streamId: String) -> RTCMediaStream {
    RTCMediaStream(streamId: streamId)
  }

  public func audioSource(with constraints: RTCMediaConstraints?) -> RTCAudioSource {
    RTCAudioSource(factory: self)
  }

  public func audioTrack(withTrackId trackId: String) -> RTCAudioTrack {
    audioTrack(with: audioSource(with: nil), trackId: trackId)
  }

  public func audioTrack(with source: RTCAudioSource, trackId: String) -> RTCAudioTrack {
    let track = RTCAudioTrack(source: source, trackId: trackId)
    source.attach(track)
    return track
  }
}

/// Without effect: the stand-in does not process audio.
public final class RTCMediaConstraints: NSObject, Sendable {
  public init(mandatoryConstraints: [String: String]?, optionalConstraints: [String: String]?) {}
}
