import EmulatedCapture
import EmulatedDevice
import EmulatedSystem
import ReplayKit
import ScreenCapture
import TestPatterns
import TestSupport

@MainActor @Suite struct ContentCaptureTests {
  /// An app that uses the API of iOS 27, and records everything it receives.
  final class App: NSObject, SCContentSharingPickerObserver, SCStreamOutput, SCStreamDelegate, Sendable {
    let events = Recorder<String>()
    /// The status, size, orientation and content rectangle of each frame.
    let frames = Recorder<String>()
    let audio = Recorder<String>()
    let filters = Recorder<ContentStreamFilter>()

    /// Passes a filter to the test's thread. Why unchecked: only that thread uses the filter.
    struct ContentStreamFilter: @unchecked Sendable { let filter: SCContentFilter }

    func contentSharingPicker(
      _ picker: SCContentSharingPicker, didUpdateWith filter: SCContentFilter, for stream: SCStream?
    ) {
      filters.add(ContentStreamFilter(filter: filter))
      events.add("chosen \(filter.style) \(filter.isMicrophoneEnabled)")
    }

    func contentSharingPicker(_ picker: SCContentSharingPicker, didCancelFor stream: SCStream?) {
      events.add("cancelled")
    }

    func contentSharingPickerStartDidFailWithError(_ error: any Error) {
      events.add("failed \((error as NSError).code)")
    }

    func stream(
      _ stream: SCStream, didOutputSampleBuffer sampleBuffer: CMSampleBuffer, of type: SCStreamOutputType
    ) {
      guard type == .screen else {
        let format = sampleBuffer.formatDescription?.audioStreamBasicDescription
        audio.add(
          "\(type) \(format?.mSampleRate ?? 0) \(format?.mChannelsPerFrame ?? 0) \(format?.mBitsPerChannel ?? 0) "
            + "\(sampleBuffer.numSamples)")
        return
      }
      let attachments =
        CMSampleBufferGetSampleAttachmentsArray(sampleBuffer, createIfNecessary: false)
        as? [[SCStreamFrameInfo: Any]]
      let info = attachments?.first ?? [:]
      let status = (info[.status] as? Int).flatMap(SCFrameStatus.init(rawValue:))
      let orientation = info[.videoOrientation] as? Int ?? 0
      let rectangle = (info[.contentRect] as? [String: Any]).flatMap(CGRect.init(dictionaryRepresentation:))
      let size = sampleBuffer.imageBuffer.map {
        "\(CVPixelBufferGetWidth($0))x\(CVPixelBufferGetHeight($0))"
      }
      frames.add(
        "\(status.map { "\($0)" } ?? "none") \(size ?? "empty") \(orientation) "
          + "\(rectangle?.width ?? 0)x\(rectangle?.height ?? 0)")
    }

    func stream(_ stream: SCStream, didStopWithError error: any Error) {
      events.add("stopped \((error as NSError).code)")
    }

    func streamDidBecomeActive(_ stream: SCStream) { events.add("active") }

    func streamDidBecomeInactive(_ stream: SCStream) { events.add("inactive") }
  }

  @MainActor final class Rig {
    let time = TestTime(at: 20_000_000)
    let content = ScriptedContent()
    let picker = SCContentSharingPicker()
    let device: Device
    let capture: ContentCapture
    let app = App()
    let queue = DispatchQueue(label: "app")
    private(set) var stream: SCStream?

    func releaseStream() { stream = nil }

