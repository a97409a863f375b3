import BroadcastTesting
import ScreenBroadcast
import TestSupport

/// Tests the output of a failing test, which runs in a separate process.
@Suite(.sharedMachine) struct FailureOutputTests {
  private static let variable = "BROADCAST_PLANTED_FAILURE"

  /// Fails in the process that the other test launches.
  @Test(
    .enabled(if: ProcessInfo.processInfo.environment[variable] != nil, "runs in a process of another test"),
    .broadcastTimeline)
  func plantedFailure() async throws {
    let broadcast = TestBroadcast(of: SampleHandler())
    try await broadcast.start(for: .seconds(2))
    #expect(try await broadcast.app.summary().framesDelivered == 0)
  }

  @Test(.enabled(if: ProcessInfo.processInfo.environment[variable] == nil))
  func aFailureShowsTheTimelineAndAttachesLogAndFrame() throws {
    let folder = try TemporaryFolder()
    let process = try ChildProcess(
      URL(filePath: "/usr/bin/env"),
      [
        "\(Self.variable)=1", ChildProcess.ownProgram.path, "--testing-library", "swift-testing",
        "--filter",
        "plantedFailure", "--attachments-path", folder.path, "--xunit-output", folder("tests.xml"),
      ], errors: folder("errors")
    ) { _ in }
    #expect(process.end(within: .seconds(300)) == .exit(1))
    let errors = try #require(FileManager.default.contents(atPath: folder("errors")))
    let text = String(decoding: errors, as: UTF8.self)
    #expect(text.contains("Expectation failed") && text.contains("The broadcast at 2."))
    #expect(text.contains(#""event":"started""#))
    let events = try #require(FileManager.default.contents(atPath: folder("events.jsonl")))
    #expect(events.starts(with: Data(#"{"seconds":"#.utf8)))
    let frame = try #require(FileManager.default.contents(atPath: folder("last-frame.png")))
    #expect(frame.starts(with: [0x89, 0x50, 0x4E, 0x47]))
    let report = try #require(FileManager.default.contents(atPath: folder("tests.xml")))
    #expect(String(decoding: report, as: UTF8.self).contains("plantedFailure"))
  }
}
