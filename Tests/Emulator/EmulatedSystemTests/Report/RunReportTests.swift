import Causes
import CommandLineSupport
import Foundation
import Platform
import RunReports
import TestSupport
import Testing

@testable import EmulatedSystem

@MainActor @Suite struct RunReportTests {
  private let clock = TestClock()

  private func makeReport() -> RunReport {
    RunReport(
      title: "producer", framesPerSecond: 60, memory: ExtensionMemory(), budget: 1 << 40, clock: clock)
  }

  private func progress(
    _ frames: UInt64, dropped: UInt64 = 0, handler: Duration = .zero
  ) -> BroadcastReport.Progress {
    BroadcastReport.Progress(
      framesProduced: frames, dropped: BroadcastReport.Drops(behind: dropped), lateTicks: 0,
      elapsed: .seconds(10), paused: .zero,
      handlerTime: handler, framesSpan: .seconds(10))
  }

  private func verdicts(_ report: RunReport, _ result: BroadcastReport) -> [String: String] {
    Dictionary(uniqueKeysWithValues: report.verdicts(result, [], nil).map { ($0.name, $0.word) })
  }

  @Test func aGoodBroadcastPassesAllChecks() {
    let report = makeReport()
    report.sample(progress(600))
    #expect(
      verdicts(report, BroadcastReport(ending: .durationReached, progress: progress(601))) == [
        "rate": "passed", "dropped": "passed", "handler": "passed", "misuse": "passed", "memory": "passed",
        "audio": "passed", "exit": "passed",
      ])
  }

  @Test func eachFaultFailsItsCheck() {
    let report = makeReport()
    var result = BroadcastReport(ending: .bySystem, progress: progress(500, dropped: 100))
    result.misuses = [.unlocked: 3]
    result.progress.audioDropped = 1
    for _ in 0..<10 { result.handlerTimes.add(.milliseconds(30)) }
    #expect(
      verdicts(report, result) == [
        "rate": "failed", "dropped": "failed", "handler": "failed", "misuse": "failed",
        "memory": "not judged",
        "audio": "failed", "exit": "passed",
      ])
  }

  @Test func anEventThatChangesTheRateLeavesItUnjudged() throws {
    for (event, verdict) in [("rotate:left", "failed"), ("still:2", "not judged"), ("rate:30", "not judged")]
    {
      let report = makeReport()
      report.note(.happened(try DeviceEvent(text: event)))
      #expect(
        verdicts(report, BroadcastReport(ending: .bySystem, progress: progress(300)))["rate"] == verdict)
    }
  }

  @Test func framesThatTheMachineOrAnEventCostAreNoFailure() {
    let report = makeReport()
    let time = clock.now
    let result = BroadcastReport(ending: .bySystem, progress: progress(500, dropped: 100))
    func dropped(_ kinds: [Cause.Kind]) -> String? {
      report.verdicts(result, kinds.map { Cause($0, from: time, "Why.") }, nil).first {
        $0.name == "dropped"
      }?.word
    }
    #expect(dropped([.late]) == "not judged")
    #expect(dropped([.requested]) == "passed")
    #expect(dropped([.late, .slow]) == "failed")
    #expect(dropped([]) == "failed")
  }

  @Test func thePageHasThePlotsAndTheEvents() throws {
    let folder = try TemporaryFolder()
    let report = makeReport()
    report.note(.started)
    for second in 1...3 {
      clock.advance(by: .seconds(1))
      report.sample(progress(UInt64(60 * second)))
    }
    report.note(.refused(try DeviceEvent(text: "unlock"), "The device is not locked."))
    var options = ReportOptions()
    options.page = folder("page.html")
    try report.write(
      options, of: BroadcastReport(ending: .bySystem, progress: progress(180)), causes: [], failure: nil,
      console: Console(messages: nil, errors: CollectedStream().stream))
    let html = try String(contentsOfFile: folder("page.html"), encoding: .utf8)
    #expect(html.components(separatedBy: "<svg").count == 5)
    #expect(html.contains("<td>3.0</td><td>unlock was refused: The device is not locked.</td>"))
  }
}
