import ReplayKit
import SharedMemory
import TestSupport

@testable import ScreenBroadcast

private final class PlainHandler: SampleHandler, @unchecked Sendable {}

/// A subclass that creates its configuration.
private final class OwnHandler: SampleHandler, @unchecked Sendable {
  init(_ container: AppGroupContainer) {
    super.init(
      configuration: BroadcastConfiguration(
        container: container, screenWidth: 8, screenHeight: 6, statusTimer: ManualTimer()))
  }

  init() { fatalError("This init() compiles, although the base class has one too.") }
}

/// Records a handler's reports, and runs an action (the developer's code) at each report.
private final class Reporter: @unchecked Sendable {
  // Why unchecked: the test sets the action before the handler reports, on one thread.
  let texts = Recorder<String>()
  var action: () -> Void = {}

  func report(_ text: String) {
    texts.add(text)
    action()
  }
}

/// Tests the extension's handler together with the app's classes, in one process, with manual timers.
@Suite struct SampleHandlerTests {
  private let folder = TemporaryFolder.ofSuite()
  private let container: AppGroupContainer
  private let timer = ManualTimer()
  private let reports = Recorder<String>()
  private let ends = Recorder<NSError>()
  private let graceful = Recorder<Bool>()
  private let app: BroadcastStatusManagerImpl
  private let context: BroadcastBufferContext
  private let observer = FrameObserver()

  init() throws {
    container = try AppGroupContainer(root: folder.path, group: AppGroupContainer.testGroup)
    app = BroadcastStatusManagerImpl(defaults: KeyValueFile(container: container), timer: ManualTimer())
    context = BroadcastBufferContext(container: container, framePollTimer: ManualTimer())
    context.subscribe(observer)
  }

  private func makeHandler(
    timer: (any RepeatingTimer)? = nil, layout: BroadcastLayout = .ring, completesGracefully: Bool = false,
    report: (@Sendable (String) -> Void)? = nil
  ) -> SampleHandler {
    let handler = SampleHandler(
      configuration: BroadcastConfiguration(
        container: container, screenWidth: 8, screenHeight: 6, layout: layout,
        completesGracefully: completesGracefully, statusTimer: timer ?? self.timer,
        report: report ?? { [reports] in reports.add($0) }))
    handler.onFinish { [ends, graceful] in
      if let error = $0 { ends.add(error as NSError) } else { graceful.add(true) }
    }
    return handler
  }

  @discardableResult
  private func startedHandler(timer: (any RepeatingTimer)? = nil) -> SampleHandler {
    let handler = makeHandler(timer: timer)
    handler.broadcastStarted(withSetupInfo: nil)
    return handler
  }

  private func deliver(_ picture: CVPixelBuffer? = nil, to handler: SampleHandler) throws {
    handler.processSampleBuffer(try makeSample(try picture ?? makePicture()), with: .video)
  }

  private var holder: ProcessLock.Holder {
    get throws { try ProcessLock.holder(at: container.producerLockFile) }
  }

  /// Whether the flag is off and no process holds the broadcast.
  private var isOver: Bool { get throws { try !app.status && holder == .unheld } }

  @Test func aStartSetsTheFlagAndTakesTheBroadcast() throws {
    let handler = startedHandler()
    #expect(try app.status && holder == .alive(pid: getpid()))
    #expect(handler.session?.processID == getpid())
    context.poll()
    #expect(context.session?.id == handler.session?.id && context.session?.state == .live)
    #expect(ends.values == [] && reports.values == [])
  }

  /// On the main actor, because the tests there share the standard configuration.
  @MainActor @Test func aHandlerMadeWithoutParametersHasTheStandardConfiguration() throws {
    defer { BroadcastConfiguration.standard = nil }
    BroadcastConfiguration.standard = BroadcastConfiguration(
      container: container, screenWidth: 8, screenHeight: 6, statusTimer: timer)
    for handler in [SampleHandler(), PlainHandler(), OwnHandler(container)] {
      handler.broadcastStarted(withSetupInfo: nil)
      #expect(try app.status && holder == .alive(pid: getpid()))
      handler.broadcastFinished()
      #expect(try holder == .unheld)
    }
  }

