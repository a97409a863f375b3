/// Writes a stream into a movie file, by ffmpeg as `AVAssetWriter` does. Models the class of SCRecordingOutput.h as iOS 27 has it.
/// Usable from any thread.
///
/// Frames are written as they come, without a turn: apps saw that on a phone. The sound of apps and the microphone are mixed, or a
/// track each. The file is empty until the recording has finished.
public class SCRecordingOutput: NSObject, @unchecked Sendable {
  // Why unchecked: `queue` guards the movie, and a lock the figures. The delegate is called on `queue` alone.

  private let settings: CaptureMovie.Settings
  private weak var delegate: (any SCRecordingOutputDelegate)?
  private let queue = DispatchQueue(label: "com.apple.ScreenCaptureKit.recording")
  private var movie: CaptureMovie?
  private var hasEnded = false
  private let lock = NSLock()
  private var span = (start: CMTime.invalid, end: CMTime.invalid)

  /// Changes of the configuration come too late afterwards.
  /// - Parameter delegate: not retained.
  public init(configuration: SCRecordingOutputConfiguration, delegate: any SCRecordingOutputDelegate) {
    (settings, self.delegate) = (configuration.settings, delegate)
    super.init()
  }

  public var recordedDuration: CMTime {
    let span = lock.withLock { self.span }
    return span.start.isValid ? CMTimeSubtract(span.end, span.start) : .zero
  }

  public var recordedFileSize: Int {
    // A recording has no file before it starts, and a property cannot report another error.
    let attributes = try? FileManager.default.attributesOfItem(atPath: settings.url.path)
    return attributes?[.size] as? Int ?? 0
  }

  /// What receives the samples of a kind.
  func output(_ type: SCStreamOutputType) -> ContentStream.Output {
    ContentStream.Output(type, on: queue, of: self) { [weak self] in self?.write($0, type) }
  }

  func begin(of stream: ContentStream) {
    queue.async { [self] in
      var kinds: [CaptureMovie.Kind] = [.screen]
      if stream.format.audio != nil { kinds.append(.app) }
      if stream.isMicrophoneEnabled { kinds.append(.microphone) }
      (movie, hasEnded) = (CaptureMovie(settings, of: kinds), false)
      lock.withLock { span = (.invalid, .invalid) }
    }
  }

  private func write(_ sample: CMSampleBuffer, _ type: SCStreamOutputType) {
    guard !hasEnded, let movie else { return }
    let hadStarted = movie.hasStarted
    do throws(CaptureMovie.Failure) {
      try movie.write(sample, type == .screen ? .screen : type == .audio ? .app : .microphone)
      if !hadStarted, movie.hasStarted { delegate?.recordingOutputDidStartRecording(self) }
      guard type == .screen, movie.hasStarted, sample.isValid, sample.imageBuffer != nil else { return }
      let time = sample.presentationTimeStamp
      lock.withLock { span = (span.start.isValid ? span.start : time, time) }
    } catch {
      fail(SCStreamError(.failedToStart, error.description))
    }
  }

  private func fail(_ error: SCStreamError) {
    hasEnded = true
    delegate?.recordingOutput(self, didFailWithError: error)
  }

  func finish() {
    queue.async { [self] in
      guard !hasEnded else { return }
      hasEnded = true
      movie?.finish { [self] failure in
        queue.async { [self] in
          guard let failure else { delegate?.recordingOutputDidFinishRecording(self); return }
          let code = failure.isAtStart ? SCStreamError.Code.failedToStart : .internalError
          delegate?.recordingOutput(self, didFailWithError: SCStreamError(code, failure.description))
        }
      }
    }
  }
}

public class SCRecordingOutputConfiguration: NSObject {
  /// The file, which must not exist. Default: a name in the temporary folder; that of a phone is not known.
  public var outputURL = FileManager.default.temporaryDirectory.appendingPathComponent(
    "\(UUID().uuidString).mp4")
  public var videoCodecType = AVVideoCodecType.h264
  public var outputFileType = AVFileType.mp4
  public var availableVideoCodecTypes: [AVVideoCodecType] { [.h264, .hevc] }
  public var availableOutputFileTypes: [AVFileType] { [.mov, .mp4] }
  public var mixesAudioWithMicrophone = true

  public override init() { super.init() }

  var settings: CaptureMovie.Settings {
    CaptureMovie.Settings(
      url: outputURL, codec: videoCodecType, fileType: outputFileType, mixesAudio: mixesAudioWithMicrophone)
  }
}

public protocol SCRecordingOutputDelegate: NSObjectProtocol {
  func recordingOutputDidStartRecording(_ recordingOutput: SCRecordingOutput)
  func recordingOutput(_ recordingOutput: SCRecordingOutput, didFailWithError error: any Error)
  func recordingOutputDidFinishRecording(_ recordingOutput: SCRecordingOutput)
}

// In Objective-C these methods are optional.
extension SCRecordingOutputDelegate {
  public func recordingOutputDidStartRecording(_ recordingOutput: SCRecordingOutput) {}
  public func recordingOutput(_ recordingOutput: SCRecordingOutput, didFailWithError error: any Error) {}
  public func recordingOutputDidFinishRecording(_ recordingOutput: SCRecordingOutput) {}
}
