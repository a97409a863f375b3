import Foundation

/// A movie that the system writes of a capture: the frames as they come, the sound of apps, and the microphone. For one thread at
/// a time.
package final class CaptureMovie {
  package enum Kind: Sendable { case screen, app, microphone }

  /// Why the movie is not complete.
  package struct Failure: Error, CustomStringConvertible {
    /// Whether nothing was written.
    package let isAtStart: Bool
    package let description: String
  }

  package struct Settings: Sendable {
    package let url: URL
    package let codec: AVVideoCodecType
    package let fileType: AVFileType
    /// Whether app and microphone are one track.
    package let mixesAudio: Bool

    package init(url: URL, codec: AVVideoCodecType, fileType: AVFileType, mixesAudio: Bool) {
      (self.url, self.codec, self.fileType, self.mixesAudio) = (url, codec, fileType, mixesAudio)
    }
  }

  package let settings: Settings
  private let kinds: [Kind]
  private var writer: AVAssetWriter?
  private var inputs: [Kind: AVAssetWriterInput] = [:]

  package init(_ settings: Settings, of kinds: [Kind]) { (self.settings, self.kinds) = (settings, kinds) }

  package var hasStarted: Bool { writer != nil }

  /// Writes a sample, unless it comes before the first frame, or while the encoder is late.
  package func write(_ sample: CMSampleBuffer, _ kind: Kind) throws(Failure) {
    guard sample.isValid, CMSampleBufferDataIsReady(sample) else { return }
    if writer == nil {
      guard kind == .screen, let picture = sample.imageBuffer else { return }
      try start(
        CVPixelBufferGetWidth(picture), CVPixelBufferGetHeight(picture), at: sample.presentationTimeStamp)
    }
    guard let input = inputs[kind], input.isReadyForMoreMediaData else { return }
    input.append(sample)
  }

  private func start(_ width: Int, _ height: Int, at time: CMTime) throws(Failure) {
    do {
      let writer = try AVAssetWriter(outputURL: settings.url, fileType: settings.fileType)
      writer.mixesAudio = settings.mixesAudio
      for kind in kinds {
        let input = input(kind, width, height)
        input.expectsMediaDataInRealTime = true
        writer.add(input)
        inputs[kind] = input
      }
      guard writer.startWriting() else { throw writer.error ?? AVError(.unknown, "no reason") }
      writer.startSession(atSourceTime: time)
      self.writer = writer
    } catch {
      throw Failure(isAtStart: true, description: "\(error)")
    }
  }

  private func input(_ kind: Kind, _ width: Int, _ height: Int) -> AVAssetWriterInput {
    guard kind == .screen else {
      return AVAssetWriterInput(
        mediaType: .audio,
        outputSettings: [
          AVFormatIDKey: kAudioFormatMPEG4AAC, AVSampleRateKey: 48_000,
          AVNumberOfChannelsKey: kind == .app ? 2 : 1,
        ])
    }
    return AVAssetWriterInput(
      mediaType: .video,
      outputSettings: [
        AVVideoCodecKey: settings.codec, AVVideoWidthKey: width & ~1, AVVideoHeightKey: height & ~1,
      ])
  }

  /// Completes the file. `completion` is called on any thread.
  package func finish(_ completion: @escaping @Sendable (Failure?) -> Void) {
    guard let writer else { return completion(Failure(isAtStart: true, description: "No frame came.")) }
    for kind in kinds { inputs[kind]?.markAsFinished() }
    writer.finishWriting {
      guard writer.status != .completed else { return completion(nil) }
      completion(Failure(isAtStart: false, description: writer.error.map { "\($0)" } ?? "no reason"))
    }
  }
}
