import Causes
import EmulatedDevice
import ReplayKit
import ScreenBroadcast
import TestSupport

@testable import EmulatedSystem

/// Tests device events, scheduled or immediate.
@MainActor @Suite struct BroadcastEventsTests {
  private let rig: SystemRig

  init() throws { rig = try SystemRig() }

  private func schedule(_ texts: String...) throws -> [ScheduledEvent] {
    try texts.map { try ScheduledEvent(text: $0) }
  }

  @Test func scheduledEventsHappenInOrderOfTimeWhenTheyAreDue() async throws {
    let rig = try SystemRig(schedule: try schedule("60ms resume", "20ms rotate:left", "40ms pause"))
    await rig.start()
    #expect(rig.eventTimer.isRunning)
    rig.check(after: .nanoseconds(19_999_999))
    #expect(rig.events == ["started"])
    rig.check(after: .nanoseconds(1))
    #expect(rig.events.last == "rotate:left")
    rig.check(after: .milliseconds(50))
    #expect(rig.events == ["started", "rotate:left", "paused", "resumed"])
    #expect(!rig.eventTimer.isRunning)
    await rig.stop()
    #expect(rig.handler.calls == ["started", "video", "paused", "resumed", "finished"])
  }

  @Test func anEventThatIsDueDuringTheStartHappensBeforeTheFirstFrame() async throws {
    let rig = try SystemRig(schedule: try schedule("40ms stop"))
    // The event's timer does not tick, as on a main queue that is late.
    rig.handler.onStarted = { [clock = rig.clock] in clock.advance(by: .milliseconds(60)) }
    await rig.start()
    #expect((rig.events, rig.handler.calls) == (["finished"], ["started", "finished"]))
  }

  @Test func anEventThatIsDueBeforeTheEndHappensBeforeIt() async throws {
    let rig = try SystemRig(
      durationLimit: .milliseconds(100), schedule: try schedule("60ms annotate:a", "140ms annotate:b"))
    await rig.start()
    rig.tick(after: .milliseconds(200))
    await rig.settle()
    #expect(rig.handler.calls == ["started", "video", "annotated a", "finished"])
  }

  @Test func setupInfoAndTheFirstAnnotationReachTheHandler() async throws {
    let rig = try SystemRig(setupInfo: ["room": "42", "name": "a"])
    let outcome = try await rig.outcome(of: "annotate:com.example.game annotate:c.d stop")
    #expect(outcome[0] == "started with name=a room=42 video annotated com.example.game finished")
    let refusal = "annotate:c.d refused: broadcastAnnotated was called already: it names the first app only."
    #expect(rig.events.contains(refusal))
  }

  @Test func rowsOfChromaAreLongerFromTheNextFrameOn() async throws {
    let screen = try SystemRig(content: nil).screen
    func lengths(_ number: UInt64) throws -> [Int] {
      var lengths: [Int] = []
      _ = try screen.drawFrame(number, at: .zero) { sample, _ in
        guard let pixels = CMSampleBufferGetImageBuffer(sample) else { return false }
        lengths = (0...1).map { CVPixelBufferGetBytesPerRowOfPlane(pixels, $0) }
        return true
      }
      return lengths
    }
    #expect(try lengths(1) == [64, 64])
    try screen.padChroma(by: 24)
    #expect(try lengths(2) == [64, 88])
    try screen.padChroma(by: 0)
    #expect(try lengths(3) == [64, 64])
  }

  /// The script of each case (see `SystemRig.outcome`), and the calls, reported events and end reason that it must produce.
  @Test(arguments: [
    ("tick tick stop", "started video video video finished", "started, finished", "stoppedBySystem"),
    ("finish", "started video", "started, finished", "endedByExtension"),
    (
      "pause pause tick tick tick resume resume tick stop", "started video paused resumed video finished",
      "started, paused, pause refused: The broadcast is paused already., resumed, "
        + "resume refused: The broadcast is not paused., finished", "stoppedBySystem"
    ),
    // The broadcast resumes when the last reason for a pause is gone.
    (
      "pause lock:pause lock:pause resume tick unlock unlock tick stop",
      "started video paused resumed video finished",
      "started, paused, lock:pause, lock:pause refused: The device is locked already., resumed, unlock, "
        + "unlock refused: The device is not locked., finished", "stoppedBySystem"
    ),
    ("lock unlock", "started video finished", "started, lock, finished", "stoppedBySystem"),
    (
      "indicator:cancel indicator:stop 1s tick stop", "started video paused resumed video finished",
      "started, paused, indicator:cancel, indicator:stop refused: The person is being asked already., resumed, "
        + "finished", "stoppedBySystem"
    ),
  ])
  func theHandlerIsCalledAsThePersonActs(
    _ script: String, _ calls: String, _ events: String, _ reason: String
  ) async throws {
    let outcome = try await rig.outcome(of: script)
    #expect(outcome == [calls, events, reason], "\(outcome)")
    #expect(rig.handler.deepest == 1 && !rig.timer.isRunning)
  }

