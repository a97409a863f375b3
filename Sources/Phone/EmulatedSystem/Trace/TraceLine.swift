import CommandLineSupport
import CoreMedia
import CoreVideo
import EmulatedDevice
import Foundation
import PixelAccess
import Platform
import ReplayKitCore

/// A line of a trace: a call of the handler, without the content of its sample.
package struct TraceLine: Equatable, Sendable {
  /// The time when the call began, in nanoseconds of the host clock.
  package var arrival: Int64
  package var call: Call

  package enum Call: Equatable, Sendable {
    case broadcastStarted, broadcastPaused, broadcastResumed, broadcastFinished
    /// The screen shows the app with this bundle identifier.
    case broadcastAnnotated(String)
    /// The handler has ended the broadcast with an error.
    case finishBroadcastWithError(HandlerError)
    case finishBroadcastGracefully
    /// A video frame. `presentation` is the sample's time in nanoseconds; the same applies to `audio`.
    case video(VideoShape, presentation: Int64)
    case audio(RPSampleBufferType, AudioShape, presentation: Int64)

    var isEnd: Bool {
      switch self {
      case .broadcastFinished, .finishBroadcastWithError, .finishBroadcastGracefully: true
      default: false
      }
    }
  }

  package struct HandlerError: Equatable, Sendable {
    var domain: String
    var code: Int
    var description: String
  }

  package struct VideoShape: Equatable, Sendable {
    package var size: PixelSize
    /// 420f or 420v.
    var format: OSType
    /// The bytes from one luma row to the next.
    var lumaBytesPerRow: Int
    var chromaBytesPerRow: Int
    /// `nil` if the sample has no orientation attachment.
    package var orientation: CGImagePropertyOrientation?
  }

  package struct AudioShape: Equatable, Sendable {
    var format: AudioFormat
    var frames: Int
  }
}

extension TraceLine.Call {
  /// Creates the handler's call that ends the broadcast with an error; without an error if it is `nil`.
  init(ending error: NSError?) {
    self =
      error.map {
        .finishBroadcastWithError(
          TraceLine.HandlerError(domain: $0.domain, code: $0.code, description: $0.textOnDevice))
      } ?? .finishBroadcastGracefully
  }

  /// Creates the call with a sample; `nil` if the sample is neither a frame nor linear PCM.
  init?(_ sample: CMSampleBuffer, _ type: RPSampleBufferType) {
    let time = CMTimeConvertScale(
      CMSampleBufferGetPresentationTimeStamp(sample), timescale: 1_000_000_000, method: .default)
    if let pixels = CMSampleBufferGetImageBuffer(sample) {
      let orientation = CMGetAttachment(
        sample, key: RPVideoSampleOrientationKey as CFString, attachmentModeOut: nil)
      self = .video(
        TraceLine.VideoShape(
          size: PixelSize(width: CVPixelBufferGetWidth(pixels), height: CVPixelBufferGetHeight(pixels)),
          format: CVPixelBufferGetPixelFormatType(pixels),
          lumaBytesPerRow: CVPixelBufferGetBytesPerRowOfPlane(pixels, 0),
          chromaBytesPerRow: CVPixelBufferGetBytesPerRowOfPlane(pixels, 1),
          orientation: orientation.flatMap { CGImagePropertyOrientation(rawValue: $0.uint32Value) }),
        presentation: time.value)
    } else if let stream = sample.formatDescription?.audioStreamBasicDescription {
      let format = AudioFormat(
        sampleRate: Int(stream.mSampleRate), channelCount: Int(stream.mChannelsPerFrame),
        bitsPerChannel: Int(stream.mBitsPerChannel), flags: stream.mFormatFlags)
      self = .audio(
        type, TraceLine.AudioShape(format: format, frames: CMSampleBufferGetNumSamples(sample)),
        presentation: time.value)
    } else {
      return nil
    }
  }
}
