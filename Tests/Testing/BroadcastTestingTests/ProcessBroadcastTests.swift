import BroadcastTesting
import TestSupport

@Suite(.sharedMachine, .broadcastTimeline) struct ProcessBroadcastTests {
  private func broadcast() -> TestBroadcast { TestBroadcast(program: "producer") }

  @Test @MainActor func theSameCallsRunTwoProcesses() async throws {
    let broadcast = broadcast()
    try await broadcast.start()
    #expect(
      await eventually { broadcast.timeline.events.contains { $0.source == .app && $0.name == "format" } })
    try await broadcast.run(for: .milliseconds(500))
    try await broadcast.perform("rotate:left")
    try broadcast.app.stop()
    let end = try await broadcast.finished(within: ChildProcess.waitLimit)
    #expect(end.reason == "stoppedByApp" && end.exitCode == 0 && end.error?.code == 1)
    #expect(end.framesProduced > 0)
    let summary = try await broadcast.app.summary()
    #expect(summary.framesTorn == 0 && summary.framesVerified > 0 && summary.statusChanges == 2)
    let frame = try #require(try await broadcast.app.lastFrame())
    #expect(frame.starts(with: [0x89, 0x50, 0x4E, 0x47]))
  }

  @Test func aKilledExtensionIsACrashThatTheAppReports() async throws {
    let broadcast = broadcast()
    try await broadcast.start()
    // The app polls the flag twice a second, so it may not have seen the flag.
    try await broadcast.perform(.kill(.extension))
    let end = try await broadcast.finished(within: ChildProcess.waitLimit)
    #expect(end.reason == "crashed" && end.exitCode == nil)
    #expect(await broadcast.timeline.events.contains { $0.source == .app && $0.name == "crashed" })
    // The next broadcast uses the same container.
    try await broadcast.start()
    try await broadcast.perform("stop")
    #expect(try await broadcast.finished(within: ChildProcess.waitLimit).reason == "stoppedBySystem")
  }

  @Test @MainActor func aSuspendedExtensionIsNoticed() async throws {
    let broadcast = broadcast()
    try await broadcast.start()
    try await broadcast.run(for: .milliseconds(500))
    try await broadcast.perform(.suspend(.extension))
    #expect(await eventually { broadcast.timeline.events.contains { $0.name == "suspended" } })
    try await broadcast.perform(.resume(.extension))
    #expect(
      await eventually { broadcast.timeline.events.contains { $0.source == .app && $0.name == "resumed" } })
    try await broadcast.perform(.setFlag(false))
    #expect(try await broadcast.finished(within: ChildProcess.waitLimit).reason == "stoppedByApp")
  }

  @Test(.endsOtherSockets) @MainActor func theAppIsLedByEvents() async throws {
    let broadcast = broadcast()
    try await broadcast.start()
    func states() -> [String] {
      broadcast.timeline.events.filter { $0.source == .app && $0.name == "app" }.map(\.json)
    }
    try await broadcast.perform("app:suspend")
    try await broadcast.run(for: .milliseconds(500))
    try await broadcast.perform("app:foreground")
    #expect(await eventually { states().contains { $0.contains(#""state":4"#) } })
    // Last, because it suspends the app after five seconds, and an overloaded host needs longer for any event.
    // The test does not wait in the background, where the app is suspended after 5 s.
    try await broadcast.perform("app:background")
    try await broadcast.perform("app:foreground")
    #expect(await eventually { states().contains { $0.contains(#""state":3"#) } })
    #expect(await eventually { states().count { $0.contains(#""state":4"#) } == 2 })
    try await broadcast.perform("stop")
    #expect(try await broadcast.finished(within: ChildProcess.waitLimit).reason == "stoppedBySystem")
    #expect(try await broadcast.app.summary().framesTorn == 0)
  }

  @Test func aKilledAppHasNoSummary() async throws {
    let broadcast = broadcast()
    try await broadcast.start()
    try await broadcast.perform(.kill(.app))
    try await broadcast.perform("stop")
    try await broadcast.finished(within: ChildProcess.waitLimit)
    let failure = await #expect(throws: TestBroadcast.Failure.self) { try await broadcast.app.summary() }
    #expect(failure?.reason == .noSummary)
  }

  @Test func aMissingProgramIsNamed() async throws {
    let broadcast = TestBroadcast(program: "/nonexistent/program")
    let failure = await #expect(throws: TestBroadcast.Failure.self) { try await broadcast.start() }
    #expect(failure?.reason == .cannotStart && failure?.description.contains("/nonexistent/program") == true)
  }

  @Test func aDiskThatCannotBeMountedIsAnErrorAtEachStart() async throws {
    let broadcast = TestBroadcast(program: "producer", diskSpace: -1)
    for _ in 1...2 {
      let failure = await #expect(throws: TestBroadcast.Failure.self) { try await broadcast.start() }
      #expect(failure?.reason == .cannotStart && failure?.description.contains("diskSpace") == true)
    }
  }

  @Test(.enabled(if: TemporaryFolder.canMount, "run in a container that may mount file systems"))
  func aFullDiskEndsNoRunningBroadcast() async throws {
    let broadcast = TestBroadcast(program: "producer", diskSpace: 4 << 20)
    try await broadcast.start()
    try await broadcast.perform(.fillDisk)
    try await broadcast.run(for: .milliseconds(500))
    try await broadcast.perform("stop")
    #expect(try await broadcast.finished(within: ChildProcess.waitLimit).reason == "stoppedBySystem")
    // An app that has not read a frame yet does not keep the ring's space.
    try await broadcast.perform(.fillDisk)
    let failure = await #expect(throws: TestBroadcast.Failure.self) { try await broadcast.start() }
    guard case .handlerRefused(let end)? = failure?.reason else {
      Issue.record("\(String(describing: failure))")
      return
    }
    #expect(end.error?.code == 2)
    try await broadcast.perform(.emptyDisk)
    try await broadcast.start()
    try await broadcast.perform("stop")
    try await broadcast.finished(within: ChildProcess.waitLimit)
  }
}
