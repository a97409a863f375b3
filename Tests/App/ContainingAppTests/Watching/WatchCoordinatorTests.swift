import ScreenBroadcast
import SharedMemory
import TestSupport

@testable import ContainingApp

@MainActor @Suite(.serialized, .sharedMachine) struct WatchCoordinatorTests {
  /// A watch of a container, with timers of short intervals.
  @MainActor final class Watch {
    private let home = TestContainer()
    let producer: FakeProducer
    let view = RecordingView()
    let output = RecordingOutput()
    let provider: BroadcastProvider
    let coordinator: WatchCoordinator
    private(set) var endings: [ProgramFailure?] = []

    init(_ goals: WatchGoals = WatchGoals(), verifies: Bool = false) {
      let container = home.container
      producer = FakeProducer(container)
      let call = VideoCall(outputSize: .native, fit: .crop)
      provider = BroadcastProvider(
        container: container, call: call, statusInterval: .milliseconds(100),
        framePollInterval: .milliseconds(10), verifies: verifies,
        // No frame becomes stale on an overloaded host.
        clock: TestClock(at: SystemClock().now))
      coordinator = WatchCoordinator(
        provider, in: call, view: view, outputs: [output], goals: goals, showsLive: false)
    }

    /// Returns a watch that has started during a broadcast.
    static func live(_ goals: WatchGoals = WatchGoals(), verifies: Bool = false) throws -> Watch {
      let watch = Watch(goals, verifies: verifies)
      try watch.producer.start()
      watch.start()
      return watch
    }

    func start() { coordinator.start { [weak self] in self?.endings.append($0) } }

    func isOver() async -> Bool { await eventually { !self.endings.isEmpty } }

    func ending(sourceLocation: SourceLocation = #_sourceLocation) async throws -> ProgramFailure? {
      #expect(await isOver(), sourceLocation: sourceLocation)
      #expect(endings.count == 1, sourceLocation: sourceLocation)
      #expect(view.summaries.count == 1, sourceLocation: sourceLocation)
      if case .summary? = view.messages.last {
      } else {
        Issue.record("something was shown after the summary", sourceLocation: sourceLocation)
      }
      #expect(output.finishes == 1, sourceLocation: sourceLocation)
      return try #require(endings.first, sourceLocation: sourceLocation)
    }

    /// Publishes frames, each after the output has received the previous one.
    func publish(_ count: Int) async throws {
      for _ in 0..<count where endings.isEmpty {
        let before = output.frames.count
        try producer.publish(makeFilledPicture(32, 16))
        #expect(await eventually { self.output.frames.count > before || !self.endings.isEmpty })
      }
    }
  }

  @Test func aStaleFrameFailsTheVerification() async throws {
    let watch = Watch(WatchGoals(frames: 1), verifies: true)
    watch.start()
    try watch.producer.start()
    #expect(await eventually { watch.provider.state.isActive })
    var frame = try makeBroadcastFrame(at: 1)
    frame.pixelBuffer = try makeProof(1)
    frame.receiveTime = frame.publishTime + BroadcastBufferContext.staleAge * 2
    watch.provider.onFrame(frame)
    #expect(try await watch.ending()?.exitCode == .verificationFailed)
  }

  @Test func itEndsAfterItsFrames() async throws {
    let watch = Watch(WatchGoals(frames: 3))
    watch.start()
    #expect((watch.view.statuses, watch.view.notices) == ([false], ["Waiting for a broadcast."]))
    try watch.producer.start()
    try await watch.publish(5)
    #expect(try await (watch.ending(), watch.view.summaries.first?.framesDelivered) == (nil, 3))
    #expect(watch.output.frames.count == 3)
    try watch.producer.finish()
  }

