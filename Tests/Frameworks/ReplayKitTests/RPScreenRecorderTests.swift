import ReplayKit
import TestSupport
import Testing

@MainActor @Suite struct RPScreenRecorderTests {
  /// A system that answers as a test says.
  @MainActor final class FakeSystem: ScreenCaptureSystem {
    var refusal: NSError?
    var asksThePerson = false
    private(set) var calls: [String] = []
    private var question: (@MainActor ((any Error)?) -> Void)?

    func startCapture(
      for recorder: RPScreenRecorder, isMicrophoneEnabled: Bool,
      completion: @escaping @MainActor ((any Error)?) -> Void
    ) {
      calls.append(isMicrophoneEnabled ? "start with microphone" : "start")
      if asksThePerson { question = completion } else { completion(refusal) }
    }

    func stopCapture(completion: @escaping @MainActor ((any Error)?) -> Void) {
      calls.append("stop")
      completion(nil)
    }

    func answer(_ error: NSError?) { question?(error) }
  }

  /// What a handler of samples got.
  @MainActor final class Journal: NSObject, RPScreenRecorderDelegate {
    var codes: [Int?] = []
    private(set) var samples: [String] = []
    nonisolated let changes = Recorder<String>()

    func note(_ sample: CMSampleBuffer, _ type: RPSampleBufferType, _ error: (any Error)?) {
      let code = (error as NSError?)?.code
      samples.append("\(type) \(CMSampleBufferIsValid(sample)) \(code ?? 0)")
    }

    nonisolated func screenRecorderDidChangeAvailability(_ screenRecorder: RPScreenRecorder) {
      changes.add("available \(screenRecorder.isAvailable)")
    }

    nonisolated func screenRecorder(
      _ screenRecorder: RPScreenRecorder,
      didStopRecordingWith previewViewController: RPPreviewViewController?,
      error: (any Error)?
    ) {
      changes.add("stopped \((error as NSError?)?.code ?? 0) \(previewViewController == nil)")
    }
  }

  let recorder = RPScreenRecorder(for: ())
  let system = FakeSystem()
  let journal = Journal()

  /// Starts a capture, and waits for the answer: the code of the error, if any.
  private func start() async -> Int? {
    let before = journal.codes.count
    recorder.startCapture { [journal] sample, type, error in
      MainActor.assumeIsolated { journal.note(sample, type, error) }
    } completionHandler: { [journal] error in
      MainActor.assumeIsolated { journal.codes.append((error as NSError?)?.code) }
    }
    #expect(journal.codes.count == before, "never before the call has returned")
    #expect(await eventually { journal.codes.count == before + 1 })
    return journal.codes.last ?? 0
  }

  private func stop() async -> Int? {
    await withCheckedContinuation { continuation in
      recorder.stopCapture { continuation.resume(returning: ($0 as NSError?)?.code) }
    }
  }

  @Test func samplesComeFromTheStartToTheStop() async throws {
    recorder.attach(system, isAvailable: true)
    #expect(recorder.isAvailable && !recorder.isRecording)
    recorder.deliver(try makeSample(), .video)
    #expect(await start() == nil)
    #expect(recorder.isRecording)
    recorder.deliver(try makeSample(), .video)
    recorder.deliver(try makeSample(), .audioApp)
    #expect(await stop() == nil)
    #expect(!recorder.isRecording)
    recorder.deliver(try makeSample(), .video)
    #expect(journal.samples == ["video true 0", "audioApp true 0"])
    #expect(system.calls == ["start", "stop"])
  }

  @Test func noSampleFollowsTheCallThatStops() async throws {
    recorder.attach(system, isAvailable: true)
    #expect(await start() == nil)
    recorder.stopCapture(handler: nil)
    recorder.deliver(try makeSample(), .video)
    #expect(journal.samples.isEmpty)
    #expect(await eventually { system.calls == ["start", "stop"] })
  }

  @Test func aSecondStartIsRefusedAndTheFirstContinues() async throws {
    recorder.attach(system, isAvailable: true)
    #expect(await start() == nil)
    #expect(await start() == RPRecordingErrorCode.attemptToStartInRecordingState.rawValue)
    #expect(recorder.isRecording)
    recorder.deliver(try makeSample(), .video)
    #expect(journal.samples == ["video true 0"])
    #expect(system.calls == ["start"])
    #expect(await stop() == nil)
    #expect(await start() == nil)
  }

  @Test func aStartDuringTheQuestionIsRefusedToo() async {
    recorder.attach(system, isAvailable: true)
    system.asksThePerson = true
    recorder.startCapture(handler: nil) { [journal] error in
      MainActor.assumeIsolated { journal.codes.append((error as NSError?)?.code) }
    }
    #expect(await eventually { system.calls == ["start"] })
    #expect(!recorder.isRecording)
    #expect(await start() == RPRecordingErrorCode.attemptToStartInRecordingState.rawValue)
    #expect(await stop() == RPRecordingErrorCode.attemptToStopNonRecording.rawValue)
    system.answer(nil)
    #expect(recorder.isRecording)
    #expect(journal.codes == [RPRecordingErrorCode.attemptToStartInRecordingState.rawValue, nil])
  }

