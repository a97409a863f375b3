import EmulatedCapture
import EmulatedDevice
import EmulatedSystem
import ReplayKit
import TestSupport

@MainActor @Suite struct InAppCaptureTests {
  @MainActor final class Journal: NSObject, RPScreenRecorderDelegate {
    var answers: [Int?] = []
    var endings: [ScreenContentError?] = []
    nonisolated let stops = Recorder<Int>()

    nonisolated func screenRecorder(
      _ screenRecorder: RPScreenRecorder,
      didStopRecordingWith previewViewController: RPPreviewViewController?, error: (any Error)?
    ) {
      stops.add((error as NSError?)?.code ?? 0)
    }
  }

  /// A capture with a manual clock and timers, and an app that records its samples.
  @MainActor final class Rig {
    let time = TestTime(at: 20_000_000)
    let content: ScriptedContent
    let recorder = RPScreenRecorder(for: ())
    let capture: InAppCapture
    let received = Recorder<String>()
    private let journal = Journal()

    init(
      _ permission: CapturePermission = .granted, content: ScriptedContent = ScriptedContent(),
      audio: [EmulatedAudio] = []
    ) throws {
      self.content = content
      capture = InAppCapture(
        on: Device(),
        screen: try EmulatedScreen(
          content: content.content, framesPerSecond: 50, pixelFormat: fullRange, orientation: .left),
        audio: audio, permission: permission, time: time.device,
        onEvent: { [journal] in if case .endOfContent(let error) = $0 { journal.endings.append(error) } })
      capture.install(behind: recorder)
      recorder.delegate = journal
    }

    var timer: ManualTimer { time.frames }
    var endings: [ScreenContentError?] { journal.endings }
    var stops: [Int] { journal.stops.values }

    /// Waits until the app has received these samples.
    func hasReceived(_ samples: String...) async -> Bool {
      await eventually { self.received.values == samples }
    }

    /// Starts a capture whose answer the app ignores.
    func record(_ handler: @escaping (CMSampleBuffer, RPSampleBufferType, (any Error)?) -> Void) {
      recorder.startCapture(handler: handler, completionHandler: nil)
    }

    func start() async -> Int? {
      recorder.startCapture { [received] sample, type, error in
        let time = CMTimeGetSeconds(CMSampleBufferGetPresentationTimeStamp(sample))
        let orientation = CMGetAttachment(
          sample, key: RPVideoSampleOrientationKey as CFString, attachmentModeOut: nil)
        let code = (error as NSError?)?.code ?? 0
        received.add("\(type) \(time) \(orientation?.intValue ?? 0) \(code)")
      } completionHandler: { [journal] error in
        MainActor.assumeIsolated { journal.answers.append((error as NSError?)?.code) }
      }
      #expect(await eventually { !self.journal.answers.isEmpty })
      return journal.answers.removeLast()
    }
  }

  /// The record of a frame. Frames of an in-app capture have no orientation.
  private static let sample = "video 0.02 0 0"

  @Test func theScreenIsDeliveredAtItsRate() async throws {
    let rig = try Rig()
    #expect(rig.recorder.isAvailable)
    #expect(await rig.start() == nil)
    #expect(rig.timer.interval == .milliseconds(20))
    rig.timer.tick()
    rig.timer.tick()
    #expect(await rig.hasReceived(Self.sample, Self.sample, Self.sample))
    #expect(rig.content.numbers == [1, 2, 3])
    try await rig.recorder.stopCapture()
    #expect(!rig.timer.isRunning)
  }

