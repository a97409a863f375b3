import CoreMedia
import Synchronization

open class RTCVideoCapturer: NSObject {
  public weak var delegate: (any RTCVideoCapturerDelegate)?

  public override init() {}

  public init(delegate: any RTCVideoCapturerDelegate) { self.delegate = delegate }
}

public protocol RTCVideoCapturerDelegate: NSObjectProtocol {
  /// Called on the capturing thread.
  func capturer(_ capturer: RTCVideoCapturer, didCapture frame: RTCVideoFrame)
}

/// Only one thread may pass frames at a time. The tracks' renderers are called on that thread before
/// ``capturer(_:didCapture:)`` returns.
public final class RTCVideoSource: NSObject, RTCVideoCapturerDelegate, Sendable {
  private let state = Mutex(State())

  private struct State {
    var tracks = WeakTracks<RTCVideoTrack>()
    var adapter = FrameAdapter()
  }

  /// As in libwebrtc, the source retains its factory.
  private let factory: RTCPeerConnectionFactory
  /// Returns the time of the call's clock in nanoseconds: the host clock.
  private let now: @Sendable () -> Int64

  init(
    factory: RTCPeerConnectionFactory,
    now: @escaping @Sendable () -> Int64 = {
      CMTimeConvertScale(
        CMClockGetTime(CMClockGetHostTimeClock()), timescale: 1_000_000_000, method: .default
      ).value
    }
  ) {
    self.factory = factory
    self.now = now
  }

  /// Requests a rate, and a size that stands for an aspect ratio and a maximum number of pixels.
  ///
  /// As in libwebrtc, frames are cropped around their centre to the ratio. They are scaled down by one of the fractions
  /// 3/4, 1/2, 3/8, 1/4 and so on, never up, and dropped by their timestamps to meet the rate. So the result does not have
  /// the requested size: for 1170 × 2532, a request of 720 × 1280 gives 584 × 1040. The size has no orientation: 1280 × 720
  /// gives the same. Both sides of a frame become even, even without a request. A width or height of zero drops all frames.
  /// An `fps` below zero sets no limit; zero stands for 10,000. Each request restarts the selection of frames.
  ///
  /// The timestamps of the tracks' frames are the capturer's, translated to the clock of the call, so they are close to
  /// the arrival. The pixel format and the rotation do not change.
  ///
  /// As in libwebrtc, the pixels are not cropped and scaled. A renderer receives an ``RTCCVPixelBuffer`` with the
  /// complete pixel buffer, a crop and a size; ``RTCCVPixelBuffer/cropAndScale(to:withTempBuffer:)`` and
  /// ``RTCVideoFrameBuffer/toI420()`` apply them. Frames with a buffer of another class keep their size. Requests of an
  /// encoder for fewer pixels are not modelled.
  public func adaptOutputFormat(toWidth width: Int32, height: Int32, fps: Int32) {
    state.withLock { $0.adapter.request(width: width, height: height, framesPerSecond: fps) }
  }

  /// If there are no tracks, the frame is dropped before any work.
  public func capturer(_ capturer: RTCVideoCapturer, didCapture frame: RTCVideoFrame) {
    let (tracks, adapted) = state.withLock { state -> ([RTCVideoTrack], RTCVideoFrame?) in
      let tracks = state.tracks.all
      return (tracks, tracks.isEmpty ? nil : state.adapter.adapt(frame, now: now()))
    }
    guard let adapted else { return }
    // Outside of the lock, because a renderer may request another format.
    for track in tracks { track.deliver(adapted) }
  }

  func attach(_ track: RTCVideoTrack) { state.withLock { $0.tracks.add(track) } }
}
