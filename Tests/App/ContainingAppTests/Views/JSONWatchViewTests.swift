import EmulatedDevice
import ReplayKit
import RunReports
import ScreenBroadcast
import TestSupport

@testable import ContainingApp

@MainActor @Suite struct JSONWatchViewTests {
  private func lines(_ outputs: [WatchMessage]) throws -> [[String: Any]] {
    let (stream, errors) = (CollectedStream(), CollectedStream())
    let view = JSONWatchView(
      lines: JSONLines(to: stream.stream), console: Console(messages: nil, errors: errors.stream))
    for output in outputs { view.show(output) }
    #expect(try errors.text().isEmpty)
    return try stream.text().split(separator: "\n").map { line in
      try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
  }

  @Test func everyMessageButANoticeIsALine() throws {
    let frame = try makeBroadcastFrame(width: 32, height: 16, orientation: .left)
    let lines = try lines([
      .notice("Waiting."), .status(isActive: true, time: MonotonicTime(nanoseconds: .max)),
      .format(FrameFormat(frame)),
      .stats(makeStats(frame: frame)), .crashed(pid: 7), .suspended(pid: 8), .resumed(pid: 8),
      .appSuspended(.milliseconds(2500)), .app(.background), .app(.memoryWarning),
      .summary(AppSummary(BroadcastState())),
    ])
    #expect(
      lines.map { $0["event"] as? String } == [
        "status", "format", "stats", "crashed", "suspended", "resumed", "appSuspended", "app", "app",
        "summary",
      ])
    #expect((lines[0]["active"] as? Bool, (lines[0]["atNs"] as? NSNumber)?.uint64Value) == (true, .max))
    #expect(lines[1]["width"] as? Int == 32 && lines[1]["height"] as? Int == 16)
    #expect((lines[1]["orientation"] as? Int, lines[1]["pixelFormat"] as? String) == (8, "420f"))
    #expect((lines[2]["framesPerSecondIn"] as? Double, lines[2]["phase"] as? String) == (60, "live"))
    #expect((lines[3]["pid"] as? Int, lines[3]["reason"] as? String, lines[3].count) == (7, "unknown", 3))
    #expect(lines[7]["change"] as? String == "background" && lines[7]["state"] as? Int == 3)
    #expect(lines[8]["change"] as? String == "memoryWarning" && lines[8]["state"] == nil)
  }

  @Test func theSummaryHasTheKeysOfTheContract() throws {
    var state = BroadcastState()
    state.frames.framesDelivered = 30
    state.ticks = 30
    state.timePolled = .seconds(1)
    var delays = FrameDelays()
    delays.ages.add(.milliseconds(1))
    let summary = try #require(try lines([.summary(AppSummary(state, delays))]).first)
    for key in [
      "framesDelivered", "framesSkipped", "framesRepeated", "framesStale", "framesTorn", "statusChanges",
      "polls", "missedTicks", "framesPerSecond",
    ] { #expect(summary[key] is NSNumber, "\(key)") }
    #expect(Set((summary["ageMs"] as? [String: Any])?.keys.map { $0 } ?? []) == ["p50", "p99", "max"])
    #expect(summary["framesPerSecond"] as? Double == 30)
  }
}
