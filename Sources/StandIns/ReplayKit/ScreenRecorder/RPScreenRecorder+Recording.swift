import Dispatch
import Foundation

// A recording is a capture whose samples the system writes to a movie.
extension RPScreenRecorder {
  /// The answer comes as that of ``startCapture(handler:completionHandler:)``.
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

  /// The movie stays for a preview until ``discardRecording(handler:)`` or the next recording.
  public func stopRecording(handler: ((RPPreviewViewController?, (any Error)?) -> Void)? = nil) {
    let handler = Boxed(value: handler)
    stopCapture { [self] error in
      let error = Boxed(value: error)
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

  /// Writes the movie by ffmpeg, as `AVAssetWriter` does. The completion handler is called on a queue of the system.
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
    movie = nil
    let handler = Boxed(value: handler)
    reply { handler.value() }
  }
}

/// The movie of a recording, in a file of its own until it is wanted.
final class RecorderMovie: @unchecked Sendable {
  // Why unchecked: `queue` guards the movie.
  private let queue = DispatchQueue(label: "com.replaykit.recording")
  private let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).mp4")
  private var movie: CaptureMovie?
  private var failure: String?

  deinit {
    // One that was moved, or never begun, is not there.
    do { try FileManager.default.removeItem(at: file) } catch {}
  }

  func write(_ sample: CMSampleBuffer, _ type: RPSampleBufferType, withMicrophone: Bool) {
    queue.sync {
      guard failure == nil else { return }
      let movie =
        movie
        ?? CaptureMovie(
          .init(url: file, codec: .h264, fileType: .mp4, mixesAudio: true),
          of: withMicrophone ? [.screen, .app, .microphone] : [.screen, .app])
      self.movie = movie
      do throws(CaptureMovie.Failure) {
        try movie.write(sample, type == .video ? .screen : type == .audioApp ? .app : .microphone)
      } catch { failure = error.description }
    }
  }

  /// Completes the movie and moves it; `completion` gets the reason of a failure.
  func finish(at url: URL, _ completion: @escaping @Sendable (String?) -> Void) {
    queue.async { [self] in
      guard failure == nil, let movie else { return completion(failure ?? "No frame came.") }
      movie.finish { [file] failure in
        if let failure { return completion(failure.description) }
        do {
          try FileManager.default.moveItem(at: file, to: url)
          completion(nil)
        } catch { completion("\(error)") }
      }
    }
  }
}
