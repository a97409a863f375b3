import PixelAccess
import ReplayKit
import ScreenBroadcast
import TestSupport
import WebRTC

@testable import CapturingApp
@testable import ContainingApp

@MainActor @Suite struct RecorderProviderTests {
  /// A capture system that allows or rejects captures, and delivers the frames of a test.
  @MainActor final class FakeScreen: ScreenCaptureSystem {
    let recorder = RPScreenRecorder(for: ())
    var refusal: NSError?

    init() { recorder.attach(self) }

    nonisolated func run(on queue: DispatchQueue, _ body: @escaping @Sendable () -> Void) {
      queue.async(execute: body)
    }

    func startCapture(
      for recorder: RPScreenRecorder, isMicrophoneEnabled: Bool,
      completion: @escaping @MainActor ((any Error)?, Bool) -> Void
    ) { completion(refusal, isMicrophoneEnabled) }

    func stopCapture(completion: @escaping @MainActor ((any Error)?) -> Void) { completion(nil) }

    /// Delivers frame `number` of the proof pattern, from a screen at 60 fps.
    func show(_ number: UInt64, orientation: CGImagePropertyOrientation = .left) throws {
      recorder.deliver(
        try makeSample(
          makeProof(number), orientation: orientation,
          time: CMTime(value: Int64(number) * 1_000 / 60, timescale: 1_000)), .video)
    }
  }

  let screen = FakeScreen()
  let call = VideoCall(outputSize: .native, fit: .crop, framesPerSecond: VideoCall.captureFramesPerSecond)
  let renderer = RecordingRenderer()

  private func started(verifies: Bool = false) async -> RecorderProvider {
    call.track.add(renderer)
    let provider = RecorderProvider(
      recorder: screen.recorder, call: call, verifies: verifies, clock: TestClock(at: 2_000_000_000))
    provider.start()
    #expect(await eventually { provider.state.capture != nil })
    return provider
  }

  @Test func of60FramesASecond24AfterTheFirstEnterTheCallAndAreVerified() async throws {
    let provider = await started(verifies: true)
    for number in 1...60 { try screen.show(UInt64(number)) }
    let state = provider.state
    #expect(state.phase == .live && state.capture == CaptureChange(.started))
    #expect(state.frames.framesDelivered == 25 && renderer.frames.count == 25)
    #expect(state.frames.framesSkipped == 35)
    #expect(state.framesVerified == 25 && state.framesTorn == 0 && state.framesShownAgain == 0)
    #expect(state.format?.orientation == .left && renderer.frames.first?.rotation == ._90)
    let summary = AppSummary(state)
    #expect(abs(summary.framesPerSecond - 25) < 0.1 && abs(summary.pollsPerSecond - 60) < 0.1)
    #expect(provider.failure(wasInterrupted: false) == nil)
  }

