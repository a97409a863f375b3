/// Writes a stream into a movie file, by ffmpeg as `AVAssetWriter` does. Models the class of SCRecordingOutput.h as iOS 27 has it.
/// Usable from any thread.
///
/// Frames are written as they come, without a turn: apps saw that on a phone. The sound of apps and the microphone are mixed, or a
/// track each. The file is empty until the recording has finished.
public class SCRecordingOutput: NSObject, @unchecked Sendable {
  // Why unchecked: `queue` guards the writer, and a lock the figures. The delegate is called on `queue` alone.

  private struct Track {
    let input: AVAssetWriterInput
    let type: SCStreamOutputType
  }

  private let configuration: SCRecordingOutputConfiguration.Values
  private weak var delegate: (any SCRecordingOutputDelegate)?
  private let queue = DispatchQueue(label: "com.apple.ScreenCaptureKit.recording")
  private var writer: AVAssetWriter?
  private var wanted: [SCStreamOutputType] = []
  private var tracks: [Track] = []
  private var hasEnded = false
  private let lock = NSLock()
  private var span = (start: CMTime.invalid, end: CMTime.invalid)

  /// Changes of the configuration come too late afterwards.
  /// - Parameter delegate: not retained.
  public init(configuration: SCRecordingOutputConfiguration, delegate: any SCRecordingOutputDelegate) {
    (self.configuration, self.delegate) = (configuration.values, delegate)
    super.init()
  }

  public var recordedDuration: CMTime {
    let span = lock.withLock { self.span }
    return span.start.isValid ? CMTimeSubtract(span.end, span.start) : .zero
  }

  public var recordedFileSize: Int {
    // A recording has no file before it starts, and a property cannot report another error.
    let attributes = try? FileManager.default.attributesOfItem(atPath: configuration.url.path)
    return attributes?[.size] as? Int ?? 0
  }

  /// What receives the samples of a kind.
  func output(_ type: SCStreamOutputType) -> ContentStream.Output {
    ContentStream.Output(type, on: queue, of: self) { [weak self] in self?.write($0, type) }
  }

  func begin(of stream: ContentStream) {
    queue.async { [self] in
      var kinds: [SCStreamOutputType] = [.screen]
      if stream.format.audio != nil { kinds.append(.audio) }
      if stream.isMicrophoneEnabled { kinds.append(.microphone) }
      (wanted, tracks, writer, hasEnded) = (kinds, [], nil, false)
      lock.withLock { span = (.invalid, .invalid) }
    }
  }

  private func write(_ sample: CMSampleBuffer, _ type: SCStreamOutputType) {
    guard !hasEnded, sample.isValid, CMSampleBufferDataIsReady(sample) else { return }
    let time = sample.presentationTimeStamp
    if writer == nil {
      guard type == .screen, let picture = sample.imageBuffer else { return }
      start(CVPixelBufferGetWidth(picture), CVPixelBufferGetHeight(picture), at: time)
    }
    guard !hasEnded, let input = tracks.first(where: { $0.type == type })?.input,
      input.isReadyForMoreMediaData
    else { return }
    input.append(sample)
    if type == .screen { lock.withLock { span = (span.start.isValid ? span.start : time, time) } }
  }

  private func start(_ width: Int, _ height: Int, at time: CMTime) {
    do {
      let writer = try AVAssetWriter(outputURL: configuration.url, fileType: configuration.fileType)
      writer.mixesAudio = configuration.mixesAudio
      tracks = wanted.map { Track(input: input($0, width, height), type: $0) }
      for track in tracks {
        track.input.expectsMediaDataInRealTime = true
        writer.add(track.input)
      }
      guard writer.startWriting() else {
        return fail(SCStreamError(.failedToStart, "\(writer.error.map { "\($0)" } ?? "no reason")"))
      }
      writer.startSession(atSourceTime: time)
      self.writer = writer
      delegate?.recordingOutputDidStartRecording(self)
    } catch {
      fail(SCStreamError(.failedToStart, "\(error)"))
    }
  }

  private func input(_ type: SCStreamOutputType, _ width: Int, _ height: Int) -> AVAssetWriterInput {
    guard type == .screen else {
      return AVAssetWriterInput(
        mediaType: .audio,
        outputSettings: [
          AVFormatIDKey: kAudioFormatMPEG4AAC, AVSampleRateKey: 48_000,
          AVNumberOfChannelsKey: type == .audio ? 2 : 1,
        ])
    }
    return AVAssetWriterInput(
      mediaType: .video,
      outputSettings: [
        AVVideoCodecKey: configuration.codec, AVVideoWidthKey: width & ~1, AVVideoHeightKey: height & ~1,
      ])
  }

  private func fail(_ error: SCStreamError) {
    hasEnded = true
    delegate?.recordingOutput(self, didFailWithError: error)
  }

  func finish() {
    queue.async { [self] in
      guard !hasEnded else { return }
      hasEnded = true
      guard let writer else {
        delegate?.recordingOutput(self, didFailWithError: SCStreamError(.failedToStart, "No frame came."))
        return
      }
      for track in tracks { track.input.markAsFinished() }
      writer.finishWriting { [self] in
        queue.async { [self] in
          guard writer.status == .completed else {
            let error = SCStreamError(.internalError, "\(writer.error.map { "\($0)" } ?? "no reason")")
            delegate?.recordingOutput(self, didFailWithError: error)
            return
          }
          delegate?.recordingOutputDidFinishRecording(self)
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

  struct Values: Sendable {
    let url: URL
    let codec: AVVideoCodecType
    let fileType: AVFileType
    let mixesAudio: Bool
  }

  var values: Values {
    Values(
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
