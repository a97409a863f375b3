import BroadcastTesting
import EmulatedDevice
import ReplayKit
import ScreenBroadcast
import TestSupport

struct VirtualBroadcastTests {
  @Test func aStopByTheAppIsSeenWithinOnePoll() async throws {
    let broadcast = TestBroadcast(of: SampleHandler())
    try await broadcast.start(for: .seconds(10), then: "rotate:left")
    try await broadcast.app.stop()
    let end = try await broadcast.finished(within: .seconds(1))
    #expect((end.reason, end.error?.domain) == ("stoppedByApp", SampleHandler.errorDomain))
    #expect(end.error?.code == 1)
    #expect((600...631).contains(end.framesProduced))
    #expect(end.framesDropped == 0 && end.misuses == 0 && end.samplesHeld == 0)
    let summary = try await broadcast.app.summary()
    #expect(summary.framesTorn == 0)
    // A phone delivers silence while no app plays audio. It delivers no microphone audio until the microphone is turned on.
    let audio = try #require(summary.appAudio)
    #expect(audio.framesReceived > 440_000 && audio.peakDb == -96 && summary.microphone == nil)
    #expect((280...320).contains(summary.framesVerified))
    #expect((summary.framesVerified, summary.statusChanges) == (summary.framesDelivered, 2))
  }

  /// Records the values that a handler reads from its device.
  private final class DeviceReader: RPBroadcastSampleHandler {
    let seen = Recorder<String>()

    override func broadcastStarted(withSetupInfo setupInfo: [String: NSObject]?) {
      seen.add(UIDevice.current.systemVersion)
      let version = ProcessInfo.processInfo.operatingSystemVersion
      seen.add("\(version.majorVersion).\(version.minorVersion).\(version.patchVersion)")
      seen.add("\(UIScreen.main.nativeBounds.width)")
    }

    override func processSampleBuffer(
      _ sampleBuffer: CMSampleBuffer, with sampleBufferType: RPSampleBufferType
    ) {
      if sampleBufferType == .video, seen.values.count == 3 {
        seen.add("captured: \(UIScreen.main.isCaptured)")
      }
    }
  }

  @Test(arguments: [
    ("ipad-mini", "17.4.1", ["17.4.1", "17.4.1", "1488.0"]),
    ("iphone-se", "15", ["15.0", "15.0.0", "750.0"]),
  ]) func aHandlerReadsItsDevice(_ device: String, _ ios: String, _ expected: [String]) async throws {
    let handler = DeviceReader()
    let broadcast = TestBroadcast(
      of: handler, screen: .pattern(.bars, device: device, ios: ios, framesPerSecond: 10))
    try await broadcast.start(for: .milliseconds(300), then: "stop")
    try await broadcast.finished(within: .seconds(1))
    #expect(handler.seen.values == expected + ["captured: true"])
  }

  /// Records the person's answer to the app's request.
  private final class PermissionReader: RPBroadcastSampleHandler {
    let seen = Recorder<AVAudioSession.RecordPermission>()

    override func broadcastStarted(withSetupInfo setupInfo: [String: NSObject]?) {
      seen.add(AVAudioSession.sharedInstance().recordPermission)
    }
  }

  @Test(arguments: [true, false]) func aPersonDeniesWhatTheTestSays(isDenied: Bool) async throws {
    let screen = TestScreen.pattern(.bars, framesPerSecond: 10)
    let handler = PermissionReader()
    let broadcast = TestBroadcast(of: handler, screen: isDenied ? screen.denying(.microphone) : screen)
    try await broadcast.start()
    try await broadcast.perform("stop")
    try await broadcast.finished(within: .seconds(1))
    #expect(handler.seen.values == [isDenied ? .denied : .granted])
  }

