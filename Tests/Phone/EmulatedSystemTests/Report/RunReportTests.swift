import Causes
import RunReports
import TestSupport

@testable import EmulatedSystem

@MainActor @Suite struct RunReportTests {
  private let clock = TestClock()

  private func makeReport(budget: UInt64 = 1 << 40) -> RunReport {
    RunReport(title: "producer", budget: budget, clock: clock)
  }

  private func end(_ ending: BroadcastEnding, _ frames: UInt64, dropped: UInt64 = 0) -> BroadcastEnd {
    var total = SecondEvent(seconds: 10, framesDelivered: frames)
    total.framesBehind = dropped
    return BroadcastEnd(ending, BroadcastProgress(total: total, framesSpan: .seconds(10)))
  }

  private func second(_ footprint: UInt64? = 1 << 20) -> SecondEvent {
    var second = SecondEvent(seconds: 1, framesDelivered: 60)
    second.footprintBytes = footprint
    return second
  }

  private func verdicts(
    _ report: RunReport, _ end: BroadcastEnd, _ misuses: [HandlerMisuse: UInt64] = [:],
    _ causes: [Cause] = []
  ) -> [String: String] {
    Dictionary(uniqueKeysWithValues: report.verdicts(end, misuses, causes, nil).map { ($0.name, $0.word) })
  }

  @Test func aGoodBroadcastPassesAllChecks() {
    let report = makeReport()
    report.add(second())
    #expect(
      verdicts(report, end(.durationReached, 601)) == [
        "frames": "passed", "misuse": "passed", "memory": "passed", "audio": "passed", "faults": "passed",
        "exit": "passed",
      ])
  }

  @Test func eachCauseFailsItsCheck() {
    let report = makeReport()
    var result = end(.bySystem, 500, dropped: 100)
    result.audioDropped = 1
    let causes = [
      Cause(.slow, from: clock.now, "Slow."), Cause(.misuse, "unlocked", from: clock.now, "Unlocked."),
      Cause(.network, from: clock.now, "Lost."),
    ]
    #expect(
      verdicts(report, result, [.unlocked: 3], causes) == [
        "frames": "failed", "misuse": "failed", "memory": "not judged", "audio": "failed", "faults": "failed",
        "exit": "passed",
      ])
  }

  @Test func memoryAboveTheLimitFailsWhereNothingIsKilled() {
    let report = makeReport(budget: 1)
    report.add(second())
    let result = end(.durationReached, 601)
    #expect(verdicts(report, result)["memory"] == "failed")
  }

  @Test func framesThatTheMachineOrAnEventCostAreNoFailure() {
    let report = makeReport()
    let result = end(.bySystem, 500, dropped: 100)
    func frames(_ kinds: [Cause.Kind], lost: UInt64 = 99, asked: String? = nil) -> String? {
      verdicts(
        report, result, [:],
        kinds.map {
          var cause = Cause($0, from: clock.now, "Why.")
          (cause.request, cause.frames) = (asked, lost)
          return cause
        })["frames"]
    }
    // A short overload of the host does not fail the check. If it cost many frames, the check is not judged.
    #expect(frames([.late]) == "passed" && frames([.late], lost: 121) == "not judged")
    #expect(frames([.requested]) == "passed")
    #expect(frames([.late, .slow]) == "failed" && frames([.suspended, .slow]) == "failed")
    #expect(frames([.slow], asked: "slow:0.05") == "not judged")
  }

  @Test func thePageHasTheEvents() throws {
    let folder = try TemporaryFolder()
    let report = makeReport()
    report.note(.started)
    for _ in 1...3 {
      clock.advance(by: .seconds(1))
      report.add(self.second())
    }
    report.note(.refused(try DeviceEvent(text: "unlock"), "The device is not locked."))
    var options = ReportOptions()
    options.page = folder("page.html")
    let failure = try report.write(
      options, of: .bySystem, end(.bySystem, 180), misuses: [:], causes: [], failure: nil,
      console: Console(messages: nil, errors: CollectedStream().stream))
    #expect(failure == nil)
    let html = try String(contentsOfFile: folder("page.html"), encoding: .utf8)
    #expect(html.contains("<td>3.0</td><td>unlock was refused: The device is not locked.</td>"))
  }
}
