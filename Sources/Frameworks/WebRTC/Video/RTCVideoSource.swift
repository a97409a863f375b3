import Synchronization

/// Where a call's video comes from: takes captured frames, brings them to the format asked for and hands
/// them to its tracks.
///
/// Frames may come on any one thread at a time; the tracks' renderers are called on it before
/// ``capturer(_:didCapture:)`` returns.
public final class RTCVideoSource: NSObject, RTCVideoCapturerDelegate, Sendable {
  private let state = Mutex(State())

  private struct State {
    var tracks: [WeakTrack] = []
    var adapter = FrameAdapter()
    var counters = Counters()
  }

  private struct WeakTrack {
    weak var track: RTCVideoTrack?
  }

  /// What became of the frames that reached a source with tracks.
  package struct Counters: Sendable, Equatable {
    /// The frames handed to the tracks, once each however many tracks there are.
    package var delivered = 0
    /// The frames left out to meet the requested rate.
    package var droppedByRate = 0
  }

  /// The source keeps its factory alive, as in libwebrtc.
  private let factory: RTCPeerConnectionFactory

  init(factory: RTCPeerConnectionFactory) { self.factory = factory }

  /// What became of the frames so far.
  package var counters: Counters { state.withLock { $0.counters } }

  /// Asks for frames of at most this size and rate from now on.
  ///
  /// Frames are cropped to the aspect ratio, around their centre, scaled down, never up, and left out to meet
  /// the rate, judged by their time stamps. The size has no orientation: 1280 × 720 and 720 × 1280 mean the
  /// same, and a frame of 1170 × 2532 asked to be 1080 × 720 becomes 720 × 1080. A width or height of zero or
  /// less leaves the size as it is, an `fps` of zero or less the rate. Format, rotation and time stamp never
  /// change, and a frame that is right already passes as it is.
  ///
  /// libwebrtc differs in two ways. It scales by one of a few fractions (3/4, 1/2, 3/8, …), to the nearest
  /// size that is not larger than asked for; here the size asked for is met exactly. And it leaves the pixels
  /// alone, noting part and size for the encoder to apply; here renderers get pixels of the final size. The
  /// note is what they get here too when the pixels are not 4:2:0. Frames whose buffer is no
  /// ``RTCCVPixelBuffer`` keep their size.
  public func adaptOutputFormat(toWidth width: Int32, height: Int32, fps: Int32) {
    state.withLock { $0.adapter.request(width: width, height: height, framesPerSecond: fps) }
  }

  /// Takes a frame and hands it to the tracks. Without tracks nothing is done, nor counted.
  public func capturer(_ capturer: RTCVideoCapturer, didCapture frame: RTCVideoFrame) {
    let (tracks, adapted) = state.withLock { state -> ([RTCVideoTrack], RTCVideoFrame?) in
      let tracks = state.tracks.compactMap(\.track)
      guard !tracks.isEmpty else { return ([], nil) }
      guard let adapted = state.adapter.adapt(frame) else {
        state.counters.droppedByRate += 1
        return ([], nil)
      }
      state.counters.delivered += 1
      return (tracks, adapted)
    }
    guard let adapted else { return }
    // Outside of the lock: a renderer may ask for another format.
    for track in tracks { track.deliver(adapted) }
  }

  func attach(_ track: RTCVideoTrack) {
    state.withLock { state in
      state.tracks.removeAll { $0.track == nil }
      state.tracks.append(WeakTrack(track: track))
    }
  }
}