  @Test func aStopWithoutACaptureIsRefused() async {
    recorder.attach(system, isAvailable: true)
    #expect(await stop() == RPRecordingErrorCode.attemptToStopNonRecording.rawValue)
    #expect(system.calls.isEmpty)
  }

  @Test func aRefusalLeavesTheRecorderFree() async {
    recorder.attach(system, isAvailable: true)
    system.refusal = RPScreenRecorder.error(.userDeclined, "No.")
    #expect(await start() == RPRecordingErrorCode.userDeclined.rawValue)
    #expect(!recorder.isRecording)
    system.refusal = nil
    #expect(await start() == nil)
  }

  @Test func withoutASystemNothingCanBeCaptured() async {
    #expect(!recorder.isAvailable)
    #expect(await start() == RPRecordingErrorCode.failedToStart.rawValue)
    #expect(!recorder.isRecording)
  }

  @Test func anInterruptionReachesHandlerAndDelegate() async throws {
    recorder.attach(system, isAvailable: true)
    recorder.delegate = journal
    #expect(await start() == nil)
    let sample = try makeSample()
    recorder.deliver(sample, .video)
    recorder.setAvailable(false)
    recorder.setAvailable(false)
    recorder.interrupt(RPScreenRecorder.error(.interrupted, "Taken."), lastSample: sample)
    #expect(!recorder.isRecording)
    recorder.deliver(try makeSample(), .video)
    recorder.interrupt(RPScreenRecorder.error(.interrupted, "Again."), lastSample: sample)
    #expect(journal.samples == ["video true 0", "video false -5806"])
    #expect(journal.changes.values == ["available false", "stopped -5806 true"])
  }

  @Test func aStopAfterAnInterruptionDoesNotEndTheNextCapture() async {
    recorder.attach(system, isAvailable: true)
    #expect(await start() == nil)
    var stops = 0
    recorder.stopCapture { _ in MainActor.assumeIsolated { stops += 1 } }
    recorder.interrupt(RPScreenRecorder.error(.interrupted, "Taken."), lastSample: nil)
    #expect(await start() == nil)
    #expect(stops == 1 && recorder.isRecording && system.calls == ["start", "start"])
  }

  /// Something of the app's that uses the recorder when it goes.
  private final class Farewell: Sendable {
    let recorder: RPScreenRecorder
    let answers: Recorder<String>

    init(_ recorder: RPScreenRecorder, _ answers: Recorder<String>) {
      (self.recorder, self.answers) = (recorder, answers)
    }

    deinit {
      answers.add("recording \(recorder.isRecording)")
      recorder.stopCapture { [answers] in answers.add("stop \(($0 as NSError?)?.code ?? 0)") }
    }
  }

  @Test(arguments: ["refusal", "stop", "interruption"])
  func objectsOfTheHandlerMayUseTheRecorderInTheirDeinit(_ ending: String) async {
    recorder.attach(system, isAvailable: true)
    let answers = Recorder<String>()
    if ending == "refusal" { system.refusal = RPScreenRecorder.error(.userDeclined, "No.") }
    do {
      let farewell = Farewell(recorder, answers)
      recorder.startCapture(handler: { _, _, _ in withExtendedLifetime(farewell) {} }, completionHandler: nil)
    }
    #expect(answers.values.isEmpty)
    switch ending {
    case "stop":
      #expect(await eventually { recorder.isRecording })
      recorder.stopCapture(handler: nil)
    case "interruption":
      #expect(await eventually { recorder.isRecording })
      recorder.interrupt(RPScreenRecorder.error(.interrupted, "Taken."), lastSample: nil)
    default: break
    }
    #expect(await eventually { answers.values == ["recording false", "stop -5829"] }, "\(answers.values)")
  }

  @Test func theAsynchronousFormsReturnOrThrow() async throws {
    recorder.attach(system, isAvailable: true)
    recorder.isMicrophoneEnabled = true
    try await recorder.startCapture { _, _, _ in }
    #expect(recorder.isRecording && recorder.isMicrophoneEnabled)
    let second = await #expect(throws: NSError.self) { try await recorder.startCapture(handler: nil) }
    #expect(second?.domain == RPRecordingErrorDomain && second?.code == -5830)
    try await recorder.stopCapture()
    let stop = await #expect(throws: NSError.self) { try await recorder.stopCapture() }
    #expect(stop?.code == -5829)
    #expect(system.calls == ["start with microphone", "stop"])
  }

  @Test func theSharedRecorderIsOne() {
    #expect(RPScreenRecorder.shared() === RPScreenRecorder.shared())
  }
}
