import CoreVideo
import PixelAccess
import Platform
import ReplayKit
import ScreenBroadcast
import WebRTC

/// The app's end of a video call, up to the local tracks: screen frames and sound go in, renderers see what is sent.
@MainActor
package final class VideoCall {
  /// The most frames per second that enter the call, as in the article.
  package nonisolated static let framesPerSecond: Int32 = 60
  /// The most that enter it from a capture within the app, as in the article.
  package nonisolated static let captureFramesPerSecond: Int32 = 24

  /// The track of the screen; add renderers to it.
  package let track: RTCVideoTrack
  private let source: RTCVideoSource
  private let capturer: RTCVideoCapturer
  private let stream: RTCMediaStream
  private let appSound: CallSound
  private let microphoneSound: CallSound
  private let outputSize: OutputSize
  private let fit: PictureFit
  private var letterbox = Letterbox()

  /// A call whose screen frames have a size, and get into it in a way, of choice.
  ///
  /// - Parameter framesPerSecond: the most that enter it; `nil` for as many as come in their native size, and else for
  ///   ``framesPerSecond``.
  package init(outputSize: OutputSize, fit: PictureFit, framesPerSecond: Int32? = nil) {
    let factory = RTCPeerConnectionFactory()
    source = factory.videoSource()
    capturer = RTCVideoCapturer(delegate: source)
    track = factory.videoTrack(with: source, trackId: "screen")
    stream = factory.mediaStream(withStreamId: "broadcast")
    stream.addVideoTrack(track)
    appSound = CallSound(factory, trackId: "screen-audio")
    microphoneSound = CallSound(factory, trackId: "microphone")
    stream.addAudioTrack(appSound.track)
    stream.addAudioTrack(microphoneSound.track)
    self.outputSize = outputSize
    self.fit = fit
    switch outputSize {
    case .fixed(let width, let height):
      source.adaptOutputFormat(
        toWidth: Int32(clamping: width), height: Int32(clamping: height),
        fps: framesPerSecond ?? Self.framesPerSecond)
    case .native:
      // A size of zero leaves it as it is.
      if let framesPerSecond { source.adaptOutputFormat(toWidth: 0, height: 0, fps: framesPerSecond) }
    }
  }

  /// The track of one sound; add renderers to it.
  package func audioTrack(of stream: BroadcastAudioStream) -> RTCAudioTrack { sound(stream).track }

  /// Puts sound into the call. Its time travels with it.
  package func send(_ audio: BroadcastAudio) { sound(audio.stream).send(audio) }

  private func sound(_ stream: BroadcastAudioStream) -> CallSound {
    switch stream {
    case .app: appSound
    case .microphone: microphoneSound
    }
  }

  /// Puts a frame into the call. Rotation and time travel with it.
  package func send(_ frame: BroadcastFrame) throws(PixelBufferError) {
    try send(frame.pixelBuffer, orientation: frame.orientation, time: frame.time.nanoseconds)
  }

  /// Puts a picture into the call, taken at `time`, in monotonic nanoseconds.
  func send(
    _ pixelBuffer: CVPixelBuffer, orientation: CGImagePropertyOrientation, time: UInt64
  ) throws(PixelBufferError) {
    var picture = pixelBuffer
    if fit == .contain, case .fixed(let width, let height) = outputSize {
      picture = try letterbox.contain(picture, width: width, height: height)
    }
    capturer.delegate?.capturer(
      capturer,
      didCapture: RTCVideoFrame(
        buffer: RTCCVPixelBuffer(pixelBuffer: picture), rotation: RTCVideoRotation(orientation),
        timeStampNs: Int64(clamping: time)))
  }
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
