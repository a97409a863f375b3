import Causes
import RunReports
import ScreenBroadcast
import TestSupport

@testable import ContainingApp

@MainActor @Suite struct WatchReportTests {
  private let clock = TestClock()

  private func makeReport(flagFile: String? = nil, startDate: Date = Date()) -> WatchReport {
    WatchReport(
      of: WatchReport.Subject(
        title: "consumer watch", commandLine: ["consumer"], pollsPerSecond: 30, flagFile: flagFile,
        statusInterval: .milliseconds(500)), measures: FrameMeasures { 1 << 20 }, clock: clock,
      startDate: startDate)
  }

  /// Receives frames at even intervals.
  private func receive(_ count: Int, in report: WatchReport) {
    for _ in 0..<count {
      clock.advance(by: .milliseconds(33))
      report.measure(captured: clock.now - .milliseconds(10))
    }
  }

  private func summary(_ change: (inout BroadcastState) -> Void = { _ in }) -> AppSummary {
    AppSummary(
      makeState {
        $0.frames.framesDelivered = 100
        $0.frames.polls = 100
        $0.framesVerified = 100
        change(&$0)
      })
  }

  private func verdicts(_ report: WatchReport, failure: ProgramFailure? = nil) -> [String: String] {
    Dictionary(uniqueKeysWithValues: report.contents.verdicts(failure: failure).map { ($0.name, $0.word) })
  }

  @Test func thePageHasTheResultInTheWordsOfTheTerminal() throws {
    let report = makeReport()
    let summary = summary { $0.appAudio = AudioState() }
    report.show(.summary(summary))
    let lines = TerminalWatchView.text(of: summary, polls: "samples")
    #expect(lines.count > 2 && report.contents.page.contains("<p>\(lines.joined(separator: "<br>"))</p>"))
  }

  @Test func aCauseHasItsLastWordsInTheTimelineAndNotesAreToldOnce() {
    let report = makeReport()
    func show(_ kind: Cause.Kind, _ from: Double, _ text: String, isNew: Bool = true) {
      report.show(.cause(Cause(kind, from: .zero + .seconds(from), text), isNew: isNew, again: nil))
    }
    show(.slow, 3, "It took 37 ms.")
    show(.slow, 3, "It took 68 ms.", isNew: false)
    for second in [1.0, 5, 9] { show(.late, second, "The host was overloaded by \(second).") }
    let page = report.contents.page.components(separatedBy: "<template")[0]
    #expect(!page.contains("37 ms") && page.matches(of: /It took 68 ms/).count == 2)
    #expect(page.matches(of: /The host was overloaded/).count == 3)
    #expect(page.matches(of: /A device does not delay its programs so much/).count == 1)
  }