  @Test func framesArriveWithOrientationAndTime() throws {
    let handler = startedHandler()
    let picture = try makePicture(seed: 9)
    let orientations: [CGImagePropertyOrientation] = [.up, .left, .right, .down]
    for (index, orientation) in orientations.enumerated() {
      let time = CMTime(value: Int64(index + 1), timescale: 60)
      handler.processSampleBuffer(try makeSample(picture, orientation: orientation, time: time), with: .video)
      context.poll()
    }
    let frames = observer.frames.values
    #expect(frames.map(\.orientation) == orientations)
    #expect(frames.map(\.captureTime) == [16_666_667, 33_333_333, 50_000_000, 66_666_667])
    #expect(frames.allSatisfy { pixels(of: $0.pixelBuffer) == pixels(of: picture) })
    #expect(frames.allSatisfy { $0.publishTime > .zero && $0.publishTime <= SystemClock().now })
  }

  @Test func aSampleWithoutOrientationOrTimeIsUprightAndAtZero() throws {
    let handler = startedHandler()
    for time in [CMTime.invalid, .positiveInfinity, CMTime(value: -5, timescale: 1)] {
      handler.processSampleBuffer(
        try makeSample(try makePicture(), orientation: nil, time: time), with: .video)
      context.poll()
    }
    #expect(observer.frames.values.map(\.orientation) == [.up, .up, .up])
    #expect(observer.frames.values.map(\.captureTime).last == 0)
  }

  @Test func samplesWithoutDataAreNotPublished() throws {
    let handler = startedHandler()
    let sample = try makeSample(try makePicture())
    handler.processSampleBuffer(sample, with: .audioApp)
    handler.processSampleBuffer(sample, with: .audioMic)
    CMSampleBufferInvalidate(sample)
    handler.processSampleBuffer(sample, with: .video)
    context.poll()
    #expect(observer.numbers == [])
    #expect(context.session?.framesPublished == 0 && context.session?.framesDropped == 0)
  }

  @Test func samplesBeforeTheStartAndAfterTheEndAreIgnored() throws {
    let handler = makeHandler()
    let sample = try makeSample(try makePicture())
    handler.processSampleBuffer(sample, with: .video)
    handler.broadcastPaused()
    handler.broadcastStarted(withSetupInfo: nil)
    handler.broadcastFinished()
    handler.processSampleBuffer(sample, with: .video)
    handler.broadcastResumed()
    context.poll()
    #expect(observer.numbers == [] && ends.values == [] && reports.values == [])
  }

  @Test func aPauseIsSeenByTheApp() throws {
    let handler = startedHandler()
    context.poll()
    handler.broadcastPaused()
    #expect(context.session?.state == .paused)
    handler.broadcastResumed()
    #expect(context.session?.state == .live)
  }

  @Test func anUnsupportedFrameIsCountedAndTheBroadcastContinues() throws {
    let handler = startedHandler()
    context.poll()
    for _ in 0..<2 { try deliver(try makePicture(format: kCVPixelFormatType_32BGRA), to: handler) }
    #expect(context.session?.framesDropped == 2)
    let failure = PixelBufferSerializer.Failure.unsupportedFormat(kCVPixelFormatType_32BGRA)
    #expect(reports.values == ["A frame is skipped: \(failure)"])
    try deliver(to: handler)
    context.poll()
    #expect(observer.numbers == [1] && ends.values == [])
  }

