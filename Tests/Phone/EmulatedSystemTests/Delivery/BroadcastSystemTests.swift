import Causes
import ReplayKit
import ScreenBroadcast
import TestSupport

@testable import EmulatedSystem

@MainActor @Suite struct BroadcastSystemTests {
  typealias Rig = SystemRig

  private let rig: Rig

  init() throws { rig = try Rig() }

  @Test func aHandlerThatHoldsAllBuffersGetsAFrameInSixSeconds() async throws {
    rig.handler.holdsSamples = true
    await rig.start()
    await rig.tick(10)
    #expect(rig.handler.times.count == EmulatedScreen.bufferCount)
    rig.clock.advance(by: .seconds(6))
    await rig.tick(10)
    #expect(rig.handler.times.count == EmulatedScreen.bufferCount + 1)
    await rig.stop()
    #expect(rig.system.misuses[.kept] ?? 0 > 0)
  }

  @Test func noCallFollowsTheEnd() async throws {
    await rig.start()
    await rig.stop()
    let calls = rig.handler.calls
    await rig.stop()
    rig.system.perform("pause")
    rig.system.perform("resume")
    rig.system.step()
    rig.system.start()
    rig.handler.fail()
    await rig.settle()
    #expect((rig.handler.calls, rig.events) == (calls, ["started", "finished"]))
  }

  @Test func theRateExcludesPausesEvenOneUntilTheEnd() async throws {
    await rig.start()
    await rig.tick(5)
    rig.system.perform("pause")
    rig.clock.advance(by: .seconds(1))
    rig.system.perform("resume")
    await rig.tick(5)
    rig.system.perform("pause")
    rig.clock.advance(by: .seconds(2))
    let during = rig.system.progress
    await rig.stop()
    #expect(rig.system.progress == during && during.paused == .seconds(3))
    let end = try #require(rig.end)
    #expect(end.framesProduced == 11 && abs(end.seconds - 3.2) < 1e-9)
    #expect(abs(end.framesPerSecond - 50) < 1e-6)
  }

  @Test func anErrorDuringBroadcastStartedEndsTheBroadcastBeforeItGoesLive() async throws {
    rig.handler.onStarted = { [handler = rig.handler] in handler.fail(2) }
    #expect(try await rig.outcome(of: "") == ["started", "finished", "extensionError"])
    #expect(rig.end?.framesProduced == 0)
  }

  @Test func anErrorDuringASampleEndsTheBroadcastOnceAfterThatSample() async throws {
    await rig.start()
    rig.handler.onSample = { [handler = rig.handler] in
      handler.fail()
      handler.fail(7)
    }
    await rig.tick()
    #expect(await eventually { rig.end != nil })
    #expect((rig.handler.calls, rig.events) == (["started", "video", "video"], ["started", "finished"]))
    #expect(rig.error?.code == 1)
  }

  @Test func anErrorOnAnotherThreadEndsTheBroadcast() async throws {
    await rig.start()
    // The framework's class is not Sendable, but this call is allowed on any thread.
    nonisolated(unsafe) let handler = rig.handler
    DispatchQueue.global().async { unsafe handler.fail() }
    #expect(await eventually { rig.end != nil })
    #expect((rig.handler.calls, rig.end?.reason) == (["started", "video"], "stoppedByApp"))
  }

  @Test func theBroadcastEndsAfterItsFramesOrItsDurationEvenWhilePaused() async throws {
    #expect(
      try await Rig(frameLimit: 3).outcome(of: "tick tick tick tick tick")
        == ["started video video video finished", "started, finished", "frames"])
    #expect(
      try await Rig(durationLimit: .milliseconds(60)).outcome(of: "tick tick pause tick")
        == ["started video video video paused finished", "started, paused, finished", "duration"])
  }

  @Test(arguments: [Duration.seconds(Int64.max), .nanoseconds(Int64.max)])
  func aDurationBeyondAnyClockIsNoLimit(_ duration: Duration) async throws {
    let rig = try Rig(durationLimit: duration)
    await rig.start()
    await rig.tick()
    #expect(rig.end == nil)
    await rig.stop()
  }

  @Test func theBroadcastEndsWithItsContentAndContinuesWhileThatIsUnchanged() async throws {
    let content = ScriptedContent()
    content.script = [.success(.drawn), .success(.unchanged), .success(.drawn), .success(.ended)]
    #expect(
      try await Rig(content: content).outcome(of: "tick tick tick")
        == ["started video video finished", "started, finished", "endOfSource"])
    #expect(content.numbers == [1, 2, 2, 3])
  }

  @Test func theBroadcastEndsWithTheErrorOfItsContent() async throws {
    let content = ScriptedContent()
    content.script = [.success(.drawn), .failure(noSuchClip)]
    let rig = try Rig(content: content)
    #expect(
      try await rig.outcome(of: "tick") == ["started video finished", "started, finished", "sourceError"])
    #expect(rig.ending?.failure?.exitCode == .inputOutput)
  }

  @Test func aSampleHasItsCaptureTimeAndTheOrientationOfTheDevice() async throws {
    let rig = try Rig(orientation: .right)
    await rig.start()
    await rig.tick()
    rig.screen.orientation = .left
    await rig.tick()
    await rig.stop()
    #expect(rig.handler.times == [1_000, 20_001_000, 40_001_000])
    #expect(rig.handler.orientations == [6, 6, 8])
  }

  @Test func sevenPixelBuffersWithRowsOf64BytesAreUsedInTurn() async throws {
    await rig.start()
    await rig.tick(9)
    await rig.stop()
    let addresses = rig.handler.addresses
    #expect(Set(addresses).count == 7)
    for index in 7..<addresses.count { #expect(addresses[index] == addresses[index - 7]) }
    #expect(rig.handler.shapes.allSatisfy { $0[2] % 64 == 0 })
    #expect(rig.screen.bytesPerRow == 64)
  }

  @Test func droppedAndLateFramesAreThoseOfTheTimer() async throws {
    await rig.start()
    var schedule = TickSchedule(start: 0, interval: .nanoseconds(100))
    schedule.begin(at: 180)
    schedule.end(at: 450)
    rig.timer.schedule = schedule
    await rig.stop()
    #expect((rig.end?.framesDropped, rig.end?.lateTicks) == (2, 1))
  }

  @Test func aGracefulEndIsReportedWithoutAnError() async throws {
    rig.handler.onSample = { [handler = rig.handler] in finishBroadcastGracefully(handler) }
    #expect(try await rig.outcome(of: "") == ["started video", "started, finished", "endedByExtension"])
    #expect(rig.ending?.failure == nil && !rig.timer.isRunning)
  }

  @Test func aClockThatGoesBackEndsNoBroadcast() async throws {
    let rig = try Rig(durationLimit: .seconds(1))
    await rig.start()
    rig.clock.advance(by: .nanoseconds(-900))
    rig.timer.tick()
    rig.system.perform("pause")
    rig.clock.advance(by: .nanoseconds(-100))
    rig.system.perform("resume")
    rig.timer.tick()
    await rig.stop()
    #expect((rig.end?.framesProduced, rig.end?.seconds) == (3, 0))
  }
}
