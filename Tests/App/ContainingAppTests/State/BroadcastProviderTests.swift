import PixelAccess
import ReplayKit
import RunReports
import ScreenBroadcast
import SharedMemory
import TestPatterns
import TestSupport
import WebRTC

@testable import ContainingApp

@MainActor @Suite struct BroadcastProviderTests {
  @Test func withoutABroadcastNothingChangesAndNoFrameIsPolled() throws {
    let rig = try Rig(isStarted: true)
    rig.statusTimer.tick()
    rig.crashTimer.tick()
    #expect(rig.commits.isEmpty && !rig.frameTimer.isRunning)
  }

  @Test func aBroadcastGoesThroughItsPhases() throws {
    let rig = try Rig(isStarted: true)
    try rig.begin()
    #expect(rig.frameTimer.interval == BroadcastBufferContext.pollInterval)
    try rig.deliver(orientation: 6)
    rig.producer.setPaused(true)
    rig.provider.refresh()
    rig.producer.setPaused(false)
    rig.provider.refresh()
    try rig.finish()
    #expect(
      (rig.phases, rig.state.statusChanges, rig.state.format?.width, rig.state.format?.orientation)
        == ([.waiting, .live, .paused, .live, .ended(nil)], 2, 32, .right))
    #expect(!rig.state.isActive && !rig.frameTimer.isRunning)
  }

  @Test func theErrorOfASessionIsReported() throws {
    let rig = try Rig()
    try rig.producer.start()
    try rig.producer.publish(makeFilledPicture(32, 16))
    rig.provider.start()
    rig.frameTimer.tick()
    try rig.finish(RingSessionError(domain: "d", code: 1, text: "Broadcast completed"))
    #expect(rig.state.phase == .ended("Broadcast completed"))
  }

  @Test func aFrameChangesTheStateInOneStep() throws {
    let rig = try Rig(isLive: true)
    let before = rig.commits.count
    try rig.deliver()
    rig.frameTimer.tick()
    #expect(rig.commits.count == before + 1)
    let new = try #require(rig.commits.last).new
    #expect((new, new.phase) == (rig.state, .live))
    #expect(new.format != nil && new.lastFrame?.number == 1 && new.frames.framesDelivered == 1)
    #expect(rig.commits.allSatisfy { $0.old != $0.new })
  }

  @Test func theLastFrameBeforeTheEndIsNotLost() throws {
    let rig = try Rig(isLive: true)
    try rig.deliver()
    try rig.producer.publish(makeFilledPicture(32, 16))
    try rig.finish()
    #expect((rig.state.frames.framesDelivered, rig.state.phase) == (2, .ended(nil)))
  }

  /// Reads the next frame on a new thread, as a frame signal does, and receives it after `work`.
  private func withAFrameThatWaits(_ rig: Rig, _ work: () throws -> Void) async rethrows {
    let (context, timer) = (rig.bufferContext, rig.frameTimer)
    let framesRead = context.statistics.framesDelivered
    let isReceived = Mutex(false)
    Thread.detachNewThread {
      timer.tick()
      isReceived.withLock { $0 = true }
    }
    #expect(holds { context.statistics.framesDelivered == framesRead + 1 })
    try work()
    #expect(await eventually { isReceived.withLock { $0 } })
  }

  @Test func aFrameReadBeforeTheEndAndReceivedAfterItDoesNotReviveTheBroadcast() async throws {
    let rig = try Rig(isLive: true)
    try rig.deliver()
    try rig.producer.publish(makeFilledPicture(32, 16))
    try await withAFrameThatWaits(rig) {
      try rig.finish()
    }
    #expect(rig.phases == [.waiting, .live, .ended(nil)])
    rig.provider.refresh()
    #expect(rig.state.frames.framesDelivered + rig.state.frames.framesSkipped == 2)
  }

  @Test func theNextBroadcastDoesNotBeginWithThePictureAndTheEndOfTheOneBefore() throws {
    let rig = try Rig(isStarted: true)
    for _ in 0..<2 {
      try rig.begin()
      rig.frameTimer.tick()
      rig.provider.refresh()
      try rig.deliver()
      // The app turns the flag off. The extension publishes frames until it notices.
      try rig.producer.setFlag(false)
      rig.statusTimer.tick()
      try rig.producer.publish(makeFilledPicture(32, 16))
      try rig.producer.finish(RingSessionError(domain: "d", code: 1, text: "Broadcast completed"))
    }
    #expect(rig.phases == [.waiting, .live, .ended(nil), .waiting, .live, .ended(nil)])
    #expect(rig.state.frames.framesDelivered == 2)
  }

  @Test func aStaleFrameIsCountedUnlessItsSessionRuns() throws {
    let rig = try Rig(isLive: true)
    rig.frameTimer.tick()
    let running = try #require(rig.bufferContext.session?.id)
    for session in [1, running] {
      for age in [BroadcastBufferContext.staleAge, BroadcastBufferContext.staleAge + .nanoseconds(1)] {
        var frame = try makeBroadcastFrame((rig.state.lastFrame?.number ?? 0) + 1, session: session, at: 1)
        frame.receiveTime = frame.publishTime + age
        rig.provider.onFrame(frame)
      }
    }
    #expect(rig.state.frames.framesDelivered == 4)
    #expect(rig.state.framesStale == 1 && AppSummary(rig.state).framesStale == 1)
  }

  @Test func aFrameThatArrivesAfterANewerOneIsDropped() throws {
    let rig = try Rig(isLive: true, verifies: true)
    for number in [2, 1, 3] as [UInt64] {
      var frame = try makeBroadcastFrame(number)
      frame.pixelBuffer = try makeProof(number)
      rig.provider.onFrame(frame)
    }
    #expect(rig.state.framesVerified == 2 && rig.state.framesShownAgain == 0)
    #expect((rig.state.lastFrame?.number, rig.state.frames.framesSkipped) == (3, 1))
  }

  @Test(arguments: [false, true])
  func aFrameReadBeforeTheCrashIsNotDeliveredAfterIt(isFirst: Bool) async throws {
    let rig = try Rig(isLive: true)
    if !isFirst { try rig.deliver() }
    try rig.producer.publish(makeFilledPicture(32, 16))
    await withAFrameThatWaits(rig) {
      rig.crash()
    }
    #expect(rig.phases == [.waiting] + (isFirst ? [] : [.live]) + [.crashed(pid: getpid())])
    rig.provider.refresh()
    #expect((rig.state.frames.framesDelivered, rig.state.frames.framesSkipped) == (isFirst ? 0 : 1, 1))
  }

  @Test func theStateHasNoHistogram() {
    var unread: [Any] = [BroadcastState()]
    while let value = unread.popLast() {
      #expect(!(value is DelayHistogram))
      unread += Mirror(reflecting: value).children.map(\.value)
    }
  }

  @Test func aFrameFromBeforeThePauseDoesNotResume() throws {
    let rig = try Rig(isLive: true)
    try rig.deliver()
    try rig.producer.publish(makeFilledPicture(32, 16))
    rig.producer.setPaused(true)
    rig.provider.refresh()
    rig.frameTimer.tick()
    #expect((rig.phases, rig.state.frames.framesDelivered) == ([.waiting, .live, .paused], 2))
  }

  @Test func aCrashIsReportedOnceAndTheNextProducerIsFollowed() throws {
    let rig = try Rig(isLive: true)
    try rig.deliver()
    rig.crash()
    rig.crashTimer.tick()
    let crashed = BroadcastState.Phase.crashed(pid: getpid())
    #expect(rig.phases == [.waiting, .live, crashed])
    try rig.begin()
    rig.crashTimer.tick()
    #expect(rig.state.phase == crashed)
    try rig.deliver()
    #expect((rig.phases, rig.state.frames.framesDelivered) == ([.waiting, .live, crashed, .live], 2))
  }

  @Test func aFrameOfACrashedProducerIsNotDelivered() throws {
    let rig = try Rig(isLive: true)
    try rig.deliver()
    try rig.producer.publish(makeFilledPicture(32, 16))
    rig.crash()
    rig.frameTimer.tick()
    rig.provider.refresh()
    #expect(
      (rig.phases, rig.state.frames.framesDelivered) == ([.waiting, .live, .crashed(pid: getpid())], 1))
  }

  @Test func anAppStartedAfterTheCrashReportsItAndShowsNothing() throws {
    let rig = try Rig()
    try rig.producer.start()
    try rig.producer.publish(makeFilledPicture(32, 16))
    rig.producer.die()
    rig.provider.start()
    rig.frameTimer.tick()
    rig.provider.refresh()
    #expect((rig.phases, rig.state.frames.framesDelivered) == ([.waiting, .crashed(pid: getpid())], 0))
    try rig.producer.setFlag(false)
    rig.statusTimer.tick()
    #expect((rig.state.phase, rig.state.frames.framesDelivered) == (.ended(nil), 0))
  }

  @Test func aCrashDetectedBeforeTheFlagRemainsACrash() throws {
    let rig = try Rig(isStarted: true)
    try rig.producer.start()
    rig.crash()
    rig.statusTimer.tick()
    #expect((rig.phases, rig.state.isActive) == ([.waiting, .crashed(pid: getpid())], true))
  }

  @Test func aFrameOfAStoppedProcessDoesNotContinueIt() async throws {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sleep")
    process.arguments = ["86400"]
    try process.run()
    let pid = process.processIdentifier
    defer { kill(pid, SIGKILL) }
    let rig = try Rig()
    try rig.producer.start(processID: pid)
    rig.provider.start()
    kill(pid, SIGSTOP)
    #expect(await eventually { ProcessState.isStopped(pid) })
    rig.crashTimer.tick()
    try rig.deliver()
    #expect((rig.phases, rig.state.frames.framesDelivered) == ([.waiting, .suspended(pid: pid)], 1))
    kill(pid, SIGCONT)
    #expect(await eventually { !ProcessState.isStopped(pid) })
    try rig.deliver()
    #expect(rig.phases == [.waiting, .suspended(pid: pid), .live])
  }

  @Test func pollsAfterTheEndOfASessionAreNotCounted() throws {
    let rig = try Rig(isLive: true)
    for _ in 1...3 { try rig.deliver() }
    try rig.producer.leave()
    for _ in 1...15 { rig.frameTimer.tick() }
    rig.provider.refresh()
    #expect(rig.state.frames.polls == 3)
  }

  @Test func withoutAFrameTheAdviceDependsOnTheFlag() throws {
    let rig = try Rig(isStarted: true)
    #expect(rig.provider.failure(wasInterrupted: false)?.message.contains("start a producer") == true)
    try rig.producer.setFlag(true)
    rig.statusTimer.tick()
    #expect(rig.provider.failure(wasInterrupted: false)?.message.contains("the same --layout") == true)
  }

  @Test func verifiedFramesAreCountedAndTheFirstTearIsKept() throws {
    let rig = try Rig(isLive: true, verifies: true)
    for picture in [
      try makeProof(1), try makeProof(2), try makeFilledPicture(64, 48),
      try makeFilledPicture(64, 48, luma: 3),
    ] { try rig.deliver(picture) }
    #expect((rig.state.framesVerified, rig.state.framesTorn) == (2, 0))
    #expect(rig.state.firstTear?.hasSuffix("from 'producer --pattern proof'") == true)
    let summary = AppSummary(rig.state)
    #expect(summary.framesWithoutProof == 2 && summary.framesTorn == 0)
    // A key has the same meaning in both events.
    var stats: [WatchStats] = []
    let viewModel = WatchViewModel { if case .stats(let new) = $0 { stats.append(new) } }
    viewModel.showStats(rig.state, ratesOver: .zero)
    #expect(stats.map(\.framesTorn) == [summary.framesTorn] && stats.map(\.framesWithoutProof) == [2])
  }

  @Test func aTornFrameIsNotOneWithoutTheProofPattern() {
    var state = BroadcastState()
    state.count(.notProof, of: 1)
    state.count(.torn(row: 3, plane: 0, expected: 1, found: 2), of: 1)
    let summary = AppSummary(state)
    #expect(summary.framesTorn == 1 && summary.framesWithoutProof == 1 && summary.framesVerified == 0)
  }

  @Test func aVerifiedFrameWithAnOldNumberCountsAsRepeated() throws {
    let rig = try Rig(isLive: true, verifies: true)
    for number in [5, 6, 6, 4, 7] as [UInt64] { try rig.deliver(try makeProof(number)) }
    #expect((rig.state.framesVerified, AppSummary(rig.state).framesRepeated) == (5, 2))
  }

  @Test func framesAreVerifiedOnlyOnRequest() throws {
    let rig = try Rig(isLive: true)
    try rig.deliver(makeFilledPicture(64, 48))
    #expect(rig.state.framesVerified == 0 && rig.state.framesTorn == 0)
  }

  @Test func theAgeIsNeverNegative() throws {
    let rig = try Rig(isLive: true, clock: TestClock(at: 1_000_000_000))
    try rig.deliver(at: 990_000_000)
    #expect(rig.state.lastAge == .milliseconds(10))
    for captureTime in [1_000_000_000, 1_000_000_001, .max] as [UInt64] { try rig.deliver(at: captureTime) }
    #expect((rig.state.lastAge, rig.state.frames.framesDelivered) == (.zero, 4))
  }

  @Test func aDamagedFileOfFramesIsReportedOnceUntilTheNextFrame() throws {
    let rig = try Rig()
    try rig.producer.start()
    try Data(repeating: 7, count: 9000).write(to: URL(fileURLWithPath: rig.container.framesFile))
    rig.provider.start()
    rig.frameTimer.tick()
    rig.frameTimer.tick()
    #expect(
      rig.state.failure == .frames(.file(FileError(.notARing("a frame ring"), rig.container.framesFile))))
    #expect(rig.commits.filter { $0.old.failure != $0.new.failure }.count == 1)
    try rig.producer.leave()
    try rig.producer.start()
    try rig.deliver()
    #expect((rig.state.failure, rig.state.phase) == (nil, .live))
  }

  @Test func anUnreadableStatusKeepsTheLastOne() throws {
    let rig = try Rig(isLive: true)
    try Data("no list".utf8).write(to: URL(fileURLWithPath: rig.container.preferencesFile))
    rig.statusTimer.tick()
    #expect(rig.state.failure == .status(FileError(.notAPropertyList, rig.container.preferencesFile)))
    #expect(rig.state.isActive)
    try rig.producer.setFlag(true)
    rig.statusTimer.tick()
    #expect(rig.state.failure == nil)
  }

  @Test func aFinishedSessionEndsTheBroadcastAlthoughTheFlagStaysOn() throws {
    let rig = try Rig(isLive: true)
    try rig.deliver(try makeFilledPicture(64, 48))
    try rig.producer.leave()
    rig.provider.refresh()
    #expect((rig.state.phase, rig.state.isActive) == (.ended(nil), true))
  }

  @Test func pollsAndTheirTimeAreSumsOverAllBroadcasts() throws {
    let rig = try Rig(isStarted: true)
    var schedule = TickSchedule(start: 0, interval: .seconds(1))
    schedule.begin(at: 1_000_000_000)
    schedule.end(at: 3_500_000_000)
    for _ in 0..<2 {
      try rig.begin()
      rig.frameTimer.schedule = schedule
      try rig.finish()
    }
    rig.provider.refresh()
    #expect((rig.state.timePolled, rig.state.missedTicks) == (.seconds(2), 2))
  }

  @Test func aStoppedProviderReceivesNothing() throws {
    let rig = try Rig(isLive: true)
    rig.provider.stop()
    let count = rig.commits.count
    try rig.deliver()
    rig.statusTimer.tick()
    rig.crashTimer.tick()
    #expect(rig.commits.count == count)
    #expect(!rig.statusTimer.isRunning && !rig.crashTimer.isRunning && !rig.frameTimer.isRunning)
  }
}