  @Test func theSameSeedGivesTheSameEvents() async throws {
    func events(seed: UInt64) async throws -> String {
      let broadcast = TestBroadcast(
        of: SampleHandler(), screen: .pattern(.proof, width: 64, height: 64), appAudio: .tone,
        microphone: .tone, seed: seed)
      try await broadcast.start(for: .seconds(1.5), then: "lock:pause")
      try await broadcast.run(for: .seconds(0.5), then: "unlock")
      try await broadcast.run(for: .seconds(1))
      try await broadcast.app.stop()
      try await broadcast.finished(within: .seconds(1))
      return await broadcast.timeline.jsonLines
    }
    let first = try await events(seed: 7)
    #expect(first == (try await events(seed: 7)))
    #expect(first != (try await events(seed: 8)))
    #expect(first.contains("\"event\":\"stats\""))
  }

  @Test func aTraceOfAPhoneIsReplayed() async throws {
    let trace = Document.package.appending(path: "Tests/Fuzzing/Seeds/trace/phone.jsonl").path
    let broadcast = TestBroadcast(of: SampleHandler(), screen: .trace(trace, pattern: .proof))
    try await broadcast.start()
    let end = try await broadcast.finished(within: .milliseconds(520))
    #expect(end.reason == "stoppedBySystem" && end.framesProduced == 6 && end.framesDropped == 0)
    let summary = try await broadcast.app.summary()
    #expect(summary.framesTorn == 0 && summary.framesVerified >= 4)
    #expect(await broadcast.timeline.jsonLines.contains(#""event":"paused""#))
  }

  @Test func aTraceWithAudioOfItsOwnTakesNoOther() async throws {
    let broadcast = TestBroadcast(of: SampleHandler(), screen: .trace("phone.jsonl"), microphone: .tone)
    let error = await #expect(throws: TestBroadcast.Failure.self) { try await broadcast.start() }
    #expect(error?.description.contains("--mic cannot be combined with --trace") == true)
  }

  @Test func audioFollowsTheClock() async throws {
    let broadcast = TestBroadcast(
      of: SampleHandler(), screen: .pattern(.bars, width: 64, height: 64), appAudio: .tone, microphone: .tone)
    try await broadcast.start()
    let seconds: UInt64 = runsLongTests ? 60 : 6
    try await broadcast.run(for: .seconds(seconds), then: "stop")
    let end = try await broadcast.finished(within: .zero)
    #expect(end.reason == "stoppedBySystem" && end.audioDropped == 0)
    let summary = try await broadcast.app.summary()
    let audio = try #require(summary.appAudio)
    #expect((seconds - 2...seconds + 1).contains(audio.marks) && audio.gaps == 0 && audio.framesLost == 0)
    #expect(audio.markOffsetMs < 1)
    let microphone = try #require(summary.microphone)
    #expect((seconds - 2...seconds + 1).contains(microphone.marks))
  }

  @Test func aPauseAndACallAreNoFaultOfTheAudio() async throws {
    let broadcast = TestBroadcast(
      of: SampleHandler(), screen: .pattern(.bars, width: 64, height: 64), microphone: .tone)
    try await broadcast.start()
    for event in ["pause", "resume", "call:audio-returns", "hangup", "stop"] {
      try await broadcast.run(for: .seconds(2), then: event)
    }
    try await broadcast.finished(within: .zero)
    let audio = try #require(try await broadcast.app.summary().microphone)
    #expect(audio.gaps == 0 && audio.framesLost == 0 && audio.markOffsetMs < 1)
    // Eight seconds without the pause. The phone call silences two of them.
    #expect((376_000...385_000).contains(audio.framesReceived) && (4...6).contains(audio.marks))
  }

  @Test func audioThatASlowHandlerMissesIsCounted() async throws {
    let broadcast = TestBroadcast(of: SampleHandler(), appAudio: .tone)
    try await broadcast.start(for: .milliseconds(600), then: "slow:0.2")
    try await broadcast.run(for: .seconds(4), then: "stop")
    // The handler processes five calls a second, two or three of them with audio; 43 packets a second are due.
    #expect(try await broadcast.finished(within: .seconds(1)).audioDropped > 50)
    let audio = try #require(try await broadcast.app.summary().appAudio)
    // The ring lost no audio that the handler received.
    #expect((15_000..<66_150).contains(audio.framesReceived) && audio.gaps == 0)
  }

