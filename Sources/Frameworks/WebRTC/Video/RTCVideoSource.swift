import Synchronization

/// An origin of frames for a video source or another delegate. Models `sdk/objc/base/RTCVideoCapturer.h`.
open class RTCVideoCapturer: NSObject {
  /// The receiver of the frames; not retained.
  public weak var delegate: (any RTCVideoCapturerDelegate)?

  /// Creates a capturer of a delegate.
  public init(delegate: any RTCVideoCapturerDelegate) { self.delegate = delegate }
}

/// The receiver of a capturer's frames.
public protocol RTCVideoCapturerDelegate: NSObjectProtocol {
  /// Takes a captured frame, on the thread that captures.
  func capturer(_ capturer: RTCVideoCapturer, didCapture frame: RTCVideoFrame)
}

/// The origin of a call's video: adapts captured frames to the requested format and passes them to its tracks. Models
/// `sdk/objc/api/peerconnection/RTCVideoSource.h`.
///
/// One thread at a time may pass frames. The tracks' renderers are called on it before ``capturer(_:didCapture:)`` returns.
public final class RTCVideoSource: NSObject, RTCVideoCapturerDelegate, Sendable {
  private let state = Mutex(State())

  private struct State {
    var tracks = WeakTracks<RTCVideoTrack>()
    var adapter = FrameAdapter()
  }

  /// The source retains its factory, as in libwebrtc.
  private let factory: RTCPeerConnectionFactory

  init(factory: RTCPeerConnectionFactory) { self.factory = factory }

  /// Requests frames of at most this size and rate.
  ///
  /// Frames are cropped to the aspect ratio around their centre, scaled down, never up, and dropped by their time stamps
  /// to meet the rate. The size has no orientation: a frame of 1170 × 2532 becomes 720 × 1080 for both 1080 × 720 and
  /// 720 × 1080. A width or height of zero or less keeps the size, an `fps` of zero or less the rate. Pixel format,
  /// rotation and time stamp stay, and a frame that needs no adaptation passes unchanged.
  ///
  /// libwebrtc differs in two ways. It scales by one of a few fractions (3/4, 1/2, 3/8, …), to the nearest size that is
  /// not larger than requested; here the requested size is met exactly. It records part and size for the encoder to
  /// apply; here renderers get pixels of the final size, unless the pixels are not 4:2:0. Frames whose buffer is not an
  /// ``RTCCVPixelBuffer`` keep their size.
  public func adaptOutputFormat(toWidth width: Int32, height: Int32, fps: Int32) {
    state.withLock { $0.adapter.request(width: width, height: height, framesPerSecond: fps) }
  }

  /// Adapts a frame and passes it to the tracks. Without tracks the frame is dropped before any work.
  public func capturer(_ capturer: RTCVideoCapturer, didCapture frame: RTCVideoFrame) {
    let (tracks, adapted) = state.withLock { state -> ([RTCVideoTrack], RTCVideoFrame?) in
      let tracks = state.tracks.all
      return (tracks, tracks.isEmpty ? nil : state.adapter.adapt(frame))
    }
    guard let adapted else { return }
    // Outside of the lock: a renderer may request another format.
    for track in tracks { track.deliver(adapted) }
  }

  func attach(_ track: RTCVideoTrack) { state.withLock { $0.tracks.add(track) } }
}
