import BroadcastTesting
import Testing

@testable import ArticleExtension

/// Tests of a handler in process, on a virtual clock.
@Suite(.broadcastTimeline) struct ArticleHandlerTests {
  @Test func aStopByTheAppEndsTheBroadcast() async throws {
    let broadcast = TestBroadcast(of: SampleHandler())
    try await broadcast.start()
    try await broadcast.run(for: .seconds(10))
    try await broadcast.perform("rotate:left")
    try await broadcast.app.stop()
    let end = try await broadcast.finished(within: .seconds(1))
    #expect(end.error?.code == 1)
    #expect(end.framesDropped == 0 && end.misuses == 0)
    let summary = try await broadcast.app.summary()
    #expect(summary.framesTorn == 0 && summary.framesVerified > 280)
  }

  /// Five minutes at 60 frames per second, without audio.
  @Test func fiveMinutesAreWholeAndInOrder() async throws {
    let broadcast = TestBroadcast(
      of: SampleHandler(), screen: .pattern(.proof, width: 16, height: 16), appAudio: .off)
    try await broadcast.start()
    try await broadcast.run(for: .seconds(300))
    try await broadcast.perform("stop")
    let end = try await broadcast.finished(within: .zero)
    #expect(end.framesProduced > 17_900 && end.framesDropped == 0)
    let summary = try await broadcast.app.summary()
    #expect(summary.framesTorn == 0 && summary.framesRepeated == 0)
    #expect((29.9...30.1).contains(summary.framesPerSecond))
  }
}

/// A test of the same program as a process, alongside the app's process.
@Suite(.broadcastTimeline) struct ArticleProcessTests {
  @Test func anAppThatIsKilledDoesNotEndTheBroadcast() async throws {
    let broadcast = TestBroadcast(program: "ArticleExtension")
    try await broadcast.start()
    try await broadcast.run(for: .seconds(1))
    try await broadcast.perform(.kill(.app))
    try await broadcast.run(for: .milliseconds(500))
    try await broadcast.perform("stop")
    let end = try await broadcast.finished(within: .seconds(10))
    #expect(end.reason == "stoppedBySystem" && end.exitCode == 0)
  }
}