  @Test func aGoodWatchPassesAllChecks() {
    let report = makeReport()
    for second in 1...4 {
      receive(30, in: report)
      report.show(.stats(makeStats(seconds: Double(second))))
    }
    report.show(.summary(summary()))
    #expect(
      verdicts(report) == [
        "torn": "passed", "repeated": "passed", "received": "passed",
        "status": "not judged", "audio": "not judged", "faults": "passed", "exit": "passed",
      ])
  }

  @Test func eachFaultFailsItsCheck() {
    let report = makeReport()
    for second in 1...4 {
      receive(30, in: report)
      report.show(.stats(makeStats(seconds: Double(second))))
    }
    report.show(.cause(Cause(.appBlocked, from: clock.now, "It was blocked."), isNew: true))
    report.show(
      .summary(
        summary {
          ($0.framesTorn, $0.frames.framesRepeated, $0.missedTicks) = (1, 2, 3)
          $0.appAudio = AudioState()
          $0.appAudio?.framesLost = 5
          $0.appAudio?.peakDb = -18
        }))
    #expect(
      verdicts(report, failure: ProgramFailure(.verificationFailed, "Torn.")) == [
        "torn": "failed", "repeated": "failed", "received": "failed",
        "status": "not judged", "audio": "failed", "faults": "not judged", "exit": "failed",
      ])
  }

  @Test(arguments: [(UInt64(0), -18, "passed"), (1, -18, "failed"), (1, AudioLevel.silence, "not judged")])
  func aStreamOfAudioThatStoppedIsNoticedIfItHadSound(_ stops: UInt64, _ peak: Double, _ verdict: String) {
    let report = makeReport()
    receive(30, in: report)
    report.show(
      .summary(
        summary {
          $0.appAudio = AudioState()
          $0.appAudio?.stops = stops
          $0.appAudio?.peakDb = peak
        }))
    #expect(verdicts(report)["audio"] == verdict)
  }

  /// A change that was seen late fails the check only if it has a cause, and nobody requested the cause.
  @Test(arguments: [
    (age: 20.0, cause: Cause.Kind.appBlocked, asked: nil as String?, verdict: "not judged"),
    (2, .appBlocked, nil, "failed"), (2, .appSuspended, "app:suspend", "not judged"),
    (2, .idleScreen, nil, "not judged"),
    (0, .appBlocked, nil, "passed"),
  ])
  func aChangeOfTheFlagIsTimedIfItHappenedDuringTheWatch(
    age: Double, cause: Cause.Kind, asked: String?, verdict: String
  ) throws {
    let folder = try TemporaryFolder()
    let report = makeReport(flagFile: folder("flag.plist"), startDate: Date(timeIntervalSinceNow: -10))
    try Data([1]).write(to: URL(filePath: folder("flag.plist")))
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: -age)], ofItemAtPath: folder("flag.plist"))
    report.show(.status(isActive: true, time: clock.now))
    var cause = Cause(cause, from: clock.now, "Why.")
    cause.request = asked
    report.show(.cause(cause, isNew: true))
    report.show(.summary(summary()))
    #expect(verdicts(report)["status"] == verdict)
  }

  @Test func aRunOnALateMachineIsNotJudgedAndNamesThePhoneOfItsBroadcast() {
    let report = makeReport()
    var started = LaunchFact(fps: 60)
    started.phone = "ipad-mini with iOS 26"
    report.show(.begun(BegunEvent(started, at: clock.now, pid: 7)))
    for second in 1...4 { report.show(.stats(makeStats(seconds: Double(second)))) }
    var late = Cause(.late, from: clock.now, "The host was overloaded.")
    late.frames = 60
    report.show(.cause(late, isNew: true))
    report.show(.summary(summary { $0.framesMissed = 190 }))
    let received = report.contents.verdicts(failure: nil).first { $0.name == "received" }
    #expect(received?.lateness?.hasPrefix("The host was overloaded, which cost 60 of 290 frames") == true)
    #expect(report.contents.page.contains("<td>ipad-mini with iOS 26</td>"))
  }

  @Test func audioThatTheExtensionCouldNotPublishIsLost() {
    let report = makeReport()
    let lost = summary {
      $0.appAudio = AudioState()
      $0.appAudio?.packetsDropped = 40
    }
    report.show(.summary(lost))
    #expect(verdicts(report)["audio"] == "failed")
    report.show(.cause(Cause(.appSuspended, from: clock.now, "It was suspended."), isNew: true))
    #expect(verdicts(report)["audio"] == "not judged")
    #expect(lost.appAudio?.fault(named: "app audio") == "40 packets of app audio were not published")
  }

  private func causes(_ report: WatchReport) -> [Cause] {
    report.contents.causes.map(\.cause).sorted(by: Cause.isBefore)
  }

  @Test func eachKillIsItsOwnCauseAndAnEarlierOneIsTheLast() {
    let report = makeReport()
    let view = WatchCauses(report, container: nil, control: "", pollsPerSecond: 30, clock: clock)
    view.show(.crashed(pid: 6))
    for pid: Int32 in [7, 8] {
      clock.advance(by: .seconds(2))
      view.show(.stats(makeStats(seconds: 2)))
      view.show(.crashed(pid: pid))
    }
    let causes = causes(report)
    #expect(causes.map(\.isOld) == [false, false, true])
    #expect(causes.last?.text.hasPrefix("Left by an earlier broadcast: ") == true)
  }

  @Test func aSuspensionIsNoBlockedMainThread() {
    let report = makeReport()
    let view = WatchCauses(report, container: nil, control: "", pollsPerSecond: 30, clock: clock)
    for second in 1...6 {
      clock.advance(by: .seconds(1))
      var stats = makeStats(seconds: Double(second))
      if second > 2 { stats.framesPerSecondOut = 4 }
      if second == 4 { view.noteStop(.seconds(2), wasStopped: true, machineDelay: .zero) }
      view.show(.stats(stats))
    }
    let causes = causes(report)
    #expect(causes.first?.text.hasPrefix("The app was suspended for 2.0 s") == true)
    // The time afterwards has another cause.
    #expect(Set(causes.dropFirst().map(\.kind)) == [.appBlocked])
    #expect(causes.last?.text.contains("4.0 of 30.0 frames a second") == true)
  }

  @Test func aSecondInWhichTheScreenRestedForAPartBlocksNoMainThread() {
    let report = makeReport()
    let view = WatchCauses(report, container: nil, control: "", pollsPerSecond: 30, clock: clock)
    for (second, rates) in [(60.0, 30.0), (60, 30), (0, 0), (32, 16), (60, 30)].enumerated() {
      clock.advance(by: .seconds(1))
      var stats = makeStats(seconds: Double(second))
      (stats.framesPerSecondIn, stats.framesPerSecondOut) = rates
      view.show(.stats(stats))
    }
    #expect(causes(report).isEmpty)
  }
}
