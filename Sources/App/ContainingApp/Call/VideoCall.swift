import CoreVideo
import PixelAccess
import Platform
import ReplayKit
import ScreenBroadcast
import WebRTC

/// The sending end of a video call, up to the local tracks: it takes frames and audio, and renderers get what is sent.
@MainActor
package final class VideoCall {
  /// The maximum frames per second of a broadcast in the call, as in the article.
  package nonisolated static let framesPerSecond: Int32 = 60
  /// The maximum frames per second of a capture within the app, as in the article.
  package nonisolated static let captureFramesPerSecond: Int32 = 24

  /// The track of the screen, for renderers.
  package let track: RTCVideoTrack
  private let appAudio: RTCAudioTrack
  private let microphone: RTCAudioTrack
  private let capturer: RTCVideoCapturer
  private let outputSize: OutputSize
  private let fit: PictureFit
  private var letterbox = Letterbox()
  private var observers: [FrameObserver] = []

  /// Receives each frame before it is fitted, its time and its number.
  package typealias FrameObserver =
    (CVPixelBuffer, CGImagePropertyOrientation, _ time: MonotonicTime, _ number: UInt64) -> Void

  /// - Parameter framesPerSecond: the maximum rate; `nil` for no limit in the native size, and for ``framesPerSecond``
  ///   in a fixed size.
  package init(outputSize: OutputSize, fit: PictureFit, framesPerSecond: Int32? = nil) {
    let factory = RTCPeerConnectionFactory()
    let source = factory.videoSource()
    capturer = RTCVideoCapturer(delegate: source)
    track = factory.videoTrack(with: source, trackId: "screen")
    appAudio = factory.audioTrack(with: factory.audioSource(with: nil), trackId: "screen-audio")
    microphone = factory.audioTrack(with: factory.audioSource(with: nil), trackId: "microphone")
    self.outputSize = outputSize
    self.fit = fit
    switch outputSize {
    case .fixed(let width, let height):
      source.adaptOutputFormat(
        toWidth: Int32(clamping: width), height: Int32(clamping: height),
        fps: framesPerSecond ?? Self.framesPerSecond)
    case .native:
      // A size of zero keeps the native size.
      if let framesPerSecond { source.adaptOutputFormat(toWidth: 0, height: 0, fps: framesPerSecond) }
    }
  }

  /// The track of an audio stream, for renderers.
  package func audioTrack(of stream: BroadcastAudioStream) -> RTCAudioTrack {
    switch stream {
    case .app: appAudio
    case .microphone: microphone
    }
  }

  /// Adds an observer of all frames.
  package func observeFrames(_ observer: @escaping FrameObserver) { observers.append(observer) }

  /// Puts audio with its time into the call, which sends it in blocks of 10 ms.
  package func send(_ audio: BroadcastAudio) {
    audioTrack(of: audio.stream).source.capture(
      audio.samples, sampleRate: Int(audio.sampleRate.rounded()), numberOfChannels: audio.channelCount,
      timeStampNs: Int64(clamping: audio.time.nanoseconds))
  }

  /// Puts a frame with its rotation and time into the call. Throws if there is no memory for the scaled frame.
  ///
  /// - Parameter number: the number of the frame in its session, for observers.
  package func send(
    _ pixelBuffer: CVPixelBuffer, orientation: CGImagePropertyOrientation, time: MonotonicTime,
    number: UInt64 = 0
  ) throws(PixelBufferError) {
    for observe in observers { observe(pixelBuffer, orientation, time, number) }
    var picture = pixelBuffer
    if fit == .contain, case .fixed(let width, let height) = outputSize {
      picture = try letterbox.contain(picture, width: width, height: height)
    }
    capturer.delegate?.capturer(
      capturer,
      didCapture: RTCVideoFrame(
        buffer: RTCCVPixelBuffer(pixelBuffer: picture), rotation: RTCVideoRotation(orientation),
        timeStampNs: Int64(clamping: time.nanoseconds)))
  }
}

/// The size of the frames that enter the call.
package enum OutputSize: Equatable, Sendable {
  /// The size of the screen.
  case native
  /// A size in pixels, which is portrait for a portrait screen.
  case fixed(width: Int, height: Int)
}

/// How a frame fits into another shape.
package enum PictureFit: String, CaseIterable, Sendable {
  /// Fills the shape and crops the rest, as WebRTC does.
  case crop
  /// Keeps the whole frame, with black bars.
  case contain
}

extension RTCVideoRotation {
  /// The rotation that public apps give WebRTC for an orientation of ReplayKit.
  ///
  /// By EXIF, `right` needs 90 degrees clockwise and `left` 270. Public apps do the opposite for these two, and an
  /// emulator shows what the other side of their calls sees; see `Docs/ReplayKitMapping.md`, "Orientation and rotation".
  package init(_ orientation: CGImagePropertyOrientation) {
    self =
      switch orientation {
      case .left, .leftMirrored: ._90
      case .down, .downMirrored: ._180
      case .right, .rightMirrored: ._270
      case .up, .upMirrored: ._0
      }
  }
}
