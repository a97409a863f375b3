import Causes
import CommandLineSupport
import Foundation
import LaunchedPrograms
import Platform
import RunReports

/// The subcommand `check`: runs scenarios against this program, each with its own processes.
package struct CheckCommand {
  let program: String
  let options: CheckOptions
  let common: CommonOptions
  let report: ReportOptions
  /// The side that a scenario launches.
  let side: LaunchedBroadcast.Side
  let builtIn: () throws(ScenarioError) -> [Scenario]
  /// The options of this command line with which a scenario is repeated, in addition to `options`.
  let arguments: [String]

  package init(
    _ options: CheckOptions, of program: String, common: CommonOptions, report: ReportOptions,
    launching side: LaunchedBroadcast.Side = .extension, arguments: [String],
    scenarios: @escaping () throws(ScenarioError) -> [Scenario]
  ) {
    self.options = options
    self.program = program
    self.common = common
    self.report = report
    (self.side, self.arguments, builtIn) = (side, arguments, scenarios)
  }

  /// Runs the scenarios that the options select. Returns the failure to exit with, if any.
  package func run(
    _ subject: () throws(ProgramFailure) -> CheckSubject
  ) throws(ProgramFailure) -> ProgramFailure? {
    let scenarios = try scenarios()
    let console = common.console()
    guard !options.lists else { return try list(scenarios, console) }
    let subject = try subject()
    let interruption = Interruption()
    let signals = interruption.handleSignals()
    defer { withExtendedLifetime(signals) {} }
    let words = [CommandLine.arguments.first ?? program, CheckOptions.subcommand]
    let repeatCommand = { @Sendable [options, arguments] (scenario: Scenario) in
      let choice = options.scenario.map { "--scenario=\($0)" } ?? "--only=\(scenario.name)"
      return CommonOptions.absolute(words + [choice, "--seed=\(options.seed)"] + arguments)
        .map(\.shellWord).joined(separator: " ")
    }
    let reporter = CheckReporter(
      program: program, console: console, lines: common.jsonLines, total: scenarios.count,
      repeatCommand: repeatCommand)
    let (start, startDate) = (SystemClock().now, Date())
    try CheckRun(
      scenarios, of: subject, seed: UInt64(options.seed), keepFolder: options.keepFolder
    ).run(in: TemporaryFolder(of: "\(program)-check", in: common.container), interruption: interruption) {
      reporter.report($0)
    }
    let duration = SystemClock().now - start
    let verdicts = reporter.verdicts.sorted { $0.scenario.name < $1.scenario.name }
    let failure = reporter.finish(after: duration, seed: UInt64(options.seed))
    var record = RunRecord(
      title: "\(program) check", commandLine: CommonOptions.commandLine, start: startDate, duration: duration,
      verdicts: verdicts.map { verdict in
        var shown = verdict.verdict
        shown.command = verdict.hasFailed ? repeatCommand(verdict.scenario) : nil
        return shown
      })
    record.device = "\(subject.device)"
    record.causes = Self.causes(of: verdicts, repeatCommand)
    try report.write(record)
    return failure
  }

  /// Returns the causes of verdicts, each once, with the scenarios in which it was seen.
  private static func causes(
    of verdicts: [ScenarioVerdict], _ repeatCommand: (Scenario) -> String
  ) -> [RunRecord.FoundCause] {
    let seen = verdicts.compactMap { verdict in
      verdict.cause.map { (cause: $0, scenario: verdict.scenario) }
    }
    let groups = Dictionary(grouping: seen, by: \.cause.fingerprint).values
    return groups.sorted { Cause.isBefore($0[0].cause, $1[0].cause) }.map { group in
      var row = RunRecord.FoundCause(group[0].cause, since: nil, repeat: repeatCommand(group[0].scenario))
      row.details.append("Seen in: \(group.map(\.scenario.name).joined(separator: ", ")).")
      return row
    }
  }

  private func list(_ scenarios: [Scenario], _ console: Console) throws(ProgramFailure) -> ProgramFailure? {
    let width = scenarios.map(\.name.count).max() ?? 0
    for scenario in scenarios {
      let name = scenario.name + String(repeating: " ", count: width - scenario.name.count)
      console.say("\(name)  \(scenario.checks) [\(scenario.tags.joined(separator: ", "))]")
      try common.jsonLines?.write(ScenarioEvent(scenario))
    }
    return nil
  }

  private func scenarios() throws(ProgramFailure) -> [Scenario] {
    if let path = options.scenario {
      let text: String
      do { text = String(decoding: try PlainFile.read(path, limit: 1 << 20), as: UTF8.self) } catch {
        throw ProgramFailure(error)
      }
      do { return [try Scenario(parsing: text, file: path, launching: side)] } catch {
        throw ProgramFailure(.verificationFailed, error.description)
      }
    }
    let all: [Scenario]
    do { all = try builtIn() } catch { throw ProgramFailure(.internalError, error.description) }
    let only = options.only
    guard !only.isEmpty else { return all }
    let known = all.flatMap { [$0.name] + $0.tags }
    for word in only where !known.contains(word) {
      let near = Spelling.nearest(to: word, among: known).map { "did you mean '\($0)'?" }
      throw ProgramFailure(
        .usage,
        "No scenario has the name or tag \(word.quoted); \(near ?? "see '\(program) check --list'.")")
    }
    return all.filter { scenario in only.contains { scenario.name == $0 || scenario.tags.contains($0) } }
  }
}
