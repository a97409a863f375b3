import Synchronization

/// Tracks that belong together.
public final class RTCMediaStream: NSObject, Sendable {
  /// The name of the stream.
  public let streamId: String
  private let tracks = Mutex<[RTCVideoTrack]>([])

  init(streamId: String) { self.streamId = streamId }

  /// The video tracks, in the order they were added.
  public var videoTracks: [RTCVideoTrack] { tracks.withLock { $0 } }

  /// Adds a video track, unless there is one of the same name.
  public func addVideoTrack(_ videoTrack: RTCVideoTrack) {
    tracks.withLock { tracks in
      guard !tracks.contains(where: { $0.trackId == videoTrack.trackId }) else { return }
      tracks.append(videoTrack)
    }
  }

  /// Takes a video track out of the stream.
  public func removeVideoTrack(_ videoTrack: RTCVideoTrack) {
    tracks.withLock { $0.removeAll { $0 === videoTrack } }
  }
}
