import CommandLineSupport
import CoreVideo
import Foundation
import Platform
import ReplayKit
import ScreenBroadcast
import TestSupport
import Testing

@testable import EmulatedSystem

/// What happens to a broadcast from outside, by a schedule or at once.
@MainActor @Suite struct BroadcastEventsTests {
  private func schedule(_ texts: String...) throws -> [ScheduledEvent] {
    try texts.map { try ScheduledEvent(text: $0) }
  }

  @Test func whatIsScheduledHappensInItsOrderWhenItIsDue() async throws {
    let rig = try SystemRig(schedule: try schedule("60ms resume", "20ms rotate:left", "40ms pause"))
    await rig.start()
    #expect(rig.eventTimer.isRunning)
    rig.time += 19_999_999
    rig.eventTimer.tick()
    #expect(rig.events == ["started"])
    rig.time += 1
    rig.eventTimer.tick()
    #expect(rig.events.last == "rotate:left")
    rig.time += 50_000_000
    rig.eventTimer.tick()
    #expect(rig.events == ["started", "rotate:left", "paused", "resumed"])
    #expect(!rig.eventTimer.isRunning)
    await rig.stop()
    #expect(rig.handler.calls == ["started", "video", "paused", "resumed", "finished"])
  }

  @Test func setupInfoAndAnnotationReachTheHandler() async throws {
    let rig = try SystemRig(setupInfo: ["room": "42", "name": "a"])
    await rig.start()
    rig.system.perform(.annotate(bundleIdentifier: "com.example.game"))
    await rig.stop()
    #expect(
      rig.handler.calls == ["started with name=a room=42", "video", "annotated com.example.game", "finished"])
  }

  @Test func tappingTheRedMarkPausesThenEnds() async throws {
    let rig = try SystemRig()
    await rig.start()
    rig.system.perform(.indicator(.stop))
    await rig.tick(3)
    rig.time += 939_999_999
    rig.eventTimer.tick()
    #expect(rig.report == nil)
    rig.time += 1
    rig.eventTimer.tick()
    await rig.settle()
    #expect(rig.handler.calls == ["started", "video", "paused", "finished"])
    #expect(rig.report?.ending.reason == "stoppedBySystem")
  }

  @Test func tappingTheRedMarkAndCancellingResumes() async throws {
    let rig = try SystemRig()
    await rig.start()
    rig.system.perform(.indicator(.cancel))
    #expect(rig.system.perform(.indicator(.stop)) == "The person is being asked already.")
    rig.time += 1_000_000_000
    rig.eventTimer.tick()
    await rig.tick()
    await rig.stop()
    #expect(rig.handler.calls == ["started", "video", "paused", "resumed", "video", "finished"])
  }

  @Test func theDeviceMayBeLockedDuringAPauseAndOnlyTheLastReasonGoneResumes() async throws {
    let rig = try SystemRig()
    await rig.start()
    rig.system.perform(.pause)
    rig.system.perform(.lock)
    #expect(rig.system.perform(.lock) == "The device is locked already.")
    rig.system.perform(.resume)
    await rig.tick()
    rig.system.perform(.unlock)
    #expect(rig.system.perform(.unlock) == "The device is not locked.")
    await rig.tick()
    await rig.stop()
    #expect(rig.handler.calls == ["started", "video", "paused", "resumed", "video", "finished"])
  }

  @Test(arguments: RPRecordingErrorCode.allCases)
  func theExtensionEndsWithAnyOfReplayKitsErrors(_ code: RPRecordingErrorCode) async throws {
    let rig = try SystemRig()
    await rig.start()
    rig.system.perform(try DeviceEvent(text: "error:\(code)"))
    #expect(await eventually { rig.report != nil })
    guard case .byExtension(let error)? = rig.report?.ending else {
      Issue.record("not ended by the extension")
      return
    }
    #expect(error.domain == "com.apple.ReplayKit.RPRecordingErrorDomain")
    #expect(error.code == code.rawValue)
    #expect(rig.handler.calls == ["started", "video"])
    #expect(rig.report?.ending.failure?.exitCode == .endedByHandler)
  }

  /// A handler that is being started until it is let go.
  private func starting(_ rig: SystemRig) -> DispatchSemaphore {
    let (isStarting, mayGoOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    rig.handler.onStarted = {
      isStarting.signal()
      mayGoOn.wait()
    }
    rig.system.start()
    isStarting.wait()
    return mayGoOn
  }

  @Test func aStopWhileTheStartStillRunsWaitsForIt() async throws {
    let rig = try SystemRig()
    let mayGoOn = starting(rig)
    #expect(rig.system.perform(.pause) == "The broadcast has not started yet.")
    rig.system.perform(.stop)
    #expect(rig.report == nil)
    #expect(rig.system.isWaitingForHandler)
    #expect(rig.system.perform(.lock) == "The broadcast is over.")
    mayGoOn.signal()
    #expect(await eventually { rig.report != nil })
    #expect(rig.handler.calls == ["started", "finished"])
    #expect(rig.handler.deepest == 1)
    #expect(!rig.system.isWaitingForHandler)
  }

  @Test func anErrorOfTheHandlerWhileTheStartStillRunsIsWhatEndsItAndNothingIsCalledAfterIt() async throws {
    let rig = try SystemRig()
    let mayGoOn = starting(rig)
    rig.system.perform(.annotate(bundleIdentifier: "a.b"))
    rig.handler.fail(7)
    // An end by the system that comes behind it changes nothing.
    rig.system.perform(.stop)
    mayGoOn.signal()
    #expect(await eventually { rig.report != nil })
    #expect(rig.handler.calls == ["started"])
    guard case .byExtension(let error)? = rig.report?.ending else {
      Issue.record("not ended by the extension")
      return
    }
    #expect(error.code == 7)
  }

  @Test(arguments: ["0s stop", "0s annotate:a.b", "0s error:failed"])
  func whatIsDueAtOnceComesBehindTheStart(_ text: String) async throws {
    let rig = try SystemRig(schedule: try schedule(text))
    rig.system.start()
    if text.hasSuffix("a.b") {
      #expect(await eventually { rig.timer.isRunning })
      await rig.stop()
    }
    #expect(await eventually { rig.report != nil })
    #expect(rig.handler.calls.first == "started")
    #expect(rig.report?.ending.reason == (text.hasSuffix("failed") ? "extensionError" : "stoppedBySystem"))
  }

  @Test func aHandlerIsSlowFromItsFirstCallOn() async throws {
    let rig = try SystemRig(schedule: try schedule("0s slow:0.05"))
    let start = ContinuousClock.now
    await rig.start()
    #expect(ContinuousClock.now - start >= .milliseconds(50))
    #expect(rig.events.prefix(2) == ["slow:0.05", "started"])
    rig.system.delivery.delay = .zero
    await rig.stop()
  }

  @Test func aPauseGivesUpABurst() async throws {
    let rig = try SystemRig()
    await rig.start()
    rig.system.perform(.burst(3))
    await rig.tick(2)
    rig.system.perform(.pause)
    rig.system.perform(.resume)
    await rig.tick()
    await rig.stop()
    #expect(rig.report?.progress.framesProduced == 2)
    #expect(rig.report?.progress.framesDropped == 2)
  }

  @Test func aTurnAndAnotherSizeComeWithTheNextPicture() async throws {
    let rig = try SystemRig(content: nil)
    await rig.start()
    rig.system.perform(.rotate(.right))
    await rig.tick()
    rig.system.perform(.resize(Size(width: 64, height: 32)))
    await rig.tick()
    await rig.stop()
    #expect(rig.handler.pixelBuffers.map { CVPixelBufferGetWidth($0) } == [18, 18, 64])
    #expect(rig.handler.pixelBuffers.map { CVPixelBufferGetHeight($0) } == [16, 16, 32])
    #expect(rig.handler.orientations == [1, 6, 6])
  }

  @Test func aScreenOfOneSizeRefusesAnother() async throws {
    let rig = try SystemRig()
    await rig.start()
    #expect(
      rig.system.perform(.resize(Size(width: 64, height: 32)))
        == "A clip has a size of its own; use a pattern.")
    #expect(rig.events.last == "resize:64x32 refused: A clip has a size of its own; use a pattern.")
    await rig.stop()
  }

  @Test func aStillScreenGivesNoPicturesAndDropsNone() async throws {
    let rig = try SystemRig()
    await rig.start()
    rig.system.perform(.still(.milliseconds(50)))
    await rig.tick(2)
    #expect(rig.handler.calls.count == 2)
    await rig.tick()
    await rig.stop()
    #expect(rig.report?.progress.framesProduced == 2)
    #expect(rig.report?.progress.framesDropped == 0)
  }

  @Test func skippedPicturesCountAsDropped() async throws {
    let rig = try SystemRig()
    await rig.start()
    rig.system.perform(.skip(3))
    await rig.tick(5)
    await rig.stop()
    #expect(rig.report?.progress.framesProduced == 3)
    #expect(rig.report?.progress.framesDropped == 3)
  }

  @Test func aBurstComesAllAtOnceWithTheTimesOfItsPictures() async throws {
    let rig = try SystemRig()
    await rig.start()
    rig.system.perform(.burst(3))
    await rig.tick(2)
    #expect(rig.handler.samples.count == 1)
    await rig.tick(1)
    #expect(rig.handler.samples.count == 4)
    await rig.tick(1)
    await rig.stop()
    #expect(
      rig.handler.samples.map { CMSampleBufferGetPresentationTimeStamp($0).value }
        == [1_000, 20_001_000, 40_001_000, 60_001_000, 80_001_000])
  }

  @Test func anotherRateIsATimerOfAnotherIntervalAndKeepsTheCounts() async throws {
    let rig = try SystemRig()
    await rig.start()
    var schedule = TickSchedule(start: 0, interval: .nanoseconds(100))
    schedule.begin(at: 180)
    schedule.end(at: 450)
    rig.timer.schedule = schedule
    rig.system.perform(.rate(25))
    #expect(rig.timer.interval == .milliseconds(40))
    await rig.stop()
    #expect(rig.report?.progress.framesDropped == 4)
  }

  @Test func aSlowHandlerMakesTheScreenDropWhatDoesNotFit() async throws {
    let rig = try SystemRig()
    await rig.start()
    let mayGoOn = DispatchSemaphore(value: 0)
    rig.handler.onSample = { mayGoOn.wait() }
    for _ in 0..<9 {
      rig.time += 20_000_000
      rig.timer.tick()
    }
    #expect(rig.system.progress.framesDropped >= 3)
    for _ in 0..<9 { mayGoOn.signal() }
    await rig.stop()
    let progress = try #require(rig.report?.progress)
    #expect(progress.framesProduced + progress.framesDropped == 10)
    #expect((3...4).contains(progress.framesDropped))
    // No picture was drawn over one that waited: numbers go up one by one.
    #expect(rig.handler.firstBytes == (1...progress.framesProduced).map { UInt8($0) })
  }
}
