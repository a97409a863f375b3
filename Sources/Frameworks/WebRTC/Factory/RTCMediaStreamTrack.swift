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