  @Test func aHandlerHasTheClockOfTheDevice() async throws {
    let times = Times()
    let broadcast = TestBroadcast(of: ClockHandler(times), screen: .pattern(.bars), appAudio: .off)
    try await broadcast.start(for: .seconds(5), then: "stop")
    try await broadcast.finished(within: .zero)
    #expect(times.differences.count >= 300)
    // A frame's time is up to half a millisecond earlier than its call.
    #expect(times.differences.allSatisfy { abs($0) < 0.000_501 })
    #expect(times.folder == broadcast.containerFolder)
  }

  @Test func aSlowHandlerMissesFramesInVirtualTime() async throws {
    let broadcast = TestBroadcast(of: SampleHandler(), appAudio: .off)
    try await broadcast.start()
    try await broadcast.perform("slow:0.05")
    try await broadcast.run(for: .seconds(10), then: "stop")
    let end = try await broadcast.finished(within: .seconds(1))
    // 20 calls a second of the 60 frames.
    #expect((190...215).contains(end.framesProduced))
    #expect((380...420).contains(end.framesDropped))
  }

  @Test func aHandlerMayEndTheBroadcastOnItsOwnQueue() async throws {
    let broadcast = TestBroadcast(of: AsynchronousHandler(), screen: .pattern(.bars))
    try await broadcast.start(for: .seconds(2))
    let end = try await broadcast.finished(within: .seconds(1))
    #expect((end.error?.code, end.reason) == (7, "extensionError"))
    // The handler releases its samples on a private queue, and the clock waits for the queue.
    #expect(end.framesDropped == 0 && end.misuses == 0)
  }

  @Test func aSecondStartUsesTheSameContainer() async throws {
    let broadcast = TestBroadcast(of: SampleHandler())
    for _ in 0..<3 {
      try await broadcast.start(for: .seconds(2), then: "stop")
      try await broadcast.finished(within: .zero)
    }
    let summary = try await broadcast.app.summary()
    #expect(summary.statusChanges == 6 && summary.framesTorn == 0 && summary.framesDelivered > 120)
  }

  @Test func theContainerIsRemovedWithTheBroadcast() async throws {
    var broadcast: TestBroadcast? = TestBroadcast(of: SampleHandler())
    try await broadcast?.start()
    let folder = try #require(broadcast?.containerFolder)
    #expect(FileManager.default.fileExists(atPath: folder))
    try await broadcast?.perform("stop")
    try await broadcast?.finished(within: .zero)
    broadcast = nil
    #expect(!FileManager.default.fileExists(atPath: folder))
  }

  @Test func faultsOfFilesAndFlagHappenInProcess() async throws {
    let broadcast = TestBroadcast(of: SampleHandler())
    try await broadcast.start(for: .seconds(1))
    try await broadcast.perform(.truncate("Library/Caches/Broadcast/frames.ring", byteCount: 100))
    try await broadcast.run(for: .seconds(1))
    let before = try await broadcast.app.summary()
    try await broadcast.run(for: .seconds(1))
    let after = try await broadcast.app.summary()
    #expect(after.framesDelivered > before.framesDelivered + 20 && after.framesTorn == 0)
    try await broadcast.perform(.setFlag(false))
    #expect(try await broadcast.finished(within: .seconds(1)).reason == "stoppedByApp")
  }

  @Test func theLastFrameIsAPicture() async throws {
    let broadcast = TestBroadcast(of: SampleHandler())
    try await broadcast.start(for: .seconds(1))
    let frame = try #require(try await broadcast.app.lastFrame())
    #expect(frame.starts(with: [0x89, 0x50, 0x4E, 0x47]))
  }
}

/// Tests failures of a broadcast, each with its reason and the timeline.
struct BroadcastFailureTests {
  private func reason(_ body: () async throws -> Void) async -> TestBroadcast.Failure? {
    do { try await body() } catch { return error as? TestBroadcast.Failure }
    return nil
  }

