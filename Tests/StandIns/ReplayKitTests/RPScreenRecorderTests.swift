import ReplayKit
import TestSupport

@MainActor @Suite struct RPScreenRecorderTests {
  /// A fake system whose answers a test sets.
  @MainActor final class FakeSystem: ScreenCaptureSystem {
    var refusal: NSError?
    var asksThePerson = false
    var hasMicrophone = true
    nonisolated let queues = Recorder<String>()
    private(set) var calls: [String] = []
    private var questions: [@MainActor ((any Error)?, Bool) -> Void] = []

    nonisolated func run(on queue: DispatchQueue, _ body: @escaping @Sendable () -> Void) {
      queues.add(queue.label)
      queue.async(execute: body)
    }

    func startCapture(
      for recorder: RPScreenRecorder, isMicrophoneEnabled: Bool,
      completion: @escaping @MainActor ((any Error)?, Bool) -> Void
    ) {
      calls.append(isMicrophoneEnabled ? "start with microphone" : "start")
      if asksThePerson { questions.append(completion) } else { completion(refusal, hasMicrophone) }
    }

    func stopCapture(completion: @escaping @MainActor ((any Error)?) -> Void) {
      calls.append("stop")
      completion(nil)
    }

    func answer(_ error: NSError?) { questions.removeFirst()(error, hasMicrophone) }
  }

  /// Records the samples that a handler receives, and the calls of the delegate.
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

  /// Starts a capture and waits for the answer. Returns the code of the error; `nil` without an error. The answer must come
  /// after the call has returned, unless `atOnce` is set.
  private func start(atOnce: Bool = false) async -> Int? {
    let before = journal.codes.count
    recorder.startCapture { [journal] sample, type, error in
      MainActor.assumeIsolated { journal.note(sample, type, error) }
    } completionHandler: { [journal] error in
      MainActor.assumeIsolated { journal.codes.append((error as NSError?)?.code) }
    }
    #expect(journal.codes.count == (atOnce ? before + 1 : before))
    #expect(await eventually { journal.codes.count == before + 1 })
    return journal.codes.last ?? 0
  }

