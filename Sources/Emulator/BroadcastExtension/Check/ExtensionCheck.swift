import BroadcastCheck
import CommandLineSupport
import EmulatedDevice
import EmulatedSystem
import Foundation
import Platform
import Programs
import RunReports

/// The subcommand `check`: runs scenarios against this very program, each with processes of its own.
struct ExtensionCheck {
  let options: ProducerOptions
  let program: String

  /// Runs the scenarios that the options choose; returns the failure to exit with, if any.
  func run(_ classes: [PrincipalClass]) throws(ProgramFailure) -> ProgramFailure? {
    let scenarios = try scenarios()
    let console = options.common.console()
    guard !options.check.lists else { return try list(scenarios, console) }
    let principalClass = try classes.chosen(
      by: options.infoPlist.map { path throws(ProgramFailure) in try ExtensionInfo(path: path) })
    let interruption = Interruption()
    let signals = interruption.handleSignals()
    defer { withExtendedLifetime(signals) {} }
    let reporter = CheckReporter(
      program: program, console: console, lines: options.common.jsonLines, total: scenarios.count
    ) { [self] in repeatCommand(of: $0) }
    let (start, startDate) = (SystemClock().now, Date())
    let checked = try subject(principalClass)
    try CheckRun(
      scenarios, of: checked, seed: UInt64(options.check.seed),
      keepFolder: options.check.keepFolder
    ).run(
      in: WorkFolder(of: "\(program)-check", in: options.common.container), interruption: interruption
    ) { reporter.report($0) }
    let duration = SystemClock().now - start
    let verdicts = reporter.verdicts.sorted { $0.scenario.name < $1.scenario.name }
    let failure = reporter.finish(after: duration, seed: UInt64(options.check.seed))
    var record = RunRecord(
      title: "\(program) check", commandLine: CommandLine.arguments, start: startDate, duration: duration,
      verdicts: verdicts.map(\.verdict))
    record.device = "\(checked.device)"
    let failed = verdicts.filter(\.hasFailed)
    if !failed.isEmpty {
      record.tables = [
        RunRecord.Table(
          "How to repeat a failure", rows: failed.map { [$0.scenario.name, repeatCommand(of: $0.scenario)] })
      ]
    }
    try options.report.write(record, console: console)
    return failure
  }

  private func list(_ scenarios: [Scenario], _ console: Console) throws(ProgramFailure) -> ProgramFailure? {
    let width = scenarios.map(\.name.count).max() ?? 0
    for scenario in scenarios {
      let name = scenario.name + String(repeating: " ", count: width - scenario.name.count)
      console.say("\(name)  \(scenario.checks) [\(scenario.tags.joined(separator: ", "))]")
      try options.common.jsonLines?.write(ScenarioEvent(scenario))
    }
    return nil
  }

  private func scenarios() throws(ProgramFailure) -> [Scenario] {
    if let path = options.check.scenario {
      let text: String
      do { text = String(decoding: try PlainFile.read(path, limit: 1 << 20), as: UTF8.self) } catch {
        throw ProgramFailure(error)
      }
      do { return [try Scenario(parsing: text, file: path)] } catch {
        throw ProgramFailure(.verificationFailed, error.description)
      }
    }
    let all: [Scenario]
    do { all = try BuiltInScenarios.all() } catch { throw ProgramFailure(.internalError, error.description) }
    let only = options.check.only
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

  private func subject(_ principalClass: PrincipalClass) throws(ProgramFailure) -> CheckSubject {
    let executable = ChildProcess.ownProgram
    let (app, reason) = try app(of: principalClass, beside: executable)
    return CheckSubject(
      name: program, executable: executable,
      device: Device.Identity(profile: options.screen.device ?? .ofChecks, ios: options.screen.ios),
      arguments: launchArguments, app: app, reasonWithoutApp: reason,
      group: options.common.group, design: try design()
    ) { event, container throws(ProgramFailure) in try event.send(to: container) }
  }

  private func design() throws(ProgramFailure) -> CheckDesign {
    let path = options.check.design ?? CheckOptions.standardDesign
    guard options.check.design != nil || FileManager.default.fileExists(atPath: path) else {
      return CheckDesign()
    }
    return try CheckDesign(path: path, scenarios: BuiltInScenarios.files.map(\.name))
  }

  /// The app beside the handler, and why a scenario that needs another one does not apply. `consumer` is the app of the
  /// article's handler only.
  private func app(
    of principalClass: PrincipalClass, beside executable: URL
  ) throws(ProgramFailure) -> (CheckSubject.App?, reason: String) {
    let name = "consumer"
    if let path = options.check.app {
      let program = URL(filePath: path).absoluteURL
      guard FileManager.default.isProgram(atPath: program.path) else {
        throw ProgramFailure(.inputOutput, "\(path) is not a program; name that of the app with --app.")
      }
      guard program.lastPathComponent == name else {
        return (
          .init(program: program, isArticles: false), "it needs the article's app, and --app names another"
        )
      }
      if principalClass.isArticles { return (.init(program: program, isArticles: true), "") }
    }
    guard principalClass.isArticles else {
      return (nil, "it needs an app; name that of this handler with --app")
    }
    let consumer = executable.deletingLastPathComponent().appending(path: name)
    guard FileManager.default.isProgram(atPath: consumer.path) else {
      return (nil, "there is no program 'consumer' beside \(executable.path); name it with --app")
    }
    return (.init(program: consumer, isArticles: true), "")
  }

  /// The options of this command line that every launch of the extension gets.
  private var launchArguments: [String] {
    var arguments: [String] = []
    if let device = options.screen.device { arguments.append("--device=\(device.name)") }
    if options.screen.ios != .newest { arguments.append("--ios=\(options.screen.ios)") }
    if let path = options.infoPlist { arguments.append("--info-plist=\(path)") }
    if let path = options.entitlements { arguments.append("--entitlements=\(path)") }
    return arguments
      + options.setupInfo.sorted { $0.key < $1.key }.map { "--setup-info=\($0.key)=\($0.value)" }
  }

  /// The command that repeats a scenario with the same options.
  private func repeatCommand(of scenario: Scenario) -> String {
    let choice = options.check.scenario.map { "--scenario=\($0)" } ?? "--only=\(scenario.name)"
    let group = options.common.group
    let groupArguments = group == CommonOptions().group ? [] : ["--group=\(group)"]
    let appArguments =
      (options.check.app.map { ["--app=\($0)"] } ?? [])
      + (options.check.design.map { ["--design=\($0)"] } ?? [])
    let words =
      [CommandLine.arguments.first ?? program, "check", choice, "--seed=\(options.check.seed)"] + appArguments
      + groupArguments + launchArguments
    return words.map(\.shellWord).joined(separator: " ")
  }
}