    init(_ change: (inout ContentCapture.Behaviour) -> Void = { _ in }) throws {
      var behaviour = ContentCapture.Behaviour()
      change(&behaviour)
      device = Device(.init(profile: try #require(.named("ipad"))))
      capture = ContentCapture(
        on: device,
        screen: try EmulatedScreen(content: content.content, framesPerSecond: 50, pixelFormat: fullRange),
        behaviour: behaviour, time: time.device)
      capture.install(behind: picker)
      picker.add(app)
      picker.isActive = true
    }

    func events(_ expected: String...) async -> Bool {
      await eventually { self.app.events.values == expected }
    }

    func frames(_ expected: String...) async -> Bool {
      await eventually { self.app.frames.values == expected }
    }

    /// Lets the person choose, and starts the capture.
    func start(_ change: (SCStreamConfiguration) -> Void = { _ in }) async throws {
      picker.present()
      #expect(await eventually { !self.app.filters.values.isEmpty })
      let configuration = SCStreamConfiguration()
      change(configuration)
      let filter = try #require(app.filters.values.last?.filter)
      let stream = SCStream(filter: filter, configuration: configuration, delegate: app)
      for type in SCStreamOutputType.allCases {
        try stream.addStreamOutput(app, type: type, sampleHandlerQueue: queue)
      }
      self.stream = stream
      try await stream.startCapture()
      app.events.removeAll()
    }
  }

  private let rig: Rig

  init() throws { rig = try Rig() }

  private static let frame = "complete 18x16 1 9.0x8.0"

  @Test func theDisplayIsDeliveredWithWhatEachFrameSays() async throws {
    try await rig.start()
    #expect(rig.stream?.isCapturing == true && rig.time.frames.interval == .milliseconds(20))
    rig.time.frames.tick()
    #expect(await rig.frames(Self.frame, Self.frame))
    rig.capture.perform("rotate:left")
    rig.time.frames.tick()
    #expect(await rig.frames(Self.frame, Self.frame, "complete 18x16 8 9.0x8.0"))
    try await rig.stream?.stopCapture()
    #expect(!rig.time.frames.isRunning && rig.stream?.isCapturing == false)
  }

  @Test(arguments: [true, false]) func aScreenThatRestsDeliversItsStatusOrNothing(isIdle: Bool) async throws {
    let rig = try Rig { $0.deliversIdle = isIdle }
    try await rig.start()
    #expect(rig.capture.perform("still:1") == nil)
    rig.time.frames.tick()
    if !isIdle { rig.time.clock.advance(by: .seconds(1)) }
    if !isIdle { rig.time.frames.tick() }
    #expect(await rig.frames(Self.frame, isIdle ? "idle empty 1 9.0x8.0" : Self.frame))
  }

  @Test func aStartOfARunningStreamIsRefusedAndAStopOfAStoppedOne() async throws {
    try await rig.start()
    let stream = try #require(rig.stream)
    await #expect(throws: SCStreamError(.attemptToStartStreamState)) { try await stream.startCapture() }
    try await stream.stopCapture()
    await #expect(throws: SCStreamError(.attemptToStopStreamState)) { try await stream.stopCapture() }
    // A stopped stream can be started again.
    try await stream.startCapture()
    #expect(stream.isCapturing)
  }

  @Test func noSampleFollowsTheAnswerToAStop() async throws {
    try await rig.start()
    rig.queue.suspend()
    rig.time.frames.tick()
    let stream = try #require(rig.stream)
    let stopped = Recorder<Int>()
    stream.stopCapture { [app = rig.app] _ in stopped.add(app.frames.values.count) }
    rig.queue.resume()
    #expect(await eventually { stopped.values.count == 1 })
    #expect(stopped.values == [rig.app.frames.values.count])
  }

  @Test func aFrameThatWaitedForItsOutputAtTheEndIsNotDelivered() async throws {
    try await rig.start()
    // A second output of the same type gets the same frames.
    let other = App()
    try rig.stream?.addStreamOutput(other, type: .screen, sampleHandlerQueue: rig.queue)
    #expect(await rig.frames(Self.frame))
    rig.time.clock.advance(by: .milliseconds(20))
    rig.time.frames.tick()
    #expect(await rig.frames(Self.frame, Self.frame))
    #expect(await eventually { other.frames.values.count == 1 })
    #expect(rig.capture.figures.framesDelivered == 2)
    rig.queue.suspend()
    for _ in 0..<3 {
      rig.time.clock.advance(by: .milliseconds(20))
      rig.time.frames.tick()
    }
    rig.capture.perform("stop")
    rig.queue.resume()
    await withCheckedContinuation { done in rig.queue.async { done.resume() } }
    #expect((rig.capture.figures.framesDelivered, rig.app.frames.values.count) == (2, 2))
  }

  @Test(arguments: [
    (PickerAnswer.cancel, "cancelled"), (.fails, "failed -3802"), (.declined, "failed -3801"),
    (.display, "chosen display false"), (.app, "chosen window false"),
  ])
  func thePickerAnswers(answer: PickerAnswer, event: String) async throws {
    let rig = try Rig { $0.answer = answer }
    rig.picker.present()
    #expect(await rig.events(event))
  }

  @Test func aPickerThatIsNotActiveShowsNothing() async throws {
    rig.picker.isActive = false
    rig.picker.present()
    rig.picker.isActive = true
    rig.picker.presentForCurrentApplication()
    #expect(await rig.events("chosen window false"))
  }

  @Test func theMicrophoneNeedsItsControlAndThePerson() async throws {
    let rig = try Rig { $0.turnsMicrophoneOn = true }
    rig.picker.present()
    #expect(await rig.events("chosen display false"))
    rig.picker.defaultConfiguration.showsMicrophoneControl = true
    rig.picker.present()
    #expect(await rig.events("chosen display false", "chosen display true"))
  }

  @Test(arguments: [
    (16_000, 1, true, ["audio 16000.0 1 32 320", "microphone 48000.0 1 16 1024"]),
    // An unsupported rate becomes 48 kHz.
    (44_100, 6, false, ["audio 48000.0 2 32 960"]),
  ])
  func audioHasTheRateAndChannelsOfTheConfiguration(
    rate: Int, channels: Int, hasMicrophone: Bool, packets: [String]
  ) async throws {
    let rig = try Rig { $0.turnsMicrophoneOn = hasMicrophone }
    rig.picker.defaultConfiguration.showsMicrophoneControl = hasMicrophone
    try await rig.start { ($0.capturesAudio, $0.sampleRate, $0.channelCount) = (true, rate, channels) }
    rig.time.clock.advance(by: .milliseconds(25))
    rig.time.checks.tick()
    #expect(await eventually { rig.app.audio.values == packets })
  }

  @Test(arguments: [("stop", -3817), ("lock", -3817), ("error:insufficientStorage", -3822)])
  func theStreamEndsWithACode(event: String, code: Int) async throws {
    try await rig.start()
    #expect(rig.capture.perform(try CaptureEvent(text: event)) == nil)
    #expect(await rig.events("stopped \(code)"))
    #expect(rig.stream?.isCapturing == false && !rig.time.frames.isRunning)
    #expect(rig.capture.perform("stop") == "No stream runs.")
  }

  @Test func aStreamStartsOnceTheDeviceIsUnlocked() async throws {
    try await rig.start()
    rig.capture.perform("lock")
    #expect(await rig.events("stopped -3817"))
    await #expect(throws: SCStreamError(.failedToStart)) { try await rig.stream?.startCapture() }
    #expect(rig.capture.perform("unlock") == nil)
    try await rig.stream?.startCapture()
    #expect(rig.stream?.isCapturing == true)
    #expect(rig.capture.perform("unlock") == "The device is not locked.")
  }

  @Test func inTheBackgroundTheDisplayGoesOnWithTheMode() async throws {
    try await rig.start()
    #expect(rig.capture.perform("background") == nil)
    rig.time.frames.tick()
    #expect(await rig.frames(Self.frame, Self.frame))
    #expect(rig.capture.perform("background") != nil && rig.capture.perform("foreground") == nil)
    #expect(rig.app.events.values.isEmpty)
  }

  @Test func withoutTheBackgroundModeTheStreamEnds() async throws {
    let rig = try Rig { $0.backgroundModes = .audio }
    try await rig.start()
    rig.capture.perform("background")
    #expect(await rig.events("stopped -3824"))
    await #expect(throws: SCStreamError(.missingBackgroundMode)) { try await rig.stream?.startCapture() }
  }

  @Test(arguments: [
    (PickerAnswer.app, CaptureEvent("background"), CaptureEvent("foreground")),
    (.display, "lock:pause", "unlock"),
  ])
  func aCaptureOfTheAppInTheBackgroundOrOfALockedPhoneRests(
    of answer: PickerAnswer, from start: CaptureEvent, until end: CaptureEvent
  ) async throws {
    let rig = try Rig { $0.answer = answer }
    try await rig.start()
    rig.capture.perform(start)
    rig.time.frames.tick()
    #expect(await rig.events("inactive"))
    rig.capture.perform(end)
    rig.time.frames.tick()
    #expect(await rig.events("inactive", "active"))
    #expect(await rig.frames(Self.frame, "suspended empty 1 9.0x8.0", Self.frame))
  }

  @Test(arguments: [true, false])
  func aCallEndsTheAudioAndNotTheFrames(ofAStreamThatRuns isRunning: Bool) async throws {
    #expect(rig.capture.perform("hangup") != nil)
    if isRunning { try await rig.start { $0.capturesAudio = true } }
    #expect(rig.capture.perform("call") == nil)
    if !isRunning { try await rig.start { $0.capturesAudio = true } }
    rig.time.clock.advance(by: .milliseconds(100))
    rig.time.checks.tick()
    rig.time.frames.tick()
    #expect(await rig.frames(Self.frame, Self.frame))
    #expect(rig.app.audio.values.isEmpty)
    #expect(rig.capture.perform("hangup") == nil)
  }

  @Test func anOutputIsAddedOnceAndRemovedOnce() async throws {
    try await rig.start()
    let stream = try #require(rig.stream)
    #expect(throws: SCStreamError(.invalidParameter)) {
      try stream.addStreamOutput(rig.app, type: .screen, sampleHandlerQueue: nil)
    }
    try stream.removeStreamOutput(rig.app, type: .screen)
    #expect(throws: SCStreamError(.invalidParameter)) {
      try stream.removeStreamOutput(rig.app, type: .screen)
    }
    rig.time.frames.tick()
    #expect(await rig.frames(Self.frame))
  }