  @Test func callsComeInTheTimeOfTheSystem() async {
    recorder.attach(system)
    #expect(await start() == nil)
    #expect(await stop() == nil)
    let main = DispatchQueue.main.label
    #expect(
      system.queues.values == [
        "com.replaykit.capture.ProcessQueue", main, main, "com.replaykit.capture.replies",
      ])
  }

  private func stop() async -> Int? {
    await withCheckedContinuation { continuation in
      recorder.stopCapture { continuation.resume(returning: ($0 as NSError?)?.code) }
    }
  }

  @Test func samplesComeFromTheStartToTheStop() async throws {
    recorder.attach(system)
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

  @Test func aRecordingIsStoppedWithAPreviewAndDiscarded() async throws {
    recorder.attach(system)
    try await recorder.startRecording()
    let answers = Recorder<Bool>()
    recorder.stopRecording { @Sendable in answers.add($0 != nil && $1 == nil) }
    #expect(await eventually { answers.values == [true] })
    await withCheckedContinuation { done in recorder.discardRecording { done.resume() } }
    #expect(!recorder.isRecording && system.calls == ["start", "stop"])
  }

  @Test func noSampleFollowsTheCallThatStops() async throws {
    recorder.attach(system)
    #expect(await start() == nil)
    recorder.stopCapture(handler: nil)
    recorder.deliver(try makeSample(), .video)
    #expect(journal.samples.isEmpty)
    #expect(await eventually { system.calls == ["start", "stop"] })
  }

  @Test func aSecondStartIsRefusedAndTheFirstContinues() async throws {
    recorder.attach(system)
    #expect(await start() == nil)
    #expect(await start(atOnce: true) == RPRecordingErrorCode.attemptToStartInRecordingState.rawValue)
    #expect(recorder.isRecording)
    recorder.deliver(try makeSample(), .video)
    #expect(journal.samples == ["video true 0"])
    #expect(system.calls == ["start"])
    #expect(await stop() == nil)
    #expect(await start() == nil)
  }

  @Test func aStartDuringTheQuestionIsAnotherStart() async {
    recorder.attach(system)
    system.asksThePerson = true
    for _ in 0..<2 {
      recorder.startCapture(handler: nil) { [journal] error in
        MainActor.assumeIsolated { journal.codes.append((error as NSError?)?.code) }
      }
    }
    #expect(await eventually { system.calls == ["start", "start"] })
    #expect(!recorder.isRecording)
    #expect(await stop() == RPRecordingErrorCode.attemptToStopNonRecording.rawValue)
    system.answer(nil)
    #expect(recorder.isRecording)
    system.answer(nil)
    #expect(recorder.isRecording && journal.codes == [nil, nil])
  }

  @Test func theAnswerToAStopComesOnAQueueOfTheSystem() async {
    recorder.attach(system)
    #expect(await start() == nil)
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    let isMain = await withCheckedContinuation { continuation in
      recorder.stopCapture { _ in continuation.resume(returning: DispatchQueue.getSpecific(key: key)) }
    }
    #expect(isMain == nil)
  }

  @Test func aStopWithoutACaptureIsRefusedBeforeTheReturn() {
    recorder.attach(system)
    var code: Int?
    recorder.stopCapture { code = ($0 as NSError?)?.code }
    #expect(code == RPRecordingErrorCode.attemptToStopNonRecording.rawValue && system.calls.isEmpty)
  }

  @Test func theMicrophoneIsOffAfterThePersonRefusedIt() async {
    recorder.attach(system)
    recorder.isMicrophoneEnabled = true
    system.hasMicrophone = false
    #expect(await start() == nil)
    #expect(!recorder.isMicrophoneEnabled && system.calls == ["start with microphone"])
  }

  @Test func aNewDelegateIsNotifiedAtOnceAndLaterOnAQueueOfTheSystem() async {
    recorder.delegate = journal
    #expect(journal.changes.values == ["available false"])
    recorder.attach(system)
    #expect(await eventually { journal.changes.values == ["available false", "available true"] })
  }

  @Test func aRefusalLeavesTheRecorderFree() async {
    recorder.attach(system)
    system.refusal = RPScreenRecorder.error(.userDeclined, "No.")
    #expect(await start() == RPRecordingErrorCode.userDeclined.rawValue)
    #expect(!recorder.isRecording)
    system.refusal = nil
    #expect(await start() == nil)
  }

  @Test func withoutASystemNothingCanBeCaptured() async {
    #expect(!recorder.isAvailable)
    #expect(await start(atOnce: true) == RPRecordingErrorCode.failedToStart.rawValue)
    #expect(!recorder.isRecording)
  }

  @Test func anInterruptionReachesTheDelegateAlone() async throws {
    recorder.attach(system)
    #expect(await eventually { recorder.isAvailable })
    #expect(await start() == nil)
    recorder.delegate = journal
    recorder.deliver(try makeSample(), .video)
    recorder.interrupt(RPScreenRecorder.error(.interrupted, "Taken."))
    #expect(!recorder.isRecording)
    recorder.deliver(try makeSample(), .video)
    recorder.interrupt(RPScreenRecorder.error(.interrupted, "Again."))
    #expect(journal.samples == ["video true 0"])
    #expect(journal.changes.values == ["available true", "stopped -5806 true"])
  }

  @Test func aStopAfterAnInterruptionDoesNotEndTheNextCapture() async {
    recorder.attach(system)
    #expect(await start() == nil)
    let stops = Recorder<Int>()
    recorder.stopCapture { _ in stops.add(1) }
    recorder.interrupt(RPScreenRecorder.error(.interrupted, "Taken."))
    #expect(await start() == nil)
    #expect(await eventually { stops.values.count == 1 })
    #expect(recorder.isRecording && system.calls == ["start", "start"])
  }

  /// An object of the app that uses the recorder in its `deinit`.
  private final class Farewell: Sendable {
    let recorder: RPScreenRecorder
    let answers: Recorder<String>

    init(_ recorder: RPScreenRecorder, _ answers: Recorder<String>) {
      self.recorder = recorder
      self.answers = answers
    }

    deinit {
      answers.add("recording \(recorder.isRecording)")
      recorder.stopCapture { [answers] in answers.add("stop \(($0 as NSError?)?.code ?? 0)") }
    }
  }

  @Test(arguments: ["refusal", "stop", "interruption"])
  func objectsOfTheHandlerMayUseTheRecorderInTheirDeinit(_ ending: String) async {
    recorder.attach(system)
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
      recorder.interrupt(RPScreenRecorder.error(.interrupted, "Taken."))
    default: break
    }
    #expect(await eventually { answers.values == ["recording false", "stop -5829"] }, "\(answers.values)")
  }

  @Test func theAsynchronousFormsReturnOrThrow() async throws {
    recorder.attach(system)
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

  @Test func theSharedRecorderIsOne() { #expect(RPScreenRecorder.shared() === RPScreenRecorder.shared()) }
}
