/// The creator of sources, tracks and streams. Models `sdk/objc/api/peerconnection/RTCPeerConnectionFactory.h`.
///
/// ```swift
/// let factory = RTCPeerConnectionFactory()
/// let source = factory.videoSource()
/// let track = factory.videoTrack(with: source, trackId: "screen")
/// let stream = factory.mediaStream(withStreamId: "broadcast")
/// stream.addVideoTrack(track)
/// ```
package final class RTCPeerConnectionFactory: NSObject, Sendable {
  package override init() {}

  package func videoSource() -> RTCVideoSource { RTCVideoSource(factory: self) }

  /// Returns a new track that shows the frames of `source` and retains it.
  package func videoTrack(with source: RTCVideoSource, trackId: String) -> RTCVideoTrack {
    let track = RTCVideoTrack(source: source, trackId: trackId)
    source.attach(track)
    return track
  }

  /// Returns a new audio source. The stand-in does not process audio: constraints have no effect.
  package func audioSource(with constraints: RTCMediaConstraints?) -> RTCAudioSource {
    RTCAudioSource(factory: self)
  }

  /// Returns a new track with a new source.
  package func audioTrack(withTrackId trackId: String) -> RTCAudioTrack {
    audioTrack(with: audioSource(with: nil), trackId: trackId)
  }

  /// Returns a new track that passes on the audio of `source` and retains it.
  package func audioTrack(with source: RTCAudioSource, trackId: String) -> RTCAudioTrack {
    let track = RTCAudioTrack(source: source, trackId: trackId)
    source.attach(track)
    return track
  }

  package func mediaStream(withStreamId streamId: String) -> RTCMediaStream {
    RTCMediaStream(streamId: streamId)
  }
}

/// Constraints of an audio source by name. Models `sdk/objc/api/peerconnection/RTCMediaConstraints.h`.
package final class RTCMediaConstraints: NSObject, Sendable {
  package init(mandatoryConstraints: [String: String]?, optionalConstraints: [String: String]?) {}
}