  @Test func aRefusedStartHasTheError() async throws {
    let broadcast = TestBroadcast(of: RefusingHandler(), screen: .pattern(.bars))
    let failure = try #require(await reason { try await broadcast.start() })
    guard case .handlerRefused(let end) = failure.reason else {
      Issue.record("\(failure)")
      return
    }
    #expect(end.error?.code == 3)
    #expect(failure.description.contains("broadcastStarted"))
  }

  @Test func aBroadcastThatDoesNotEndIsAFailureWithTheTimeline() async throws {
    let broadcast = TestBroadcast(of: SampleHandler())
    try await broadcast.start()
    let failure = try #require(await reason { try await broadcast.finished(within: .seconds(3)) })
    #expect(failure.reason == .notFinished && failure.description.contains("has not ended within 3 s"))
    #expect(failure.description.contains("\"event\":\"stats\""))
  }

  @Test func notificationsOfOneBroadcastAreNotThoseOfAnother() async throws {
    let (times, otherTimes) = (Times(), Times())
    var broadcast: TestBroadcast? = TestBroadcast(of: NotifyingHandler(times), appAudio: .off)
    let other = TestBroadcast(of: NotifyingHandler(otherTimes), appAudio: .off)
    try await broadcast?.start()
    try await broadcast?.perform("notifications:lost")
    try await broadcast?.run(for: .seconds(1))
    // The first frame may have come before the fault.
    let heard = times.differences.count
    #expect(heard <= 1)
    try await other.start(for: .seconds(1))
    let frames = otherTimes.differences.count
    #expect((55...61).contains(frames) && times.differences.count == heard)
    // A second late on the virtual clock.
    try await other.perform("notifications:late")
    try await other.run(for: .milliseconds(990))
    #expect(otherTimes.differences.count == frames)
    try await other.run(for: .milliseconds(510))
    #expect((frames + 25...frames + 31).contains(otherTimes.differences.count))
    // A new launch begins without the fault.
    try await broadcast?.perform("stop")
    try await broadcast?.finished(within: .zero)
    try await broadcast?.start(for: .seconds(1))
    #expect((55...61).contains(times.differences.count - heard))
    let folder = try #require(broadcast?.containerFolder)
    #expect(!FileManager.default.fileExists(atPath: folder + "/../\(NamedSignals.standardFolder)"))
    broadcast = nil
    #expect(await eventually { !FileManager.default.fileExists(atPath: folder) })
  }

  @Test func wrongEventsScreensAndFaultsAreNamed() async throws {
    let broadcast = TestBroadcast(of: SampleHandler())
    #expect(await reason { try await broadcast.perform("pause") }?.reason == .eventRefused)
    try await broadcast.start()
    #expect(await reason { try await broadcast.perform("resume") }?.reason == .eventRefused)
    for event in ["crash", "replayd-crash:1", "allocate:1", "app:background"] {
      #expect(await reason { try await broadcast.perform(event) }?.reason == .needsProcesses)
    }
    #expect(await reason { try await broadcast.perform(.kill(.extension)) }?.reason == .needsProcesses)
    #expect(await reason { try await broadcast.start() }?.reason == .cannotStart)
    let missing = await reason { try await broadcast.perform(.truncate("missing", byteCount: 1)) }
    #expect(missing?.reason == .faultImpossible)
    let odd = TestBroadcast(of: SampleHandler(), screen: .pattern(.proof, device: "phone"))
    let failure = await reason { try await odd.start() }
    #expect(failure?.reason == .cannotStart && failure?.description.contains("--device") == true)
  }
}

@Suite(.enabled(if: runsLongTests, "takes a minute: set LONG_TESTS=1"), .busyMachine)
struct LongVirtualBroadcastTests {
  @Test func tenMinutesAreTheSameTwice() async throws {
    func tenMinutes() async throws -> Timeline {
      let broadcast = TestBroadcast(of: SampleHandler(), screen: .pattern(.proof, width: 16, height: 16))
      try await broadcast.start(for: .seconds(600), then: "stop")
      let end = try await broadcast.finished(within: .zero)
      #expect(end.framesProduced > 35_990 && end.framesDropped == 0)
      return await broadcast.timeline
    }
    let first = try await tenMinutes()
    #expect(first == (try await tenMinutes()))
  }
}