  @Test func tappingTheRecordingIndicatorPausesThenEnds() async throws {
    await rig.start()
    rig.system.perform("indicator:stop")
    await rig.tick(3)
    rig.check(after: .nanoseconds(939_999_999))
    #expect(rig.end == nil)
    rig.check(after: .nanoseconds(1))
    await rig.settle()
    #expect(rig.handler.calls == ["started", "video", "paused", "finished"])
    #expect(rig.end?.reason == "stoppedBySystem")
    // The tap on the indicator causes the end, so the end is not a request.
    #expect(rig.requests == ["indicator:stop"])
  }

  @Test func afterACrashOfReplaydNothingReachesTheHandler() async throws {
    let rig = try SystemRig(durationLimit: .milliseconds(40), schedule: try schedule("10s rotate:left"))
    await rig.start()
    #expect(rig.system.perform("replayd-crash:60") == nil)
    await rig.tick(3)
    for event in ["stop", "pause", "finish", "replayd-crash:1"] as [DeviceEvent] {
      #expect(rig.system.perform(event) == "replayd has crashed; nothing reaches the extension any more.")
    }
    #expect(rig.handler.calls == ["started", "video"])
    #expect(rig.events.prefix(2) == ["started", "replayd-crash:60"] && rig.end == nil)
    // Only the exit of the process is still due.
    #expect(rig.system.schedule.map(\.event) == ["crash"] && rig.eventTimer.isRunning)
    #expect(rig.system.schedule.map(\.time) == [.seconds(60)])
  }

  @Test(arguments: RPRecordingErrorCode.allCases.filter { $0 != .codeSuccessful })
  func theExtensionEndsWithEachErrorOfReplayKit(_ code: RPRecordingErrorCode) async throws {
    #expect(try await rig.outcome(of: "error:\(code)").first == "started video")
    #expect(rig.error?.domain == "com.apple.ReplayKit.RPRecordingErrorDomain")
    #expect((rig.error?.code, rig.ending?.failure?.exitCode) == (code.rawValue, .endedByHandler))
  }

  /// Starts a handler that blocks in `broadcastStarted` until the returned semaphore is signalled.
  private func starting(_ rig: SystemRig) -> DispatchSemaphore {
    let (isStarting, permit) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    rig.handler.onStarted = {
      isStarting.signal()
      permit.wait()
    }
    rig.system.start()
    isStarting.wait()
    return permit
  }

  /// Ticks while the handler blocks in the call with the first frame, until the returned semaphore is signalled.
  private func holding(_ rig: SystemRig, whileTicking count: Int) -> DispatchSemaphore {
    let (isRunning, permit) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    rig.handler.onSample = { [handler = rig.handler] in
      handler.onSample = {}
      isRunning.signal()
      permit.wait()
    }
    for _ in 0..<count { rig.timer.tick() }
    isRunning.wait()
    return permit
  }

  @Test func aStopDuringBroadcastStartedWaitsForItsReturn() async throws {
    let permit = starting(rig)
    #expect(rig.system.perform("pause") == "The broadcast has not started yet.")
    rig.system.perform("stop")
    #expect(rig.end == nil)
    #expect(rig.system.isEndDue && rig.system.openCall == "broadcastStarted")
    #expect(rig.system.perform("lock") == "The broadcast is over.")
    permit.signal()
    #expect(await eventually { rig.end != nil })
    #expect((rig.handler.calls, rig.handler.deepest) == (["started", "finished"], 1))
    #expect(rig.system.openCall == nil)
  }

