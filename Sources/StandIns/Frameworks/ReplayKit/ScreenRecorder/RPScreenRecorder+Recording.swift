import Dispatch
import Foundation
import Platform

// A recording is a capture whose samples the system writes to a movie.
extension RPScreenRecorder {
  /// Calls `handler` as ``startCapture(handler:completionHandler:)`` calls its completion handler.
  public func startRecording(handler: (@Sendable ((any Error)?) -> Void)? = nil) {
    let movie = RecorderMovie()
    startCapture { [weak self] sample, type, _ in
      movie.write(sample, type, withMicrophone: self?.isMicrophoneEnabled == true)
    } completionHandler: { [self] error in
      if error == nil { self.movie = movie }
      handler?(error)
    }
  }

  public nonisolated(nonsending) func startRecording() async throws {
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
      startRecording { error in continuation.resume(with: Self.result(error)) }
    }
  }

  public func startRecording(
    withMicrophoneEnabled microphoneEnabled: Bool, handler: (@Sendable ((any Error)?) -> Void)? = nil
  ) {
    isMicrophoneEnabled = microphoneEnabled
    startRecording(handler: handler)
  }

  public func stopRecording(handler: ((RPPreviewViewController?, (any Error)?) -> Void)? = nil) {
    let handler = UncheckedBox(handler)
    stopCapture { [self] error in
      let error = UncheckedBox(error)
      if error.value == nil { movie = nil }
      onMain { [self] in
        let preview = error.value == nil ? RPPreviewViewController() : nil
        reply { handler.value?(preview, error.value) }
      }
    }
  }

  public nonisolated(nonsending) func stopRecording() async throws -> RPPreviewViewController {
    try await withCheckedThrowingContinuation { continuation in
      stopRecording { preview, error in
        continuation.resume(
          with: preview.map { .success($0) } ?? .failure(error ?? Self.error(.unknown, "No preview.")))
      }
    }
  }

  /// Writes the movie with ffmpeg, as `AVAssetWriter` does. The completion handler is called on a queue of the system.
  public func stopRecording(
    withOutput url: URL, completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
  ) {
    stopCapture { [self] error in
      guard error == nil, let movie else {
        completionHandler?(error ?? Self.error(.attemptToStopNonRecording, "No recording is running."))
        return
      }
      self.movie = nil
      movie.finish(at: url) { [self] reason in
        reply { completionHandler?(reason.map { Self.error(.failedToSave, $0) }) }
      }
    }
  }

  public nonisolated(nonsending) func stopRecording(withOutput url: URL) async throws {
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
      stopRecording(withOutput: url) { error in continuation.resume(with: Self.result(error)) }
    }
  }

  public func discardRecording(handler: @escaping () -> Void) {
    let handler = UncheckedBox(handler)
    reply { handler.value() }
  }
}

/// The movie of a recording, in a temporary file until the app requests it. It has the frames as delivered, and the
/// audio of apps and the microphone in one track.
final class RecorderMovie: @unchecked Sendable {
  // Why unchecked: `queue` guards the state.
  private let queue = DispatchQueue(label: "com.replaykit.recording")
  private let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).mp4")
  private var writer: AVAssetWriter?
  private var inputs: [RPSampleBufferType: AVAssetWriterInput] = [:]
  private var failure: String?

  deinit {
    // The file does not exist if it was moved, or if no frame came.
    do { try FileManager.default.removeItem(at: file) } catch {}
  }

  /// Writes a sample. Drops samples before the first frame, and samples for which the encoder is not ready.
  func write(_ sample: CMSampleBuffer, _ type: RPSampleBufferType, withMicrophone: Bool) {
    queue.sync {
      guard failure == nil, sample.isValid, CMSampleBufferDataIsReady(sample) else { return }
      if writer == nil {
        guard let picture = sample.imageBuffer else { return }
        do { try start(with: picture, at: sample.presentationTimeStamp, withMicrophone) } catch {
          return failure = "\(error)"
        }
      }
      if let input = inputs[type], input.isReadyForMoreMediaData { input.append(sample) }
    }
  }

  private func start(with picture: CVPixelBuffer, at time: CMTime, _ withMicrophone: Bool) throws {
    let writer = try AVAssetWriter(outputURL: file, fileType: .mp4)
    writer.mixesAudio = true
    func add(_ type: RPSampleBufferType, _ mediaType: AVMediaType, _ settings: [String: Any]) {
      let input = AVAssetWriterInput(mediaType: mediaType, outputSettings: settings)
      writer.add(input)
      inputs[type] = input
    }
    func sound(channels: Int) -> [String: Any] {
      [AVFormatIDKey: kAudioFormatMPEG4AAC, AVSampleRateKey: 48_000, AVNumberOfChannelsKey: channels]
    }
    add(
      .video, .video,
      [
        AVVideoCodecKey: AVVideoCodecType.h264, AVVideoWidthKey: CVPixelBufferGetWidth(picture) & ~1,
        AVVideoHeightKey: CVPixelBufferGetHeight(picture) & ~1,
      ])
    add(.audioApp, .audio, sound(channels: 2))
    if withMicrophone { add(.audioMic, .audio, sound(channels: 1)) }
    guard writer.startWriting() else { throw writer.error ?? CocoaError(.fileWriteUnknown) }
    writer.startSession(atSourceTime: time)
    self.writer = writer
  }

  /// Completes the movie and moves it to `url`. If this fails, `completion` receives the reason.
  func finish(at url: URL, _ completion: @escaping @Sendable (String?) -> Void) {
    queue.async { [self] in
      guard failure == nil, let writer else { return completion(failure ?? "No frame came.") }
      for input in inputs.values { input.markAsFinished() }
      writer.finishWriting { [file] in
        guard writer.status == .completed else {
          return completion(writer.error.map { "\($0)" } ?? "The movie is not complete.")
        }
        do {
          try FileManager.default.moveItem(at: file, to: url)
          completion(nil)
        } catch { completion("\(error)") }
      }
    }
  }
}