  @Test func aStopByTheAppEndsTheBroadcastWithTheArticlesError() throws {
    let handler = startedHandler()
    context.poll()
    timer.tick()
    #expect(ends.values == [])
    try app.stop()
    timer.tick()
    timer.tick()
    let end = try #require(ends.values.first)
    #expect(ends.values.count == 1 && end.localizedDescription == "Broadcast completed")
    #expect((end.domain, end.code) == ("ScreenShareBroadcastExtension", 1))
    #expect(
      context.session?.error
        == RingSessionError(domain: "ScreenShareBroadcastExtension", code: 1, text: "Broadcast completed"))
    #expect(try isOver)
    #expect(!FileManager.default.fileExists(atPath: container.framesFile))
    #expect(timer.interval == nil)
    handler.broadcastFinished()
    #expect(ends.values.count == 1 && reports.values == [])
  }

  @Test func aConfiguredHandlerEndsWithoutAnErrorWhenTheAppStopsIt() throws {
    let handler = makeHandler(completesGracefully: true)
    handler.broadcastStarted(withSetupInfo: nil)
    context.poll()
    try app.stop()
    for _ in 0..<2 { timer.tick() }
    #expect(graceful.values == [true] && ends.values == [])
    #expect(context.session?.state == .finished && context.session?.error == nil)
    #expect(try isOver)
  }

  @Test func aStopBeforeTheFirstPollIsNotMissed() throws {
    // The app turns the flag off as soon as it is on: here, when the handler starts its timer.
    final class HastyTimer: RepeatingTimer {
      let app: BroadcastStatusManagerImpl
      init(_ app: BroadcastStatusManagerImpl) { self.app = app }
      func start(every interval: Duration, _ tick: @escaping @Sendable () -> Void) { try? app.stop() }
      func cancel() {}
    }
    startedHandler(timer: HastyTimer(app))
    #expect(try holder == .unheld && ends.values.map(\.code) == [1])
  }

  @Test func anEndByTheSystemRemovesTheFiles() throws {
    let handler = startedHandler()
    context.poll()
    try deliver(to: handler)
    handler.broadcastFinished()
    context.poll()
    #expect(try isOver && observer.numbers == [1])
    #expect(context.session?.state == .finished && context.session?.error == nil)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: container.broadcastFolder) == ["producer.lock"])
    #expect(ends.values == [] && reports.values == [])
    // A tick that was in progress has no effect.
    handler.onChange(status: false)
    #expect(ends.values == [])
  }

  /// Damages the preferences file, so that the handler reports its next access.
  private func damagePreferences() {
    do { try PlainFile.replace(container.preferencesFile, with: Array("rubbish".utf8)) } catch {
      Issue.record(error)
    }
  }

  @Test(arguments: [BroadcastLayout.ring, .article])
  func reportsMayUseTheHandler(layout: BroadcastLayout) throws {
    let reporter = Reporter()
    let handler = makeHandler(layout: layout, report: reporter.report)
    // The handler holds the reporter.
    defer { reporter.action = {} }
    reporter.action = { _ = handler.session }
    // Provokes reports: audio files that cannot be removed, a frame and a packet that cannot be published, and an end that
    // fails.
    try container.prepare()
    for stream in BroadcastAudioStream.allCases {
      try makeFile(of: S_IFDIR, at: container.audioFile(for: stream))
    }
    handler.broadcastStarted(withSetupInfo: nil)
    let sample = try makeSample(try makePicture(format: kCVPixelFormatType_32BGRA))
    handler.processSampleBuffer(sample, with: .video)
    handler.processSampleBuffer(sample, with: .audioApp)
    let frames = layout == .ring ? container.framesFile : container.articleFile
    try FileManager.default.removeItem(atPath: frames)
    try makeFile(of: S_IFDIR, at: frames)
    try FileManager.default.removeItem(atPath: container.preferencesFolder)
    try PlainFile.replace(container.preferencesFolder, with: [])
    handler.broadcastFinished()
    let texts = reporter.texts.values
    #expect(texts.filter { $0.hasPrefix("Audio of an earlier broadcast") }.count == 2)
    for start in ["Audio is skipped", "A frame is skipped", "The broadcast was not closed properly"] {
      #expect(texts.contains { $0.hasPrefix(start) }, "\(start)")
    }
    #expect(handler.session == nil)
  }

  @Test func anEndDuringTheStartLeavesNoPollRunning() throws {
    let reporter = Reporter()
    let handler = makeHandler(report: reporter.report)
    defer { reporter.action = {} }
    reporter.action = {
      damagePreferences()
      // The third report comes from the subscription, after the start has succeeded.
      if reporter.texts.values.count == 3 { handler.finishBroadcastWithError(NSError(domain: "d", code: 7)) }
    }
    try container.prepare()
    damagePreferences()
    handler.broadcastStarted(withSetupInfo: nil)
    #expect(reporter.texts.values.count >= 3 && ends.values.map(\.code) == [7])
    #expect(timer.interval == nil && handler.session == nil)
    #expect(try holder == .unheld)
  }

  @Test func anEndBeforeTheStartIsNotUndoneByIt() throws {
    let handler = makeHandler()
    handler.finishBroadcastWithError(NSError(domain: "d", code: 7))
    handler.broadcastStarted(withSetupInfo: nil)
    #expect(ends.values.map(\.code) == [7])
    #expect(timer.interval == nil && handler.session == nil)
    #expect(!FileManager.default.fileExists(atPath: container.broadcastFolder))
  }

  @Test func aSecondExtensionIsRefusedAndTheFirstContinues() throws {
    let first = startedHandler()
    let second = startedHandler(timer: ManualTimer())
    let end = try #require(ends.values.first)
    #expect(
      end.domain == SampleHandler.errorDomain && end.code == SampleHandler.ErrorCode.cannotStart.rawValue)
    #expect(
      end.userInfo[NSUnderlyingErrorKey] as? FileError
        == FileError(.held(by: getpid()), container.producerLockFile))
    second.broadcastFinished()
    try deliver(to: second)

    #expect(try app.status)
    timer.tick()
    try deliver(try makePicture(seed: 5), to: first)
    context.poll()
    #expect(observer.numbers == [1] && context.session?.id == first.session?.id)
    #expect(ends.values.count == 1)
    first.broadcastFinished()
    #expect(try holder == .unheld)
  }

  @Test func aReleasedHandlerIsACrashAndTheNextOneCleansUp() throws {
    do { startedHandler() }
    let detector = BroadcastCrashDetector(container: container, status: app, timer: ManualTimer())
    #expect(try detector.verdict() == .crashed(pid: getpid()))
    let next = startedHandler()
    #expect(try detector.verdict() == .active(pid: getpid()))
    next.broadcastFinished()
    #expect(try detector.verdict() == .inactive)
  }

  @Test func aStartThatFailsAfterACrashTurnsTheFlagOff() throws {
    do { startedHandler() }
    try FileManager.default.removeItem(atPath: container.framesFile)
    try makeFile(of: S_IFDIR, at: container.framesFile)
    startedHandler()
    #expect(ends.values.map(\.code) == [2])
    #expect(ends.values.first?.localizedDescription.contains(container.framesFile) == true)
    #expect(try isOver)
  }

  @Test func aFailureToPublishEndsTheBroadcast() throws {
    let handler = startedHandler()
    context.poll()
    // A larger picture needs a larger file, and a folder occupies the working name of that file.
    let obstacle = container.framesFile + ".new"
    try makeFile(of: S_IFDIR, at: obstacle)
    let sample = try makeSample(try makePicture(width: 120, height: 90))
    for _ in 0..<2 { handler.processSampleBuffer(sample, with: .video) }
    #expect(ends.values.map(\.code) == [3] && context.session?.error?.code == 3)
    #expect(try isOver)
  }

  @Test func anUnusableContainerEndsTheBroadcastWithTheReason() throws {
    try PlainFile.replace(container.folder, with: [])
    startedHandler()
    let end = try #require(ends.values.first)
    #expect(end.userInfo[NSUnderlyingErrorKey] as? FileError == FileError(.notAFolder, container.folder))
  }

  @Test func aHandlerMayBroadcastAgain() throws {
    let handler = makeHandler()
    for turn in 1...2 {
      handler.broadcastStarted(withSetupInfo: nil)
      try deliver(to: handler)
      context.poll()
      #expect(observer.numbers == Array(repeating: 1, count: turn))
      try app.stop()
      timer.tick()
      #expect(ends.values.count == turn)
    }
  }
}