  @Test func outputsKeepFramesWhoseMemoryTheRecorderReuses() async throws {
    let view = RecordingView()
    let output = RecordingOutput()
    let provider = RecorderProvider(recorder: screen.recorder, call: call, copiesFrames: true)
    let coordinator = WatchCoordinator(
      provider, in: call, view: view, outputs: [output], goals: WatchGoals(frames: 2), showsLive: false)
    var endings: [ProgramFailure?] = []
    coordinator.start { endings.append($0) }
    #expect(await eventually { provider.state.capture != nil })
    let picture = try makeFilledPicture(32, 16, luma: 10)
    screen.recorder.deliver(try makeSample(picture, time: CMTime(value: 100, timescale: 1_000)), .video)
    picture.writePlane(0) { bytes, _ in bytes.fill(0..<bytes.count, with: 20) }
    screen.recorder.deliver(try makeSample(picture, time: CMTime(value: 200, timescale: 1_000)), .video)
    let shown = try output.frames.map { try rows(#require($0.pixelBuffer), plane: 0) }
    #expect(shown.map { $0[15][31] } == [10, 20] && shown[0].count == 16)
    #expect(endings == [nil] && output.finishes == 1)
    #expect(await eventually { !screen.recorder.isRecording })
    #expect(view.statuses.isEmpty && view.summaries.map(\.framesDelivered) == [2])
  }

  @Test func aFrameWithoutTheProofPatternIsCounted() async throws {
    let provider = await started(verifies: true)
    screen.recorder.deliver(
      try makeSample(makeFilledPicture(64, 48), time: CMTime(value: 1, timescale: 1_000)), .video)
    #expect(provider.state.framesWithoutProof == 1 && provider.state.framesTorn == 0)
    #expect(provider.state.firstTear != nil)
  }

  @Test func audioIsNoFrame() async throws {
    let provider = await started()
    screen.recorder.deliver(
      try makeSample(makeFilledPicture(64, 48), time: CMTime(value: 1, timescale: 1_000)), .audioApp)
    #expect(provider.state.phase == .waiting && provider.state.frames.polls == 0)
  }

  @Test(arguments: [
    (RPRecordingErrorCode.userDeclined, ExitCode.notPermitted), (.disabled, .notPermitted),
    (.activePhoneCall, .notPermitted), (.failedToStart, .endedByHandler),
  ])
  func aRefusalEndsTheCaptureWithItsReason(_ code: RPRecordingErrorCode, _ exitCode: ExitCode) async throws {
    screen.refusal = RPScreenRecorder.error(code, "It is so.")
    let provider = await started()
    #expect(provider.state.phase == .ended(nil))
    #expect(
      provider.state.capture?.error
        == CaptureChange.Failure(domain: RPRecordingErrorDomain, code: code.rawValue, text: "It is so."))
    let failure = try #require(provider.failure(wasInterrupted: false))
    #expect(failure.exitCode == exitCode)
    #expect(failure.message == "The capture was refused (\(code), code \(code.rawValue)): It is so.")
  }

  @Test func aSecondStartIsRefusedAndTheFirstContinues() async throws {
    let provider = await started()
    try screen.show(1)
    provider.start()
    #expect(await eventually { provider.state.capture?.kind == .refused })
    #expect(provider.state.capture?.error?.code == -5830)
    #expect(provider.state.phase == .live && provider.failure(wasInterrupted: false) == nil)
    let before = provider.state.frames.polls
    try screen.show(2)
    #expect(provider.state.frames.polls == before + 1)
  }

  @Test func timeInTheBackgroundDoesNotCountForRates() async throws {
    let provider = await started()
    for number in 1...30 { try screen.show(UInt64(number)) }
    provider.enterBackground()
    #expect(provider.state.phase == .paused && provider.state.capture == CaptureChange(.background))
    provider.enterForeground()
    for number in 631...660 { try screen.show(UInt64(number)) }
    #expect(provider.state.phase == .live && provider.state.capture == CaptureChange(.foreground))
    #expect(abs(provider.state.timePolled / .seconds(1) - 1) < 0.01)
  }

  @Test func aSampleThatArrivesAfterTheAppLeftTheScreenDoesNotEndThePause() async throws {
    let provider = await started()
    try screen.show(1)
    provider.enterBackground()
    try screen.show(2)
    #expect(provider.state.phase == .paused)
    provider.enterForeground()
    try screen.show(3)
    #expect(provider.state.phase == .live)
  }

  @Test func withoutACaptureTheBackgroundIsIgnored() async {
    screen.refusal = RPScreenRecorder.error(.userDeclined, "No.")
    let provider = await started()
    provider.enterBackground()
    provider.enterForeground()
    #expect(provider.state.capture?.kind == .refused)
  }

  @Test(arguments: [true, false]) func anInterruptionEndsTheCaptureWithItsReason(hasSample: Bool) async throws
  {
    let provider = await started()
    if hasSample { try screen.show(1) }
    screen.recorder.interrupt(RPScreenRecorder.error(.interrupted, "Taken."))
    #expect((provider.state.phase, provider.state.capture?.kind) == (.ended("Taken"), .interrupted))
    #expect(
      provider.failure(wasInterrupted: false)
        == ProgramFailure(.endedByHandler, "The capture ended (interrupted, code -5806): Taken."))
  }

  @Test func aSampleThatArrivesAfterTheEndChangesNothing() async throws {
    let provider = await started()
    try screen.show(1)
    screen.recorder.interrupt(RPScreenRecorder.error(.interrupted, "Taken."))
    let before = provider.state.frames.polls
    provider.receive(try makeFilledPicture(32, 16), at: 2, orientation: .up)
    #expect(provider.state.phase == .ended("Taken") && provider.state.frames.polls == before)
    // A new capture delivers samples again.
    provider.start()
    #expect(await eventually { provider.state.capture?.kind == .started })
    try screen.show(3)
    #expect(provider.state.phase == .live && provider.failure(wasInterrupted: false) == nil)
  }

  @Test func aStopReleasesTheRecorder() async throws {
    let provider = await started()
    provider.stop()
    #expect(await eventually { !screen.recorder.isRecording })
    try screen.show(1)
    #expect((provider.state.frames.polls, provider.failure(wasInterrupted: true)) == (0, nil))
    #expect(provider.failure(wasInterrupted: false)?.exitCode == .nothingCame)
  }
}