  @Test(arguments: [(400, 5), (600, 1)])
  func anEndWaitsForTheRunningCallOfASlowHandlerAndNotForEachSample(
    milliseconds: Int, delivered: Int
  ) async throws {
    let rig = try SystemRig()
    await rig.start()
    let permit = holding(rig, whileTicking: 5)
    rig.system.perform("stop")
    rig.clock.advance(by: .milliseconds(milliseconds))
    permit.signal()
    #expect(await eventually { rig.end != nil })
    #expect(
      rig.handler.calls == ["started", "video"] + Array(repeating: "video", count: delivered) + ["finished"])
    #expect(rig.end?.framesProduced == UInt64(delivered + 1))
  }

  @Test func anEndAfterAllFramesWaitsForEachOfThem() async throws {
    let rig = try SystemRig(frameLimit: 4)
    await rig.start()
    let permit = holding(rig, whileTicking: 3)
    rig.clock.advance(by: .seconds(60))
    permit.signal()
    #expect(await eventually { rig.end != nil })
    #expect(rig.end?.framesProduced == 4)
  }

  @Test func anErrorDuringBroadcastStartedEndsTheBroadcastAndNoCallFollows() async throws {
    let permit = starting(rig)
    rig.system.perform("annotate:a.b")
    rig.handler.fail(7)
    // A later stop by the system changes nothing.
    rig.system.perform("stop")
    permit.signal()
    #expect(await eventually { rig.end != nil })
    #expect((rig.handler.calls, rig.error?.code) == (["started"], 7))
  }

  @Test(arguments: ["0s stop", "0s annotate:a.b", "0s error:failed"])
  func anEventAtZeroSecondsFollowsTheStart(_ text: String) async throws {
    let rig = try SystemRig(schedule: try schedule(text))
    rig.system.start()
    if text.hasSuffix("a.b") {
      #expect(await eventually { rig.timer.isRunning })
      await rig.stop()
    }
    #expect(await eventually { rig.end != nil })
    #expect(rig.handler.calls.first == "started")
    #expect(rig.end?.reason == (text.hasSuffix("failed") ? "extensionError" : "stoppedBySystem"))
  }

  @Test func aSocketEventAtZeroSecondsIsInEffectBeforeTheFirstCall() async throws {
    // Other tests of this process make connections too; a separate device has none of them.
    let folder = try TemporaryFolder()
    let (app, other) = (try Listener(folder.path), try SocketEnd())
    let call = try other.call(folder.path + "/app")
    #expect(SocketProxy.shared(for: .current).answer(call) == .connectDirectly)
    #expect(other.connectDirectly(call) == 0)
    do {
      let device = Device(ownRoot: "a device of its own")
      let rig = try SystemRig(schedule: try schedule("0s socket:none"), on: device)
      await rig.start()
      await rig.stop()
      #expect(rig.events.prefix(2) == ["socket:none", "started"])
    }
    withExtendedLifetime((app, other)) {}
  }

  @Test func aSocketFaultWithoutAConnectionIsRefused() async throws {
    let device = Device(ownRoot: "a device without connections")
    let rig = try SystemRig(schedule: try schedule("0s socket:latency,latency=5"), on: device)
    await rig.start()
    rig.system.perform("socket:reset_peer")
    rig.system.perform("socket:none")
    await rig.stop()
    let reason =
      "The handler has made no connection over TCP or a Unix socket that could get a fault. "
      + "Start the broadcast with --at '0s socket:none' for a later connection."
    #expect(
      rig.events.filter { $0.hasPrefix("socket") }
        == ["socket:latency,latency=5", "socket:reset_peer refused: \(reason)", "socket:none"])
  }

  @Test func aBroadcastBeginsWithTheDeviceAsItIs() throws {
    let device = Device()
    device.change { ($0.isLocked, $0.route) = (true, AudioRoute.known[1]) }
    try device.change { state throws(EventRefusal) in try state.begin(.endsAudio) }
    let rig = try SystemRig(audio: [EmulatedAudio(type: .audioMic, content: nil)], on: device)
    #expect(rig.system.audio.map(\.isOn) == [false] && !device.state.isLocked)
    rig.system.perform("hangup")
    #expect(device.state.call != nil, "the broadcast has not begun")
    rig.system.audio[0].begin(at: rig.clock.now)
    rig.system.audio[0].start(at: rig.clock.now)
    let packet = try #require(rig.system.audio[0].samples(until: rig.clock.now + .milliseconds(100)).first)
    let format = CMSampleBufferGetFormatDescription(packet)?.audioStreamBasicDescription
    #expect(format?.mSampleRate == 24_000)
  }

  @Test func aDelayAtZeroSecondsAppliesToTheFirstCall() async throws {
    let rig = try SystemRig(schedule: try schedule("0s slow:0.05"))
    let start = rig.clock.now
    rig.system.start()
    #expect(
      await eventually {
        rig.clock.advance(by: .milliseconds(10))
        return rig.timer.isRunning
      })
    #expect(rig.clock.now - start >= .milliseconds(50))
    #expect(rig.events.prefix(2) == ["slow:0.05", "started"])
    rig.system.perform("stop")
    #expect(
      await eventually {
        rig.clock.advance(by: .milliseconds(10))
        return rig.end != nil
      })
  }

  @Test func aPauseDropsAnUnfinishedBurst() async throws {
    await rig.start()
    rig.system.perform("burst:3")
    await rig.tick(2)
    rig.system.perform("pause")
    rig.system.perform("resume")
    await rig.tick()
    await rig.stop()
    #expect((rig.end?.framesProduced, rig.end?.framesDropped) == (2, 2))
  }

  @Test func anotherOrientationOrSizeAppliesFromTheNextFrameOn() async throws {
    let rig = try SystemRig(content: nil)
    await rig.start()
    rig.system.perform("rotate:right")
    await rig.tick()
    rig.system.perform("resize:64x32")
    await rig.tick()
    await rig.stop()
    #expect(rig.handler.shapes == [[18, 16, 64], [18, 16, 64], [64, 32, 64]])
    #expect(rig.handler.orientations == [1, 6, 6])
  }

  @Test(
    arguments: [
      ("resize:64x32", "A clip has a fixed size; use a pattern."),
      ("repeat:2", "A clip cannot repeat a frame; use a pattern."),
    ] as [(DeviceEvent, String)])
  func aClipRefusesAnotherSizeAndRepetitions(event: DeviceEvent, reason: String) async throws {
    await rig.start()
    #expect(rig.system.perform(event) == reason)
    #expect(rig.events.last == "\(event.text) refused: \(reason)")
    await rig.stop()
  }

  @Test(arguments: [("still:0.05", 3, 2, 0), ("skip:3", 5, 3, 3)] as [(DeviceEvent, Int, UInt64, UInt64)])
  func aStillScreenDropsNoFramesAndSkippedOnesCountAsDropped(
    event: DeviceEvent, ticks: Int, produced: UInt64, dropped: UInt64
  ) async throws {
    await rig.start()
    rig.system.perform(event)
    await rig.tick(ticks - 1)
    #expect(rig.handler.calls.count == Int(produced))
    await rig.tick()
    await rig.stop()
    #expect((rig.end?.framesProduced, rig.end?.framesDropped) == (produced, dropped))
  }

  @Test func aBurstArrivesTogetherWithTheTimesOfItsFrames() async throws {
    await rig.start()
    rig.system.perform("burst:3")
    await rig.tick(2)
    #expect(rig.handler.times.count == 1)
    await rig.tick(1)
    #expect(rig.handler.times.count == 4)
    await rig.tick(1)
    await rig.stop()
    #expect(rig.handler.times == [1_000, 20_001_000, 40_001_000, 60_001_000, 80_001_000])
  }

  @Test func anotherRateChangesTheIntervalAndKeepsTheCounts() async throws {
    await rig.start()
    #expect(rig.timer.interval == .milliseconds(20))
    var schedule = TickSchedule(start: 0, interval: .nanoseconds(100))
    schedule.begin(at: 180)
    schedule.end(at: 450)
    rig.timer.schedule = schedule
    rig.system.perform("rate:25")
    #expect(rig.timer.interval == .milliseconds(40))
    await rig.stop()
    #expect(rig.end?.framesDropped == 4)
  }

  @Test func aSlowHandlerMakesTheScreenDropFrames() async throws {
    await rig.start()
    let permit = DispatchSemaphore(value: 0)
    rig.handler.onSample = { permit.wait() }
    for _ in 0..<9 {
      rig.tick(after: .milliseconds(20))
    }
    #expect(rig.system.progress.total.framesDropped >= 3)
    for _ in 0..<9 { permit.signal() }
    await rig.stop()
    let progress = try #require(rig.end)
    #expect(progress.framesProduced + progress.framesDropped == 10)
    #expect((3...4).contains(progress.framesDropped))
    // The numbers are consecutive, so no frame has overwritten a waiting one.
    #expect(rig.handler.firstBytes == (1...progress.framesProduced).map { UInt8($0) })
  }
}
