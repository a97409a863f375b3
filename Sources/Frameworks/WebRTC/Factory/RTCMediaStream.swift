import Synchronization

/// The kind of a video track.
public let kRTCMediaStreamTrackKindVideo: String = "video"
/// The kind of an audio track.
public let kRTCMediaStreamTrackKindAudio: String = "audio"

/// The base class of tracks. Models `sdk/objc/api/peerconnection/RTCMediaStreamTrack.h`.
///
/// Unchecked `Sendable` because it has subclasses: its properties are constant or atomic.
public class RTCMediaStreamTrack: NSObject, @unchecked Sendable {
  /// The kind of media, such as ``kRTCMediaStreamTrackKindVideo``.
  public let kind: String
  /// The name of the track.
  public let trackId: String
  private let enabled = Atomic(true)

  init(kind: String, trackId: String) {
    self.kind = kind
    self.trackId = trackId
  }

  /// Whether the track passes its source's media on. A disabled video track shows black frames, a disabled audio track
  /// is silent.
  public var isEnabled: Bool {
    // Relaxed: the flag protects no other memory.
    get { enabled.load(ordering: .relaxed) }
    set { enabled.store(newValue, ordering: .relaxed) }
  }
}

/// A named group of tracks. Models `sdk/objc/api/peerconnection/RTCMediaStream.h`.
public final class RTCMediaStream: NSObject, Sendable {
  /// The name of the stream.
  public let streamId: String
  private let video = Mutex<[RTCVideoTrack]>([])
  private let audio = Mutex<[RTCAudioTrack]>([])

  init(streamId: String) { self.streamId = streamId }

  /// The video tracks in the order of their addition.
  public var videoTracks: [RTCVideoTrack] { video.withLock { $0 } }

  /// The audio tracks in the order of their addition.
  public var audioTracks: [RTCAudioTrack] { audio.withLock { $0 } }

  /// Adds a video track unless the stream has one of the same name.
  public func addVideoTrack(_ videoTrack: RTCVideoTrack) { Self.add(videoTrack, to: video) }

  /// Adds an audio track unless the stream has one of the same name.
  public func addAudioTrack(_ audioTrack: RTCAudioTrack) { Self.add(audioTrack, to: audio) }

  /// Removes a video track.
  public func removeVideoTrack(_ videoTrack: RTCVideoTrack) {
    video.withLock { $0.removeAll { $0 === videoTrack } }
  }

  /// Removes an audio track.
  public func removeAudioTrack(_ audioTrack: RTCAudioTrack) {
    audio.withLock { $0.removeAll { $0 === audioTrack } }
  }

  private static func add<Track: RTCMediaStreamTrack>(_ track: Track, to tracks: borrowing Mutex<[Track]>) {
    tracks.withLock { tracks in
      if !tracks.contains(where: { $0.trackId == track.trackId }) { tracks.append(track) }
    }
  }
}
