import Synchronization

/// Tracks that belong together.
public final class RTCMediaStream: NSObject, Sendable {
  /// The name of the stream.
  public let streamId: String
  private let tracks = Mutex(Tracks())

  private struct Tracks {
    var video: [RTCVideoTrack] = []
    var audio: [RTCAudioTrack] = []
  }

  init(streamId: String) { self.streamId = streamId }

  /// The video tracks, in the order they were added.
  public var videoTracks: [RTCVideoTrack] { tracks.withLock { $0.video } }

  /// The audio tracks, in the order they were added.
  public var audioTracks: [RTCAudioTrack] { tracks.withLock { $0.audio } }

  /// Adds a video track, unless there is one of the same name.
  public func addVideoTrack(_ videoTrack: RTCVideoTrack) {
    tracks.withLock { tracks in
      guard !tracks.video.contains(where: { $0.trackId == videoTrack.trackId }) else { return }
      tracks.video.append(videoTrack)
    }
  }

  /// Adds an audio track, unless there is one of the same name.
  public func addAudioTrack(_ audioTrack: RTCAudioTrack) {
    tracks.withLock { tracks in
      guard !tracks.audio.contains(where: { $0.trackId == audioTrack.trackId }) else { return }
      tracks.audio.append(audioTrack)
    }
  }

  /// Takes a video track out of the stream.
  public func removeVideoTrack(_ videoTrack: RTCVideoTrack) {
    tracks.withLock { $0.video.removeAll { $0 === videoTrack } }
  }

  /// Takes an audio track out of the stream.
  public func removeAudioTrack(_ audioTrack: RTCAudioTrack) {
    tracks.withLock { $0.audio.removeAll { $0 === audioTrack } }
  }
}