  /// A handler that waits for the main queue would deadlock if it were called on it.
  @Test func theHandlerIsCalledOnAPrivateQueue() async throws {
    let rig = try Rig()
    let isMainQueue = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: isMainQueue, value: true)
    let answers = Recorder<Bool?>()
    rig.record { _, _, _ in answers.add(DispatchQueue.getSpecific(key: isMainQueue)) }
    #expect(await eventually { !answers.values.isEmpty })
    #expect(answers.values == [nil])
  }

  @Test func atMostFiveSamplesWaitForTheHandler() async throws {
    let rig = try Rig()
    let (calls, permits) = (Recorder<Int>(), DispatchSemaphore(value: 0))
    rig.record { _, _, _ in
      calls.add(1)
      permits.wait()
    }
    #expect(await eventually { calls.values.count == 1 })
    for _ in 0..<9 { rig.timer.tick() }
    // The number of a dropped frame is reused.
    #expect(rig.content.numbers == [1, 2, 3, 4, 5, 6, 7, 7, 7, 7])
    for _ in 0..<6 { permits.signal() }
    #expect(await eventually { calls.values.count == 6 })
    try await rig.recorder.stopCapture()
  }

  @Test func noSampleFollowsTheAnswerToAStop() async throws {
    let rig = try Rig()
    let (calls, permits) = (Recorder<String>(), DispatchSemaphore(value: 0))
    rig.record { _, _, _ in
      calls.add("begins")
      permits.wait()
      calls.add("ends")
    }
    #expect(await eventually { calls.values == ["begins"] })
    rig.timer.tick()
    rig.recorder.stopCapture { _ in calls.add("stopped") }
    #expect(await eventually { !rig.timer.isRunning })
    permits.signal()
    #expect(await eventually { calls.values.count == 3 })
    #expect(calls.values == ["begins", "ends", "stopped"])
  }

  @Test func aHandlerThatHoldsAllSamplesGetsNoneUntilItReleasesOne() async throws {
    let rig = try Rig()
    let (held, calls) = (Recorder<CMSampleBuffer>(), Recorder<Int>())
    rig.recorder.startCapture(
      handler: { sample, _, _ in
        held.add(sample)
        calls.add(1)
      }, completionHandler: nil)
    for count in 1...9 {
      #expect(await eventually { calls.values.count == min(count, 7) })
      rig.timer.tick()
    }
    #expect(rig.content.numbers == [1, 2, 3, 4, 5, 6, 7])
    held.removeAll()
    rig.timer.tick()
    #expect(await eventually { calls.values.count == 8 })
    try await rig.recorder.stopCapture()
  }

  @Test func anUnchangedScreenGivesNoSample() async throws {
    let content = ScriptedContent()
    content.script = [.success(.unchanged), .success(.unchanged), .success(.drawn)]
    let rig = try Rig(content: content)
    #expect(await rig.start() == nil)
    rig.timer.tick()
    #expect(rig.received.values.isEmpty)
    rig.timer.tick()
    #expect(await rig.hasReceived(Self.sample))
    #expect(rig.content.numbers == [1, 1, 1])
    try await rig.recorder.stopCapture()
    #expect(rig.received.values == [Self.sample])
  }

  @Test(arguments: [
    (CapturePermission.denied, RPRecordingErrorCode.userDeclined, true), (.disabled, .disabled, false),
    (.call, .activePhoneCall, true), (.fails, .failedToStartCaptureStack, true),
  ])
  func withoutPermissionNoCaptureStarts(
    _ permission: CapturePermission, _ code: RPRecordingErrorCode, _ isAvailable: Bool
  ) async throws {
    let rig = try Rig(permission)
    #expect(await (rig.recorder.isAvailable, rig.start()) == (isAvailable, code.rawValue))
    #expect(!rig.timer.isRunning && !rig.recorder.isRecording && rig.received.values.isEmpty)
  }

  @Test func theCaptureContinuesAfterATimeInTheBackground() async throws {
    let rig = try Rig()
    #expect(await rig.start() == nil)
    rig.capture.device.change { $0.app.note(.background) }
    rig.timer.tick()
    rig.timer.tick()
    #expect(await rig.hasReceived(Self.sample))
    #expect(rig.recorder.isRecording)
    rig.capture.device.change { $0.app.note(.foreground) }
    rig.timer.tick()
    #expect(await rig.hasReceived(Self.sample, Self.sample))
  }

  @Test func aCaptureWithoutAnAnswerDoesNotRun() async throws {
    let rig = try Rig(.unanswered)
    let answers = Recorder<Int?>()
    for _ in 0..<2 { rig.recorder.startCapture(handler: nil) { answers.add(($0 as NSError?)?.code) } }
    #expect(await stop(rig) == RPRecordingErrorCode.attemptToStopNonRecording.rawValue)
    #expect(answers.values.isEmpty && !rig.recorder.isRecording && !rig.timer.isRunning)
  }

  private func stop(_ rig: Rig) async -> Int? {
    await withCheckedContinuation { continuation in
      rig.recorder.stopCapture { continuation.resume(returning: ($0 as NSError?)?.code) }
    }
  }

  private func streams() -> [EmulatedAudio] {
    [EmulatedAudio(type: .audioApp, content: nil), EmulatedAudio(type: .audioMic, content: nil)]
  }

  @Test(arguments: [
    (true, CapturePermission.granted, 3), (true, .withoutMicrophone, 2), (false, .granted, 2),
  ])
  func audioOfTheMicrophoneComesIfItIsWantedAndAllowed(
    isWanted: Bool, permission: CapturePermission, count: Int
  ) async throws {
    let rig = try Rig(permission, audio: streams())
    rig.recorder.isMicrophoneEnabled = isWanted
    #expect(await rig.start() == nil)
    #expect(rig.recorder.isMicrophoneEnabled == (isWanted && permission == .granted))
    rig.time.clock.advance(by: .milliseconds(24))
    rig.timer.tick()
    #expect(await eventually { rig.received.values.count == count + 1 })
    let types = rig.received.values.map { $0.prefix { $0 != " " } }
    #expect(Set(types) == (count == 3 ? ["video", "audioApp", "audioMic"] : ["video", "audioApp"]))
  }

  @Test func bothStreamsHaveRoomWithASlowHandler() async throws {
    let rig = try Rig(audio: streams())
    rig.recorder.isMicrophoneEnabled = true
    let (types, permits) = (Recorder<RPSampleBufferType>(), DispatchSemaphore(value: 0))
    rig.record { _, type, _ in
      guard type != .video else { return }
      types.add(type)
      permits.wait()
    }
    #expect(await eventually { rig.recorder.isRecording })
    for count in 1...20 {
      rig.time.clock.advance(by: .milliseconds(100))
      rig.timer.tick()
      #expect(await eventually { types.values.count == count })
      permits.signal()
    }
    let counts = [RPSampleBufferType.audioApp, .audioMic].map { type in types.values.count { $0 == type } }
    #expect(counts.allSatisfy { $0 >= 8 }, "\(counts)")
    for _ in 0..<10 { permits.signal() }
  }

  @Test func videoAndAudioComeOnTwoQueuesAtOnce() async throws {
    let rig = try Rig(audio: streams())
    let (inVideo, inAudio) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let labels = Recorder<String>()
    rig.record { _, type, _ in
      (type == .video ? inVideo : inAudio).signal()
      (type == .video ? inAudio : inVideo).wait()
      labels.add("\(type)")
    }
    #expect(await eventually { rig.recorder.isRecording })
    rig.time.clock.advance(by: .milliseconds(24))
    rig.timer.tick()
    #expect(await eventually { Set(labels.values) == ["video", "audioApp"] })
    for _ in 0..<9 { inAudio.signal() }
  }

  /// After another app has taken the recorder, no capture starts.
  @Test(arguments: [true, false])
  func anotherSizeOfTheWindowOrAnotherAppEndsTheCapture(isResized: Bool) async throws {
    let rig = try Rig()
    rig.capture.resizeContent()
    #expect(await rig.start() == nil)
    #expect(await rig.hasReceived(Self.sample))
    if isResized { rig.capture.resizeContent() } else { rig.capture.interrupt() }
    #expect(await rig.hasReceived(Self.sample))
    #expect(rig.stops == [isResized ? -5807 : -5806] && !rig.timer.isRunning && !rig.recorder.isRecording)
    #expect(rig.recorder.isAvailable == isResized)
    #expect(await rig.start() == (isResized ? nil : RPRecordingErrorCode.failedToStart.rawValue))
  }

  @Test func anotherAppCanTakeTheRecorderWithoutACapture() async throws {
    let rig = try Rig()
    rig.capture.interrupt()
    #expect(!rig.recorder.isAvailable)
    #expect(await rig.start() == RPRecordingErrorCode.failedToStart.rawValue)
    #expect(rig.received.values.isEmpty && !rig.timer.isRunning && !rig.recorder.isRecording)
    rig.capture.install(behind: rig.recorder)
    #expect(!rig.recorder.isAvailable)
  }

  @Test func theEndOfTheContentIsReportedAndTheCaptureStaysOpen() async throws {
    let content = ScriptedContent()
    content.script = [.success(.drawn), .success(.ended)]
    let rig = try Rig(content: content)
    #expect(await rig.start() == nil)
    rig.timer.tick()
    #expect(await rig.hasReceived(Self.sample))
    #expect(rig.endings == [nil] && !rig.timer.isRunning && rig.recorder.isRecording)
    rig.capture.interrupt()
    #expect(await rig.hasReceived(Self.sample))
    #expect(rig.stops == [-5806] && !rig.recorder.isRecording)
  }

  @Test func contentThatFailsEndsTheCapture() async throws {
    let content = ScriptedContent()
    content.script = [.success(.drawn), .failure(noSuchClip)]
    let rig = try Rig(content: content)
    #expect(await rig.start() == nil)
    #expect(await rig.hasReceived(Self.sample))
    rig.timer.tick()
    #expect(await rig.hasReceived(Self.sample))
    #expect(rig.stops == [-5804] && rig.endings == [noSuchClip] && !rig.recorder.isRecording)
  }
}
