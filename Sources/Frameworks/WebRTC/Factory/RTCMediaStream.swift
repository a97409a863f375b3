import Synchronization

/// The tracks that a call sends together. Models `sdk/objc/api/peerconnection/RTCMediaStream.h`. Without a peer connection it holds
/// them, and nothing more.
public final class RTCMediaStream: NSObject, Sendable {
  /// The name of the stream.
  public let streamId: String
  private let tracks = Mutex((audio: [RTCAudioTrack](), video: [RTCVideoTrack]()))

  init(streamId: String) { self.streamId = streamId }

  /// The tracks of audio, in the order in which they were added.
  public var audioTracks: [RTCAudioTrack] { tracks.withLock { $0.audio } }
  /// The tracks of video, in the order in which they were added.
  public var videoTracks: [RTCVideoTrack] { tracks.withLock { $0.video } }

  /// Adds and retains a track, unless there is one of its name.
  public func addAudioTrack(_ audioTrack: RTCAudioTrack) {
    tracks.withLock { tracks in
      if !tracks.audio.contains(where: { $0.trackId == audioTrack.trackId }) {
        tracks.audio.append(audioTrack)
      }
    }
  }

  /// Adds and retains a track, unless there is one of its name.
  public func addVideoTrack(_ videoTrack: RTCVideoTrack) {
    tracks.withLock { tracks in
      if !tracks.video.contains(where: { $0.trackId == videoTrack.trackId }) {
        tracks.video.append(videoTrack)
      }
    }
  }

  /// Removes a track.
  public func removeAudioTrack(_ audioTrack: RTCAudioTrack) {
    tracks.withLock { $0.audio.removeAll { $0 === audioTrack } }
  }

  /// Removes a track.
  public func removeVideoTrack(_ videoTrack: RTCVideoTrack) {
    tracks.withLock { $0.video.removeAll { $0 === videoTrack } }
  }
}
