import CoreVideo
import PixelAccess
import Platform
import ReplayKitCore
import ScreenBroadcast
import WebRTC

/// The sending side of a video call, up to the local tracks. It accepts frames and audio; renderers receive the data that
/// is sent.
@MainActor
package final class VideoCall {
  /// The maximum frame rate of a broadcast in the call (frames per second), as in the article.
  package nonisolated static let framesPerSecond: Int32 = 60
  /// The maximum frame rate of a capture within the app (frames per second), as in the article.
  package nonisolated static let captureFramesPerSecond: Int32 = 24

  /// The video track of the screen, for renderers.
  package let track: RTCVideoTrack
  private let appAudio: RTCAudioTrack
  private let microphone: RTCAudioTrack
  private let source: RTCVideoSource
  private let capturer: RTCVideoCapturer
  private let outputSize: OutputSize
  private let fit: PictureFit
  /// The maximum frame rate in the native size.
  private let nativeRate: Int32?
  /// The native size of the last request.
  private var nativeSize: (width: Int32, height: Int32) = (0, 0)
  private var letterbox = Letterbox()
  private var observers: [FrameObserver] = []

  /// Receives each frame before it is fitted, with its time and number.
  package typealias FrameObserver =
    (CVPixelBuffer, CGImagePropertyOrientation, _ time: MonotonicTime, _ number: UInt64) -> Void

  /// - Parameter framesPerSecond: the maximum rate. `nil` means no limit in the native size, and ``framesPerSecond`` in a
  ///   fixed size.
  package init(outputSize: OutputSize, fit: PictureFit, framesPerSecond: Int32? = nil) {
    let factory = RTCPeerConnectionFactory()
    source = factory.videoSource()
    capturer = RTCVideoCapturer(delegate: source)
    track = factory.videoTrack(with: source, trackId: "screen")
    appAudio = factory.audioTrack(with: factory.audioSource(with: nil), trackId: "screen-audio")
    microphone = factory.audioTrack(with: factory.audioSource(with: nil), trackId: "microphone")
    self.outputSize = outputSize
    self.fit = fit
    nativeRate = framesPerSecond
    if case .fixed(let width, let height) = outputSize {
      source.adaptOutputFormat(
        toWidth: Int32(clamping: width), height: Int32(clamping: height),
        fps: framesPerSecond ?? Self.framesPerSecond)
    }
  }

  /// Returns the track of an audio stream, for renderers.
  package func audioTrack(of stream: BroadcastAudioStream) -> RTCAudioTrack {
    switch stream {
    case .app: appAudio
    case .microphone: microphone
    }
  }

  /// Adds an observer of all frames.
  package func observeFrames(_ observer: @escaping FrameObserver) { observers.append(observer) }

  /// Sends audio with its time in the call, in blocks of 10 ms.
  package func send(_ audio: BroadcastAudio) {
    audioTrack(of: audio.stream).source.capture(
      audio.samples, sampleRate: Int(audio.sampleRate.rounded()), numberOfChannels: audio.channelCount,
      timeStampNs: Int64(clamping: audio.time.nanoseconds))
  }

  /// Sends a frame with its rotation and time in the call. Throws if there is no memory for the scaled frame.
  ///
  /// - Parameter number: the number of the frame in its session, for observers.
  package func send(
    _ pixelBuffer: CVPixelBuffer, orientation: CGImagePropertyOrientation, time: MonotonicTime,
    number: UInt64 = 0
  ) throws(PixelBufferError) {
    for observe in observers { observe(pixelBuffer, orientation, time, number) }
    let buffer = try fitted(pixelBuffer)
    if outputSize == .native { requestNative(buffer) }
    capturer.delegate?.capturer(
      capturer,
      didCapture: RTCVideoFrame(
        buffer: buffer, rotation: RTCVideoRotation(orientation),
        timeStampNs: Int64(clamping: time.nanoseconds)))
  }

  /// Returns the frame in the fixed size if the app creates that size. The source then passes it on unchanged.
  private func fitted(_ picture: CVPixelBuffer) throws(PixelBufferError) -> RTCCVPixelBuffer {
    guard case .fixed(let width, let height) = outputSize else {
      return RTCCVPixelBuffer(pixelBuffer: picture)
    }
    switch fit {
    case .crop: return FillingCrop(width: width, height: height).part(of: picture)
    case .contain:
      return RTCCVPixelBuffer(pixelBuffer: try letterbox.contain(picture, width: width, height: height))
    case .webrtc: return RTCCVPixelBuffer(pixelBuffer: picture)
    }
  }

  /// Limits the frame rate in the native size. WebRTC's request needs a size, so it repeats the size of the frames.
  private func requestNative(_ buffer: RTCCVPixelBuffer) {
    guard let nativeRate, nativeSize != (buffer.width, buffer.height) else { return }
    nativeSize = (buffer.width, buffer.height)
    source.adaptOutputFormat(toWidth: buffer.width, height: buffer.height, fps: nativeRate)
  }
}

/// The size of the frames that enter the call.
package enum OutputSize: Equatable, Sendable {
  /// The size of the screen, which the source makes even.
  case native
  /// A size in pixels, rotated to portrait for a portrait screen. With ``PictureFit/webrtc`` it is only requested.
  case fixed(width: Int, height: Int)
}

/// The way in which a frame is fitted into another shape.
///
/// In the article 1080 x 720 enters the call, because some receivers reject odd sizes. WebRTC's source alone does not
/// produce that size: if it is requested, the source sends 520 x 784 of 1170 x 2532. So in two of the three ways the app
/// creates the size before the source.
package enum PictureFit: String, CaseIterable, Sendable {
  /// The app fills the shape and crops the rest.
  case crop
  /// The app keeps the whole frame, with black bars.
  case contain
  /// The app leaves the size to the source, as most apps do; see ``RTCVideoSource/adaptOutputFormat(toWidth:height:fps:)``.
  case webrtc
}

extension RTCVideoRotation {
  /// Creates the rotation that public apps pass to WebRTC for an orientation of ReplayKit.
  ///
  /// By EXIF, `right` needs 90 degrees clockwise and `left` 270. Public apps do the opposite for these two, and the
  /// emulator shows the frames as the remote side of their calls sees them. See `Docs/ReplayKitMapping.md`, "Orientation
  /// and rotation".
  package init(_ orientation: CGImagePropertyOrientation) {
    self = RTCVideoRotation(rawValue: PictureRotation(orientation).rawValue) ?? ._0
  }
}