  @Test func aStreamThatTheAppReleasesStops() async throws {
    try await rig.start()
    rig.releaseStream()
    #expect(await eventually { !rig.capture.isRunning })
  }

  @Test func aSecondStreamBesideTheFirstDoesNotStart() async throws {
    try await rig.start()
    let filter = try #require(rig.app.filters.values.last?.filter)
    let second = SCStream(filter: filter, configuration: SCStreamConfiguration(), delegate: nil)
    await #expect(throws: SCStreamError(.failedToStart)) { try await second.startCapture() }
    #expect(rig.stream?.isCapturing == true)
  }

  @Test func framesHaveTheConfiguredSizeAndAreNeverLargerThanTheDisplay() async throws {
    let screen = try EmulatedScreen(
      content: .pattern(
        .bars, size: PixelSize(width: 120, height: 160), pixelFormat: fullRange, framesPerSecond: 60),
      pixelFormat: fullRange)
    let capture = ContentCapture(on: Device(), screen: screen)
    let (picker, app) = (SCContentSharingPicker(), App())
    capture.install(behind: picker)
    picker.add(app)
    picker.isActive = true
    picker.present()
    #expect(await eventually { !app.filters.values.isEmpty })
    let filter = try #require(app.filters.values.last?.filter)
    for (size, expected) in [(60, "60x80"), (0, "120x160"), (4_000, "120x160")] {
      let configuration = SCStreamConfiguration()
      (configuration.width, configuration.height) = (size, size * 4 / 3)
      let stream = SCStream(filter: filter, configuration: configuration, delegate: app)
      try stream.addStreamOutput(app, type: .screen, sampleHandlerQueue: nil)
      app.frames.removeAll()
      try await stream.startCapture()
      #expect(await eventually { app.frames.values.first?.contains(" \(expected) ") == true })
      try await stream.stopCapture()
    }
  }
}
