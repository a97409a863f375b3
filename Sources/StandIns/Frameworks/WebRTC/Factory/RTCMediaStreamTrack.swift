import Synchronization

public let kRTCMediaStreamTrackKindVideo: String = "video"
public let kRTCMediaStreamTrackKindAudio: String = "audio"

/// Unchecked `Sendable` because it has subclasses: its properties are constant or atomic.
public class RTCMediaStreamTrack: NSObject, @unchecked Sendable {
  public let kind: String
  public let trackId: String
  private let enabled = Atomic(true)

  init(kind: String, trackId: String) {
    self.kind = kind
    self.trackId = trackId
  }

  public var isEnabled: Bool {
    // Relaxed: the flag protects no other memory.
    get { enabled.load(ordering: .relaxed) }
    set { enabled.store(newValue, ordering: .relaxed) }
  }
}

/// The tracks of a source. They are not retained.
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