  @Test func audioOutOfStepIsAFailedVerification() async throws {
    let watch = try Watch.live(WatchGoals(endsWithBroadcast: true), verifies: true)
    let second: UInt64 = 1_000_000_000
    try watch.producer.publish([1, 2, 3], to: .app, at: second)
    // This packet has 21 ms of audio, but the next one begins 61 ms later.
    try watch.producer.publish([Int16](repeating: 1, count: 1_024), to: .app, at: second + 62_500)
    try watch.producer.publish([1, 2, 3], to: .app, at: second + 61_000_000)
    try watch.producer.publish(makeProof(1))
    #expect(
      await eventually {
        watch.provider.refresh()
        return !watch.output.frames.isEmpty && watch.provider.state.appAudio?.framesReceived == 1_030
      })
    try watch.producer.finish()
    let ending = try await watch.ending()
    #expect(ending?.exitCode == .verificationFailed)
    #expect(ending?.message.contains("of app audio are missing") == true)
  }

  @Test func theLastFrameOfABroadcastMayBeTheLastOfTheWatch() async throws {
    let watch = try Watch.live(WatchGoals(frames: 2))
    try await watch.publish(1)
    try watch.producer.publish(makeFilledPicture(32, 16))
    try watch.producer.finish()
    #expect(try await watch.ending() == nil)
  }

  /// The wait for a first frame does not end a watch that has received one.
  @Test(arguments: [
    WatchGoals(duration: .milliseconds(200)),
    WatchGoals(duration: .milliseconds(300), wait: .milliseconds(100)),
  ]) func itEndsAfterItsDuration(_ goals: WatchGoals) async throws {
    let start = ContinuousClock.now
    let watch = try Watch.live(goals)
    // The times of the watch run out on the main queue, so this frame comes before on any host.
    watch.provider.onFrame(try makeBroadcastFrame())
    #expect(try await watch.ending() == nil)
    #expect(ContinuousClock.now - start >= goals.duration ?? .zero)
    try watch.producer.finish()
  }

  @Test(arguments: [
    WatchGoals(duration: .milliseconds(20)), WatchGoals(wait: .milliseconds(20)), WatchGoals(wait: .zero),
  ]) func aWatchWithoutAFrameInTimeFails(_ goals: WatchGoals) async throws {
    let watch = Watch(goals)
    watch.start()
    let ending = try await watch.ending()
    #expect(ending?.exitCode == .nothingCame)
  }

  @Test func aWatchOfOneBroadcastEndsWithIt() async throws {
    let watch = Watch(WatchGoals(endsWithBroadcast: true))
    watch.start()
    try watch.producer.start()
    try await watch.publish(2)
    try watch.producer.finish()
    #expect(try await (watch.ending(), watch.view.notices.contains("The broadcast is over.")) == (nil, true))
  }

  /// A time beyond the clock does not limit the watch.
  @Test(arguments: [
    WatchGoals(), WatchGoals(duration: .seconds(Int64.max), wait: .seconds(Int64.max)),
  ]) func anInterruptedWatchEndsWithoutAFailure(_ goals: WatchGoals) async throws {
    let watch = Watch(goals)
    watch.start()
    for _ in 0..<2 { watch.coordinator.interrupt() }
    #expect(try await watch.ending() == nil)
  }

  @Test func aFailedOutputEndsTheWatchWithItsFailure() async throws {
    let watch = Watch()
    watch.output.failsAt = 2
    try watch.producer.start()
    watch.start()
    try await watch.publish(4)
    let ending = try await watch.ending()
    #expect(ending == ProgramFailure(.inputOutput, "No room."))
    #expect(watch.output.frames.count == 2)
    try watch.producer.finish()
  }

  @Test func noticesOfOutputsComeBeforeTheSummary() async throws {
    let watch = Watch()
    watch.output.notice = "12 frames were not written."
    watch.start()
    watch.coordinator.interrupt()
    #expect(try await (watch.ending(), watch.view.notices.last) == (nil, "12 frames were not written."))
  }

  @Test func aTornFrameIsTheWorstFailure() async throws {
    let watch = try Watch.live(WatchGoals(frames: 2), verifies: true)
    try await watch.publish(2)
    let failure = try await watch.ending()
    #expect(failure?.exitCode == .verificationFailed)
    #expect(failure?.message.hasPrefix("2 of 2 frames failed the verification; the first: ") == true)
    try watch.producer.finish()
  }

  @Test func aCrashEndsTheWatchWithItsExitCode() async throws {
    let watch = try Watch.live(WatchGoals(endsWithBroadcast: true))
    try await watch.publish(1)
    watch.producer.die()
    let ending = try await watch.ending()
    #expect(ending?.exitCode == .producerCrashed)
    #expect(watch.view.messages.contains(.crashed(pid: getpid())))
  }

  @Test func anEarlierCrashDoesNotEndTheWatchOfOneBroadcast() async throws {
    let watch = Watch(WatchGoals(wait: .milliseconds(300), endsWithBroadcast: true))
    try watch.producer.start()
    watch.producer.die()
    watch.start()
    #expect(watch.view.messages.contains(.crashed(pid: getpid())) && watch.endings.isEmpty)
    let ending = try await watch.ending()
    #expect(ending?.exitCode == .producerCrashed)
  }

  @Test func withoutAFrameTheFailureIsThatOfTheFrames() async throws {
    let watch = Watch(WatchGoals(wait: .milliseconds(20)))
    try watch.producer.start()
    let path = watch.producer.container.framesFile
    try Data(repeating: 7, count: 9000).write(to: URL(fileURLWithPath: path))
    watch.start()
    // The wait ends on the main queue, so this poll comes before on any host.
    watch.provider.bufferContext.poll()
    let failure = try await watch.ending()
    #expect(failure?.exitCode == .inputOutput)
    #expect(failure?.message.hasPrefix("\(path) is not a frame ring") == true)
    try watch.producer.finish()
  }
}
