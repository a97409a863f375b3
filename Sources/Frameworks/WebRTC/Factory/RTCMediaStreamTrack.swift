import Synchronization

/// The kind of a track that shows video.
public let kRTCMediaStreamTrackKindVideo: String = "video"
/// The kind of a track that carries sound.
public let kRTCMediaStreamTrackKindAudio: String = "audio"

/// What tracks of every kind have in common.
///
/// Sendable without a check because it has a subclass: what it stores is constant or atomic.
public class RTCMediaStreamTrack: NSObject, @unchecked Sendable {
  /// What the track carries, such as ``kRTCMediaStreamTrackKindVideo``.
  public let kind: String
  /// The name of the track.
  public let trackId: String
  private let enabled = Atomic(true)

  init(kind: String, trackId: String) {
    self.kind = kind
    self.trackId = trackId
  }

  /// Whether the track carries its source's media; black frames take the place of a video track's when
  /// not, and silence that of an audio track's.
  public var isEnabled: Bool {
    // A switch of its own that guards no other memory, hence relaxed.
    get { enabled.load(ordering: .relaxed) }
    set { enabled.store(newValue, ordering: .relaxed) }
  }
}
