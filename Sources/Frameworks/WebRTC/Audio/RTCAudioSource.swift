import Synchronization

/// Where a call's audio comes from: takes recorded samples and hands them to its tracks in blocks of 10 ms.
///
/// libwebrtc gets the samples of an app of its own by a custom audio device (`RTCAudioDevice`), whose delegate's
/// `deliverRecordedData` puts them into the one microphone path there is. Here each source takes its own, as the frames
/// of a video source come; what a track's renderers get is the same: 16-bit samples, 10 ms at a time.
///
/// Samples may come on any one thread at a time; the tracks' renderers are called on it before
/// ``deliverRecordedData(_:sampleRate:numberOfChannels:timeStampNs:)`` returns.
public final class RTCAudioSource: NSObject, Sendable {
  private let state = Mutex(State())

  private struct State {
    var tracks: [WeakTrack] = []
    var blocks = AudioBlocks()
  }

  private struct WeakTrack {
    weak var track: RTCAudioTrack?
  }

  /// The source keeps its factory alive, as in libwebrtc.
  private let factory: RTCPeerConnectionFactory

  init(factory: RTCPeerConnectionFactory) { self.factory = factory }

  /// Takes samples that follow the ones before. Of them, whole blocks go to the tracks; the rest waits for more.
  ///
  /// Where the time jumps by more than a block, or the format changes, what waits is filled up with silence, so that
  /// nothing is lost and no block has sounds of two times.
  ///
  /// - Parameters:
  ///   - samples: channel by channel within a frame.
  ///   - sampleRate: frames a second, 100 to 384,000; others are left out.
  ///   - numberOfChannels: 1 or 2; others are left out.
  ///   - timeStampNs: when the first frame was recorded, in nanoseconds, monotonic.
  public func deliverRecordedData(
    _ samples: [Int16], sampleRate: Int, numberOfChannels: Int, timeStampNs: Int64
  ) {
    guard (100...384_000).contains(sampleRate), (1...2).contains(numberOfChannels) else { return }
    let (tracks, buffers) = state.withLock { state in
      (
        state.tracks.compactMap(\.track),
        state.blocks.add(
          samples, sampleRate: sampleRate, numberOfChannels: numberOfChannels, timeStampNs: timeStampNs)
      )
    }
    // Outside of the lock: a renderer may do anything.
    for buffer in buffers {
      for track in tracks { track.deliver(buffer) }
    }
  }

  func attach(_ track: RTCAudioTrack) {
    state.withLock { state in
      state.tracks.removeAll { $0.track == nil }
      state.tracks.append(WeakTrack(track: track))
    }
  }
}
