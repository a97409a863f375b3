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

/// The tracks of a source, which does not retain them.
struct WeakTracks<Track: RTCMediaStreamTrack> {
  private var references: [Reference] = []

  private struct Reference {
    weak var track: Track?
  }

  var all: [Track] { references.compactMap(\.track) }

  mutating func add(_ track: Track) {
    references.removeAll { $0.track == nil }
    references.append(Reference(track: track))
  }
}

/// A named group of tracks, in the order of their addition. Models `sdk/objc/api/peerconnection/RTCMediaStream.h`.
public final class RTCMediaStream: NSObject, Sendable {
  /// The name of the stream.
  public let streamId: String
  private let tracks = Mutex<[RTCMediaStreamTrack]>([])

  init(streamId: String) { self.streamId = streamId }

  /// The video tracks.
  public var videoTracks: [RTCVideoTrack] { tracks.withLock { $0 }.compactMap { $0 as? RTCVideoTrack } }
  /// The audio tracks.
  public var audioTracks: [RTCAudioTrack] { tracks.withLock { $0 }.compactMap { $0 as? RTCAudioTrack } }

  /// Adds a video track unless the stream has one of the same name.
  public func addVideoTrack(_ videoTrack: RTCVideoTrack) { add(videoTrack) }

  /// Adds an audio track unless the stream has one of the same name.
  public func addAudioTrack(_ audioTrack: RTCAudioTrack) { add(audioTrack) }

  /// Removes a video track.
  public func removeVideoTrack(_ videoTrack: RTCVideoTrack) { remove(videoTrack) }
  /// Removes an audio track.
  public func removeAudioTrack(_ audioTrack: RTCAudioTrack) { remove(audioTrack) }

  private func add(_ track: RTCMediaStreamTrack) {
    tracks.withLock { tracks in
      if !tracks.contains(where: { $0.trackId == track.trackId && $0.kind == track.kind }) {
        tracks.append(track)
      }
    }
  }

  private func remove(_ track: RTCMediaStreamTrack) { tracks.withLock { $0.removeAll { $0 === track } } }
}
