import CoreMedia
import Synchronization

open class RTCVideoCapturer: NSObject {
  public weak var delegate: (any RTCVideoCapturerDelegate)?

  public override init() {}

  public init(delegate: any RTCVideoCapturerDelegate) { self.delegate = delegate }
}

public protocol RTCVideoCapturerDelegate: NSObjectProtocol {
  /// Called on the thread that captures.
  func capturer(_ capturer: RTCVideoCapturer, didCapture frame: RTCVideoFrame)
}

/// One thread at a time may pass frames. The tracks' renderers are called on it before
/// ``capturer(_:didCapture:)`` returns.
public final class RTCVideoSource: NSObject, RTCVideoCapturerDelegate, Sendable {
  private let state = Mutex(State())

  private struct State {
    var tracks = WeakTracks<RTCVideoTrack>()
    var adapter = FrameAdapter()
  }

  /// The source retains its factory, as in libwebrtc.
  private let factory: RTCPeerConnectionFactory
  /// The time of the call's clock in nanoseconds: that of the host.
  private let now: @Sendable () -> Int64

  init(
    factory: RTCPeerConnectionFactory,
    now: @escaping @Sendable () -> Int64 = {
      CMTimeConvertScale(
        CMClockGetTime(CMClockGetHostTimeClock()), timescale: 1_000_000_000, method: .default
      ).value
    }
  ) {
    (self.factory, self.now) = (factory, now)
  }

  /// Requests frames of an aspect ratio, with at most the pixels of a size, and a rate.
  ///
  /// Frames are cropped to the ratio around their centre, scaled down by one of the fractions 3/4, 1/2, 3/8, 1/4 and so on,
  /// never up, and dropped by their time stamps to meet the rate, as libwebrtc does it. So the result is not the requested
  /// size: of 1170 × 2532, a request of 720 × 1280 leaves 584 × 1040. The size has no orientation: 1280 × 720 gives the
  /// same. Both sides of a frame become even, also without a request. A width or height of zero drops all frames. An `fps`
  /// below zero limits nothing; zero stands for 10,000. A request starts the selection of frames anew.
  ///
  /// The time stamps of the tracks' frames are those of the capturer, translated to the clock of the call: close to the
  /// arrival. Pixel format and rotation stay.
  ///
  /// As in libwebrtc, no pixels are cropped and scaled: a renderer gets an ``RTCCVPixelBuffer`` of the whole pixel buffer, with
  /// part and size beside it. ``RTCCVPixelBuffer/cropAndScale(to:withTempBuffer:)`` and ``RTCVideoFrameBuffer/toI420()`` apply
  /// them. Frames whose buffer is of another class keep their size. The wishes of an encoder for fewer pixels have no counterpart.
  public func adaptOutputFormat(toWidth width: Int32, height: Int32, fps: Int32) {
    state.withLock { $0.adapter.request(width: width, height: height, framesPerSecond: fps) }
  }

  /// Without tracks the frame is dropped before any work.
  public func capturer(_ capturer: RTCVideoCapturer, didCapture frame: RTCVideoFrame) {
    let (tracks, adapted) = state.withLock { state -> ([RTCVideoTrack], RTCVideoFrame?) in
      let tracks = state.tracks.all
      return (tracks, tracks.isEmpty ? nil : state.adapter.adapt(frame, now: now()))
    }
    guard let adapted else { return }
    // Outside of the lock: a renderer may request another format.
    for track in tracks { track.deliver(adapted) }
  }

  func attach(_ track: RTCVideoTrack) { state.withLock { $0.tracks.add(track) } }
}
