import Synchronization

/// Only holds the tracks, because there is no peer connection.
public final class RTCMediaStream: NSObject, Sendable {
  public let streamId: String
  private let tracks = Mutex((audio: [RTCAudioTrack](), video: [RTCVideoTrack]()))

  init(streamId: String) { self.streamId = streamId }

  public var audioTracks: [RTCAudioTrack] { tracks.withLock { $0.audio } }
  public var videoTracks: [RTCVideoTrack] { tracks.withLock { $0.video } }

  public func addAudioTrack(_ audioTrack: RTCAudioTrack) {
    tracks.withLock { tracks in
      if !tracks.audio.contains(where: { $0.trackId == audioTrack.trackId }) {
        tracks.audio.append(audioTrack)
      }
    }
  }

  public func addVideoTrack(_ videoTrack: RTCVideoTrack) {
    tracks.withLock { tracks in
      if !tracks.video.contains(where: { $0.trackId == videoTrack.trackId }) {
        tracks.video.append(videoTrack)
      }
    }
  }

  public func removeAudioTrack(_ audioTrack: RTCAudioTrack) {
    tracks.withLock { $0.audio.removeAll { $0 === audioTrack } }
  }

  public func removeVideoTrack(_ videoTrack: RTCVideoTrack) {
    tracks.withLock { $0.video.removeAll { $0 === videoTrack } }
  }
}
