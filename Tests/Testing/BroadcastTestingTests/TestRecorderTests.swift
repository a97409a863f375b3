import BroadcastTesting
import EmulatedCapture
import ReplayKit
import TestSupport

/// An app in the style of public code: a capture, a recording, and the delegate.
@MainActor
private final class Recording: NSObject, RPScreenRecorderDelegate {
  private(set) var answers: [Int] = []
  private(set) var endings: [Int] = []
  private(set) var stops = 0
  private(set) var isAsked = false
  var recorder: RPScreenRecorder { .shared() }

  func capture() {
    isAsked = true
    recorder.delegate = self
    recorder.isMicrophoneEnabled = true
    recorder.isCameraEnabled = true
    recorder.startCapture { _, _, _ in
    } completionHandler: { [weak self] error in
      let code = (error as NSError?)?.code ?? 0
      MainActor.assumeIsolated { self?.answers.append(code) }
    }
  }

  func stop() {
    recorder.stopCapture { [weak self] _ in
      DispatchQueue.main.async { MainActor.assumeIsolated { self?.stops += 1 } }
    }
  }

  nonisolated func screenRecorder(
    _ screenRecorder: RPScreenRecorder, didStopRecordingWith previewViewController: RPPreviewViewController?,
    error: (any Error)?
  ) {
    let code = (error as NSError?)?.code ?? 0
    MainActor.assumeIsolated { endings.append(code) }
  }
}

@MainActor @Suite struct TestRecorderTests {
  private let app = Recording()

  private func capture(_ answer: CapturePermission = .granted) -> TestCapture {
    TestCapture(recorder: answer) { [app] in app.capture() }
  }

  @Test func aSecondOfAScreenIs60Frames() async throws {
    let capture = capture()
    try await capture.start()
    let before = capture.figures.framesDelivered
    try await capture.run(for: .seconds(1))
    #expect(capture.figures.framesDelivered - before == 60 && capture.figures.framesDropped == 0)
    #expect(capture.figures.audioDelivered > 50 && app.answers == [0])
  }

  @Test(arguments: [(CapturePermission.denied, -5801), (.disabled, -5802), (.call, -5811), (.fails, -5833)])
  func aRefusalReachesTheApp(answer: CapturePermission, code: Int) async throws {
    let capture = capture(answer)
    try await capture.start()
    try await capture.run(for: .seconds(1))
    #expect(app.answers == [code] && !capture.isCapturing && capture.figures.framesDelivered == 0)
  }

  @Test func anInterruptionReachesTheDelegateAndTheAppStartsAgainAfterAResize() async throws {
    let capture = capture()
    try await capture.start()
    try await capture.perform("content-resize")
    #expect(app.endings == [-5807] && !capture.isCapturing && capture.figures.endingCode == -5807)
    try await capture.start()
    #expect(capture.isCapturing && capture.figures.starts == 2 && capture.figures.endingCode == nil)
    try await capture.perform("interrupt")
    #expect(app.endings == [-5807, -5806])
    let error = await #expect(throws: TestCapture.Failure.self) { try await capture.perform("lock") }
    #expect(error?.description.contains("lock") == true)
  }

  @Test(arguments: [CapturePermission.granted, .stopUnanswered])
  func aStopMayNeverBeAnswered(answer: CapturePermission) async throws {
    let capture = TestCapture(recorder: answer) { [app] in
      if app.isAsked { app.stop() } else { app.capture() }
    }
    try await capture.start()
    let frames = capture.figures.framesDelivered
    await #expect(throws: TestCapture.Failure.self) { try await capture.start() }
    try await capture.run(for: .seconds(5))
    if answer == .granted {
      #expect(await eventually { app.stops == 1 })
    } else {
      await withCheckedContinuation { done in DispatchQueue.main.async { done.resume() } }
      #expect(app.stops == 0)
    }
    #expect(!capture.isCapturing && capture.figures.framesDelivered <= frames + 1)
  }

  @Test func anAppThatAsksForNothingFailsWithTheReason() async throws {
    let capture = TestCapture(recorder: .granted) {}
    let error = await #expect(throws: TestCapture.Failure.self) { try await capture.start() }
    #expect(error?.description.contains("did not ask RPScreenRecorder") == true)
  }

  @Test(.needs(.ffmpeg)) func aRecordingIsAMovie() async throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).mp4")
    let errors = Recorder<Int>()
    var phase = 0
    let capture = TestCapture(recorder: .granted) {
      phase += 1
      switch phase {
      case 1:
        RPScreenRecorder.shared().startRecording(withMicrophoneEnabled: true) {
          errors.add(($0 as NSError?)?.code ?? 0)
        }
      default:
        RPScreenRecorder.shared().stopRecording(withOutput: file) { errors.add(($0 as NSError?)?.code ?? 0) }
      }
    }
    try await capture.start()
    try await capture.run(for: .seconds(1))
    await #expect(throws: TestCapture.Failure.self) { try await capture.start() }
    #expect(await eventually { errors.values == [0, 0] })
    let bytes = try Data(contentsOf: file)
    for word in ["ftyp", "avc1"] { #expect(bytes.range(of: Data(word.utf8)) != nil, "\(word)") }
    // App audio and the microphone share one track.
    #expect(bytes.ranges(of: Data("mp4a".utf8)).count == 1)
    try FileManager.default.removeItem(at: file)
  }
}
