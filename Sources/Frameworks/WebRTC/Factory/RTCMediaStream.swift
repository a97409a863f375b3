import Synchronization

package let kRTCMediaStreamTrackKindVideo: String = "video"
package let kRTCMediaStreamTrackKindAudio: String = "audio"

/// The base class of tracks. Models `sdk/objc/api/peerconnection/RTCMediaStreamTrack.h`.
///
/// Unchecked `Sendable` because it has subclasses: its properties are constant or atomic.
package class RTCMediaStreamTrack: NSObject, @unchecked Sendable {
  /// The kind of media, such as ``kRTCMediaStreamTrackKindVideo``.
  package let kind: String
  package let trackId: String
  private let enabled = Atomic(true)

  init(kind: String, trackId: String) {
    self.kind = kind
    self.trackId = trackId
  }

  /// Whether the track passes its source's media on. A disabled video track shows black frames, a disabled audio track
  /// is silent.
  package var isEnabled: Bool {
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
package final class RTCMediaStream: NSObject, Sendable {
  package let streamId: String
  private let tracks = Mutex<[RTCMediaStreamTrack]>([])

  init(streamId: String) { self.streamId = streamId }

  package var videoTracks: [RTCVideoTrack] { tracks.withLock { $0 }.compactMap { $0 as? RTCVideoTrack } }
  package var audioTracks: [RTCAudioTrack] { tracks.withLock { $0 }.compactMap { $0 as? RTCAudioTrack } }

  /// Adds a video track unless the stream has one of the same name.
  package func addVideoTrack(_ videoTrack: RTCVideoTrack) { add(videoTrack) }

  /// Adds an audio track unless the stream has one of the same name.
  package func addAudioTrack(_ audioTrack: RTCAudioTrack) { add(audioTrack) }

  package func removeVideoTrack(_ videoTrack: RTCVideoTrack) { remove(videoTrack) }
  package func removeAudioTrack(_ audioTrack: RTCAudioTrack) { remove(audioTrack) }

  private func add(_ track: RTCMediaStreamTrack) {
    tracks.withLock { tracks in
      if !tracks.contains(where: { $0.trackId == track.trackId && $0.kind == track.kind }) {
        tracks.append(track)
      }
    }
  }

  private func remove(_ track: RTCMediaStreamTrack) { tracks.withLock { $0.removeAll { $0 === track } } }
}
