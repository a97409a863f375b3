import EmulatedSystem
import ReplayKit
import TestSupport
import Testing

@MainActor @Suite struct InAppCaptureTests {
  @MainActor final class Journal {
    var samples: [String] = []
    var answers: [Int?] = []
    var endings: [ScreenContentError?] = []
  }

  /// A capture with a clock and a timer of the test's own, and the app in front of it.
  @MainActor final class Rig {
    let timer = ManualTimer()
    let content: ScriptedContent
    let recorder = RPScreenRecorder(for: ())
    let capture: InAppCapture
    private let journal = Journal()

    init(_ permission: CapturePermission = .granted, content: ScriptedContent = ScriptedContent()) throws {
      self.content = content
      capture = InAppCapture(
        screen: try EmulatedScreen(content: content, pixelFormat: fullRange, orientation: .left),
        framesPerSecond: 50, permission: permission, timer: timer, now: { 20_000_000 },
        onEndOfContent: { [journal] in journal.endings.append($0) })
      capture.install(behind: recorder)
    }

    var samples: [String] { journal.samples }
    var endings: [ScreenContentError?] { journal.endings }

    /// Starts, and waits for the answer.
    func start() async -> Int? {
      recorder.startCapture { [journal] sample, type, error in
        let time = CMTimeGetSeconds(CMSampleBufferGetPresentationTimeStamp(sample))
        let orientation = CMGetAttachment(
          sample, key: RPVideoSampleOrientationKey as CFString, attachmentModeOut: nil)
        let code = (error as NSError?)?.code ?? 0
        MainActor.assumeIsolated {
          journal.samples.append("\(type) \(time) \(orientation?.intValue ?? 0) \(code)")
        }
      } completionHandler: { [journal] error in
        MainActor.assumeIsolated { journal.answers.append((error as NSError?)?.code) }
      }
      #expect(await eventually { !self.journal.answers.isEmpty })
      return journal.answers.removeLast()
    }
  }

  private static let sample = "video 0.02 8 0"

  @Test func theScreenIsDeliveredAtItsRate() async throws {
    let rig = try Rig()
    #expect(rig.recorder.isAvailable)
    #expect(await rig.start() == nil)
    #expect(rig.timer.interval == .milliseconds(20))
    rig.timer.tick()
    rig.timer.tick()
    #expect(rig.samples == [Self.sample, Self.sample, Self.sample])
    #expect(rig.content.numbers == [1, 2, 3])
    try await rig.recorder.stopCapture()
    #expect(!rig.timer.isRunning)
  }

  @Test func theHandlerHasTheSampleWhileItRunsAndNoLonger() async throws {
    let misuses = Recorder<HandlerMisuse>()
    let recorder = RPScreenRecorder(for: ())
    let timer = ManualTimer()
    let capture = InAppCapture(
      screen: try EmulatedScreen(content: ScriptedContent(), pixelFormat: fullRange) { misuses.add($0) },
      framesPerSecond: 50, timer: timer)
    capture.install(behind: recorder)
    var kept: CVPixelBuffer?
    recorder.startCapture(
      handler: { sample, _, _ in
        guard kept == nil, let pixels = CMSampleBufferGetImageBuffer(sample) else { return }
        CVPixelBufferLockBaseAddress(pixels, .readOnly)
        CVPixelBufferUnlockBaseAddress(pixels, .readOnly)
        kept = pixels
      }, completionHandler: nil)
    #expect(await eventually { recorder.isRecording })
    #expect(misuses.values.isEmpty)
    let buffer = try #require(kept)
    CVPixelBufferLockBaseAddress(buffer, .readOnly)
    CVPixelBufferUnlockBaseAddress(buffer, .readOnly)
    #expect(misuses.values == [.afterReturn])
    for _ in 0..<7 { timer.tick() }
    #expect(misuses.values == [.afterReturn, .kept])
  }

  @Test func aScreenThatStandsStillGivesNothing() async throws {
    let content = ScriptedContent()
    content.script = [.success(.unchanged), .success(.unchanged), .success(.drawn)]
    let rig = try Rig(content: content)
    #expect(await rig.start() == nil)
    rig.timer.tick()
    #expect(rig.samples.isEmpty)
    rig.timer.tick()
    #expect(rig.content.numbers == [1, 1, 1] && rig.samples.count == 1)
  }

  @Test(arguments: [
    (CapturePermission.denied, RPRecordingErrorCode.userDeclined, true), (.disabled, .disabled, false),
    (.call, .activePhoneCall, true),
  ])
  func withoutPermissionNothingStarts(
    _ permission: CapturePermission, _ code: RPRecordingErrorCode, _ isAvailable: Bool
  ) async throws {
    let rig = try Rig(permission)
    #expect(rig.recorder.isAvailable == isAvailable)
    #expect(await rig.start() == code.rawValue)
    #expect(!rig.timer.isRunning && !rig.recorder.isRecording && rig.samples.isEmpty)
  }

  @Test func inTheBackgroundNothingComesAndTheCaptureGoesOnAfterwards() async throws {
    let rig = try Rig()
    #expect(await rig.start() == nil)
    rig.capture.enterBackground()
    rig.timer.tick()
    rig.timer.tick()
    #expect(rig.samples.count == 1 && rig.recorder.isRecording)
    rig.capture.enterForeground()
    rig.timer.tick()
    #expect(rig.samples == [Self.sample, Self.sample])
  }

  @Test func anotherAppThatTakesTheRecorderEndsTheCapture() async throws {
    let rig = try Rig()
    #expect(await rig.start() == nil)
    rig.capture.interrupt()
    #expect(rig.samples == [Self.sample, "video 0.02 8 -5806"])
    #expect(!rig.timer.isRunning && !rig.recorder.isRecording && !rig.recorder.isAvailable)
    #expect(await rig.start() == RPRecordingErrorCode.failedToStart.rawValue)
  }

  @Test func anotherAppTakesTheRecorderAlsoWhileNothingIsCaptured() async throws {
    let rig = try Rig()
    rig.capture.interrupt()
    #expect(!rig.recorder.isAvailable)
    #expect(await rig.start() == RPRecordingErrorCode.failedToStart.rawValue)
    #expect(rig.samples.isEmpty && !rig.timer.isRunning && !rig.recorder.isRecording)
    rig.capture.install(behind: rig.recorder)
    #expect(!rig.recorder.isAvailable)
  }

  @Test func theEndOfTheScreenIsToldAndEndsNothing() async throws {
    let content = ScriptedContent()
    content.script = [.success(.drawn), .success(.ended)]
    let rig = try Rig(content: content)
    #expect(await rig.start() == nil)
    rig.timer.tick()
    #expect(rig.endings == [nil] && !rig.timer.isRunning && rig.recorder.isRecording)
    rig.capture.interrupt()
    #expect(rig.samples == [Self.sample, "video 0.02 8 -5806"] && !rig.recorder.isRecording)
  }

  @Test func aScreenThatBreaksOffFailsTheCapture() async throws {
    let content = ScriptedContent()
    content.script = [.success(.drawn), .failure(noSuchClip)]
    let rig = try Rig(content: content)
    #expect(await rig.start() == nil)
    rig.timer.tick()
    #expect(rig.samples == [Self.sample, "video 0.02 8 -5804"])
    #expect(rig.endings == [noSuchClip] && !rig.recorder.isRecording)
  }
}
