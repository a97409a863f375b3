import CommandLineSupport
import Foundation
import Platform
import Programs
import RunReports
import Synchronization

/// The subcommand `check`: launches this program once for each scenario, and judges what it did.
struct CaptureCheck {
  let options: CaptureAppOptions
  let program: String

  /// How long a launch may take, with its own duration.
  private static let patience = Duration.seconds(20)

  func run() throws(ProgramFailure) -> ProgramFailure? {
    let scenarios = try chosen()
    let console = options.common.console()
    guard !options.lists else {
      for scenario in scenarios { console.say("\(scenario.name.padded(17))\(scenario.checks)") }
      return nil
    }
    // A file that cannot be read is no fault of the app.
    if let path = options.infoPlist { _ = try PropertyListFile.dictionary(path) }
    let folder = WorkFolder(of: "\(program)-check", in: nil)
    try folder.create()
    let (start, startDate) = (SystemClock().now, Date())
    let verdicts = Mutex<[Verdict]>([])
    try PacedRun.each(of: scenarios, sideBySide: 4, alone: { $0.isAlone }) { scenario, run in
      let begin = SystemClock().now
      var (result, isCertain) = judge(scenario, errorFile: "\(folder.path)/\(scenario.name).err")
      switch run.ruling(on: result.failure, isCertain: isCertain) {
      case .stands: break
      case .again: return false
      case .notJudged(let why): result = .notJudged(why)
      }
      let verdict = Verdict(
        scenario.name, scenario.checks, result, meaning: scenario.onDevice,
        duration: SystemClock().now - begin)
      verdicts.withLock {
        $0.append(verdict)
        say(verdict, runs: run.number, console)
      }
      return true
    }
    try folder.remove()
    let all = verdicts.withLock(\.self).sorted { $0.name < $1.name }
    let failed = all.filter(\.hasFailed)
    let passed = all.count { if case .passed = $0.result { true } else { false } }
    let duration = SystemClock().now - start
    console.say(
      "\(passed) passed, \(failed.count) failed, \(all.count - passed - failed.count) not judged, in "
        + "\((duration / .seconds(1)).text(decimals: 1)) s")
    let record = RunRecord(
      title: "\(program) check", commandLine: CommandLine.arguments, start: startDate, duration: duration,
      verdicts: all)
    try options.report.write(record, console: console)
    guard !failed.isEmpty else { return nil }
    return ProgramFailure(
      .verificationFailed,
      "\(failed.count) of \(all.count) scenarios failed: \(failed.map(\.name).joined(separator: ", ")).")
  }

  private func chosen() throws(ProgramFailure) -> [CaptureScenario] {
    let names = CaptureScenario.all.map(\.name)
    for name in options.only where !names.contains(name) {
      let near = Spelling.nearest(to: name, among: names).map { "did you mean '\($0)'?" }
      throw ProgramFailure(
        .usage, "There is no scenario \(name.quoted); \(near ?? "see '\(program) check --list'.")")
    }
    return CaptureScenario.all.filter { options.only.isEmpty || options.only.contains($0.name) }
  }

  /// What a run of a scenario showed, and whether a failure does not depend on times.
  private typealias Finding = (result: Verdict.Result, isCertain: Bool)

  private func judge(_ scenario: CaptureScenario, errorFile: String) -> Finding {
    let own = options.infoPlist.map { ["--info-plist=\($0)"] } ?? []
    do {
      let app = try LaunchedProgram(
        ChildProcess.ownProgram,
        // Times are judged with the frames of a phone, all else with small ones.
        ["--json"] + (scenario.isAlone ? [] : ["--size=160x120"]) + scenario.arguments + own, named: program,
        errorFile: errorFile)
      guard let ending = app.process.end(within: Self.patience) else {
        return (
          .failed("The app hangs: its main thread did not end it for \(Self.patience.decimalSeconds) s."),
          false
        )
      }
      switch ending {
      case .exit(0): break
      case .exit(let code): return (.failed("The app exited with code \(code).\(app.reason)"), true)
      case .signal(let number): return (.failed("The app crashed by signal \(number).\(app.reason)"), true)
      }
      guard let event = app.received.all.last(where: { $0.name == CapturedEvent.event }) else {
        return (.failed("The app ended itself, before the phone ended it."), true)
      }
      let figures = try event.decoded(as: CapturedEvent.self)
      return (result(of: scenario, figures, app.received.all), scenario.isCertain)
    } catch {
      return (.notJudged("the app could not be launched: \(error)"), false)
    }
  }

  private func result(
    of scenario: CaptureScenario, _ figures: CapturedEvent, _ events: [ProgramEvent]
  ) -> Verdict.Result {
    if scenario.needs != .nothing, figures.framesDelivered + figures.audioDelivered == 0 {
      let picker = events.contains { $0.name == CaptureAppEvent.event && $0.text("kind") == "picker" }
      let why =
        figures.starts > 0
        ? "a stream started and delivered nothing: it has no output"
        : picker ? "the app did not start a stream of the person's choice" : "the app showed no picker"
      return scenario.name == "start" ? .failed("Nothing came: \(why).") : .notJudged(why)
    }
    if scenario.needs == .frames, figures.framesDelivered == 0 {
      return .notJudged("the app captures audio alone")
    }
    if let what = scenario.judge(figures) { return .failed(what) }
    return .passed(
      "\(figures.framesDelivered) frames, \(figures.framesDropped) dropped, \(figures.audioDelivered) packets of audio"
    )
  }

  private func say(_ verdict: Verdict, runs: Int, _ console: Console) {
    let word = verdict.hasFailed ? "FAILED" : verdict.word
    var lines = ["\(word.padded(12))\(verdict.name.padded(17))\(verdict.text)"]
    if !verdict.figures.isEmpty { lines.append("  \(verdict.figures)") }
    if verdict.hasFailed { lines.append("  on a device: \(verdict.meaning)") }
    if runs > 1 { lines.append("  runs: \(runs), because the machine was late") }
    console.say(lines.joined(separator: "\n"))
  }
}

extension LaunchedProgram {
  /// The last line of the error stream, to follow a sentence.
  fileprivate var reason: String {
    let decisive = errors.split(separator: "\n").map(String.init).first {
      line in ["Fatal error:", "Precondition failed:"].contains { line.contains($0) }
    }
    return (decisive ?? lastError).map { " \($0)" } ?? ""
  }
}
