import Causes
import CommandLineSupport
import Synchronization

/// Reports a check while it runs: prints a line per verdict for the user, and writes an event for programs.
package final class CheckReporter: Sendable {
  private let program: String
  private let console: Console
  private let lines: JSONLines?
  private let total: Int
  private let repeatCommand: @Sendable (Scenario) -> String
  private let collected = Mutex<[ScenarioVerdict]>([])

  /// - Parameter repeatCommand: returns the command that repeats a scenario.
  package init(
    program: String, console: Console, lines: JSONLines?, total: Int,
    repeatCommand: @escaping @Sendable (Scenario) -> String
  ) {
    self.program = program
    self.console = console
    self.lines = lines
    self.total = total
    self.repeatCommand = repeatCommand
  }

  /// The verdicts so far, in order of arrival.
  package var verdicts: [ScenarioVerdict] { collected.withLock { $0 } }

  package func report(_ verdict: ScenarioVerdict) {
    var verdict = verdict
    let count = collected.withLock { verdicts in
      verdict.earlier = verdict.cause.flatMap { cause in
        verdicts.first { $0.cause?.fingerprint == cause.fingerprint }?.scenario.name
      }
      verdicts.append(verdict)
      return verdicts.count
    }
    console.say(text(of: verdict))
    if case .failed(let why) = verdict.kept { console.report("\(program): \(why)") }
    if count < total { console.live("\(count) of \(total)") }
    lines?.write(
      VerdictEvent(verdict, repeatCommand: repeatCommand(verdict.scenario)), reportingTo: console, as: program
    )
  }

  /// Reports the end of the check. Returns the failure of the check if a scenario failed or if no scenario was judged.
  package func finish(after duration: Duration, seed: UInt64) -> ProgramFailure? {
    let verdicts = verdicts
    let event = CheckedEvent(verdicts, duration: duration, seed: seed)
    let failed = verdicts.filter(\.hasFailed)
    let causes = Dictionary(grouping: failed) { $0.cause?.fingerprint ?? "\($0.scenario.name)" }.values
    let byCauses = ", by \(causes.count) \(causes.count == 1 ? "cause" : "causes")"
    let isShared = causes.count < failed.count
    console.say(
      "\(event.passed) passed, \(event.failed) failed\(isShared ? byCauses : ""), \(event.notJudged) not judged, in "
        + "\(event.seconds.text(decimals: 1)) s, seed \(seed)")
    if event.framesRead == 0, event.framesDelivered > 0 {
      let readsAudio = verdicts.contains { $0.audioReads > 0 }
      console.say(
        "The handler read \(readsAudio ? "audio, but " : "")none of \(event.framesDelivered) frames, so its handling of images "
          + "was not checked.\(readsAudio ? "" : " If it waits for its app, name the program with --app.")")
    }
    lines?.write(event, reportingTo: console, as: program)
    guard !failed.isEmpty else {
      guard event.passed == 0 || verdicts.contains(where: { $0.cause?.kind == .needsApp }), !verdicts.isEmpty
      else { return nil }
      return ProgramFailure(
        .notJudged, "The handler is not judged in \(event.notJudged) of \(verdicts.count) scenarios.")
    }
    let count = "\(failed.count) of \(verdicts.count) scenarios failed"
    let names = causes.map { $0.map(\.scenario.name).sorted().joined(separator: ", ") }.sorted()
    return ProgramFailure(
      .verificationFailed,
      isShared
        ? "\(count)\(byCauses): \(names.joined(separator: "; "))."
        : "\(count): \(names.joined(separator: ", ")).")
  }

  private func text(of verdict: ScenarioVerdict) -> String {
    let title =
      switch verdict.result {
      case .passed: "passed"
      case .failed: "FAILED"
      case .notJudged: "not judged"
      }
    let seconds = "\((verdict.duration / .seconds(1)).text(decimals: 1)) s"
    let line =
      title.padded(16) + verdict.scenario.name.padded(22) + seconds.padded(8) + verdict.scenario.checks
    let runs = verdict.runs == 1 ? [] : [("runs", "\(verdict.runs), because the host was overloaded")]
    return ([line] + (runs + details(of: verdict)).map { "  \("\($0.title):".padded(14))\($0.text)" })
      .joined(separator: "\n")
  }

  private func details(of verdict: ScenarioVerdict) -> [(title: String, text: String)] {
    switch verdict.result {
    case .passed(let figures): figures.map { ("measured", $0) }
    case .notJudged(let why):
      [("because", verdict.earlier.map { "Same cause as '\($0)'." } ?? Self.sentence(why))]
    case .failed(let what):
      if let earlier = verdict.earlier {
        [("what", "Same cause as '\(earlier)'.")]
      } else {
        failure(what, of: verdict)
      }
    }
  }

  private static func sentence(_ text: String) -> String { text.hasSuffix(".") ? text : text + "." }

  /// Returns the details of a failure: the sentences of its cause, or of the scenario if no cause is known.
  private func failure(_ what: String, of verdict: ScenarioVerdict) -> [(title: String, text: String)] {
    let row = verdict.cause?.kind.row
    let onDevice = row?.onDevice ?? verdict.scenario.onDevice
    return [("what", what)] + (verdict.cause?.evidence.map { ("measured", $0) } ?? [])
      + [("on a device", onDevice)] + (row.map { [("fix", $0.remedy)] } ?? [])
      + ((row?.see ?? verdict.scenario.see).map { [("see", "Docs/\($0)")] } ?? [])
      + [("repeat", repeatCommand(verdict.scenario))] + (verdict.keptFolder.map { [("kept in", $0)] } ?? [])
  }
}
