import Causes
import CommandLineSupport
import EmulatedSystem
import LaunchedPrograms
import Platform

/// Chooses the next step of a scenario from the outcome of the last one. It does not depend on processes.
///
/// ```swift
/// var steps = ScenarioSteps(scenario, of: subject, seed: 1)
/// var outcome = ScenarioSteps.Outcome.done
/// while let step = steps.next(after: outcome) { outcome = try broadcast.perform(step) }
/// ```
struct ScenarioSteps {
  enum Step: Equatable, Sendable {
    /// Waits until a time since the newest start of the extension.
    case waitUntil(Duration)
    /// Shifts the times of the later lines if the line of this time was done late, so that the pauses between lines keep their
    /// length.
    case delayLater(Duration)
    /// Performs the step of a line.
    case perform(Scenario.Step)
    /// Ends the extension as the system does, before another launch or at the end of the scenario.
    case endExtension
    /// Waits until the handler or its app uses the thing that the scenario needs.
    case awaitUse
    /// Waits until a handler with growing memory may have reached its limit, because growth that stops is not a leak.
    case confirmLeak
    /// Checks whether the app has ended by itself. If `relaunches` is on, it is launched again.
    case lookAtApp(relaunches: Bool)
    /// Checks whether the handler ends the broadcast normally because its app is gone. If the design states that, the handler
    /// gets time to do so.
    case awaitEndWithApp(isStated: Bool)
    case stop(ScenarioVerdict.Result)
  }

  /// The outcome of a step.
  enum Outcome: Sendable {
    case done
    /// A problem that fails the scenario unless the scenario expects it.
    case issue(Scenario.Issue, String, isProven: Bool = false)
    case started
    /// The handler ended the broadcast during its start.
    case notStarted([Cause])
    case isUsed(Bool)
    case ended(ExtensionEnd)
    case appEnded(AppEnd)
    case appDoesNotRun(AppEnd?)
    /// An event was not possible. The values are the reason, and the end of the extension if it has ended.
    case refused(String, ExtensionEnd?)
    /// The value of an expectation. If it is wrong: the names of the excess files or sockets, and the end of the extension.
    case value(JSONValue?, names: [String], ExtensionEnd?)
    case endsWithApp(Bool)
  }

  /// How a launch of the extension ended.
  struct ExtensionEnd: Sendable {
    var causes: [Cause] = []
    /// Whether a picture of the app shows the chart.
    var showsChart = true
    /// The reason in the last event if the extension or its app ended the broadcast normally before the system did.
    var reason: String?
    /// The sentence about a recording whose encoder took too few frames.
    var encoderLag: String?
  }

  /// How an app other than `consumer` ended by itself.
  struct AppEnd: Sendable {
    var how: ChildProcess.Ending
    var lastError: String?
    /// The statistics of an app that captures the screen.
    var captured: JSONValue?
  }

  private enum Part: Equatable { case start, line(Int), end, last }

  let scenario: Scenario
  private let subject: CheckSubject
  private var random: SeededGenerator
  private var part = Part.start
  private var lines: ArraySlice<Scenario.Action>
  private var pending: [Step] = []
  private var last: Step?
  /// The sides that the scenario has launched.
  private var launched: Set<LaunchedBroadcast.Side> = []
  /// The failure, until it is known whether the broadcast ends with its app.
  private var failure: String?
  private(set) var figures: [String] = []
  /// Whether the failure is certain: a process crashed, ended with an error or is known to be blocked, or a value is wrong that
  /// does not depend on times.
  private(set) var isCertain = false
  /// How the app crashed, and the possible problem of a recording.
  private(set) var appCrash: Cause?
  private(set) var doubt: String?
  private(set) var hasLateEncoder = false
  private(set) var result: ScenarioVerdict.Result?

  init(_ scenario: Scenario, of subject: CheckSubject, seed: UInt64) {
    (self.scenario, self.subject, lines) = (scenario, subject, scenario.actions[...])
    random = SeededGenerator(seed: scenario.seed, stream: seed)
    pending = unmetNeed.map { [.stop(.notJudged($0))] } ?? ownApp
  }

  /// Returns the next step; `nil` once there is a ``result``.
  mutating func next(after outcome: Outcome) -> Step? {
    if let last, let stop = judge(outcome, of: last) { pending = [.stop(stop)] }
    while pending.isEmpty { advance() }
    let step = pending.removeFirst()
    last = step
    guard case .stop(let stop) = step else {
      if case .perform(.launch(let side, _)) = step { launched.insert(side) }
      return step
    }
    if case .failed(let what) = stop, failure == nil, mayEndWithApp, part != .start, part != .last {
      (failure, last) = (what, .awaitEndWithApp(isStated: false))
      return last
    }
    result = located(stop)
    return nil
  }

  /// Continues with the next line, or with the steps after the last line.
  private mutating func advance() {
    if let line = lines.popFirst() {
      (part, pending) = (.line(line.line), steps(of: line))
    } else if part != .end, part != .last {
      (part, pending) = (.end, endOfExtension)
    } else if part == .end {
      (part, pending) = (.last, launched.contains(.app) ? [.lookAtApp(relaunches: false)] : [])
    } else {
      pending = [.stop(.passed(figures: figures))]
    }
  }

  /// Returns the result. A failure gets the file and the line of the scenario.
  private func located(_ stop: ScenarioVerdict.Result) -> ScenarioVerdict.Result {
    guard case .failed(let what) = stop else { return stop }
    guard case .line(let number) = part else { return .failed(failure ?? what) }
    return .failed("\(scenario.file):\(number): \(failure ?? what)")
  }

  // MARK: The steps of a line

  private mutating func steps(of line: Scenario.Action) -> [Step] {
    let time = line.time.map { random.duration(in: $0) }
    let steps = steps(of: line.step)
    guard let time else { return steps }
    if case .launch(.extension, _) = line.step { return [.waitUntil(time)] + steps }
    return [.waitUntil(time)] + steps + [.delayLater(time)]
  }

  private func steps(of step: Scenario.Step) -> [Step] {
    switch step {
    case .launch(.extension, _): return endOfExtension + ownApp + [.perform(step)]
    case .expect(let expectation): return read(expectation)
    case .control(let side, let control, _):
      // The built-in scenarios expect only of `consumer` that it ends with the broadcast.
      if side == .app, subject.app == nil || control == .wait && leavesOutAppOutput { return [] }
      guard launched.contains(side) else {
        return stop(
          "The scenario has not launched the \(side.rawValue) for '\(control.rawValue)'.")
      }
      switch (side, control) {
      case (.extension, .end): return leak + [.perform(step)]
      case (.app, .end): return [.perform(step)] + (scenario.isBuiltIn ? wholeFrames : [])
      case (.app, .kill): return [.perform(step)] + statedEnd
      default: return [.perform(step)]
      }
    case .event(let event):
      guard launched.contains(.extension) else {
        return stop("The scenario sends '\(event.text)' to an extension that it has not launched.")
      }
      return (event.endsAfter == nil ? [] : leak) + [.perform(step)]
    case .launch(.app, _), .stopByApp, .live:
      guard let app = subject.app else { return [] }
      if step == .stopByApp, !app.isArticles {
        return [.stop(.notJudged("only the article's app has a command that stops sharing"))]
      }
      if case .live(.kill, _) = step { return [.perform(step)] + statedEnd }
      return [.perform(step)]
    }
  }

  private func stop(_ what: String) -> [Step] { [.stop(.failed(what))] }

  private func read(_ expectation: Expectation) -> [Step] {
    let path = expectation.path
    let isLeftOut = path.root == .app && (subject.app == nil || leavesOutAppOutput && path.name != "state")
    return isLeftOut ? [] : [.perform(.expect(expectation))]
  }

  /// Requires that `consumer` receives only intact frames, unless the scenario has its own line about them.
  private var wholeFrames: [Step] {
    let path = ValuePath(.app, "summary", keys: ["framesFailed"])
    let hasLine = scenario.actions.contains { action in
      if case .expect(let expectation) = action.step { expectation.path == path } else { false }
    }
    return hasLine
      ? []
      : read(Expectation(path, equals: .number(0), otherwise: "The app received frames that are not intact."))
  }

  private var endOfExtension: [Step] { launched.contains(.extension) ? [.endExtension] : [] }

  /// Launches the app of `--app` if the scenario has no lines about the app. If the app ended with an earlier broadcast, it is
  /// launched again, unless the scenario ended it.
  private var ownApp: [Step] {
    guard subject.app?.isArticles == false, scenario.isBuiltIn || !scenario.leadsApp else { return [] }
    if launched.contains(.app) { return [.lookAtApp(relaunches: true)] }
    return scenario.leadsApp ? [] : [Self.appLaunch]
  }

  private static let appLaunch = Step.perform(.launch(.app, arguments: []))

  private var leak: [Step] { scenario.isBuiltIn && scenario.tags.contains("time") ? [.confirmLeak] : [] }

  /// Waits for the end that the team states for a handler whose app was swiped away.
  private var statedEnd: [Step] {
    scenario.isBuiltIn && subject.design.withoutApp == .ends && launched.contains(.extension)
      ? [.awaitEndWithApp(isStated: true)] : []
  }

  /// Whether a normal end of the broadcast after the app is gone is part of the design, and not a failure.
  private var mayEndWithApp: Bool {
    scenario.isBuiltIn && subject.design.withoutApp != .waits && launched.contains(.extension)
  }

  /// Whether the lines about the app's options and output are skipped: in built-in scenarios they apply to `consumer` only.
  private var leavesOutAppOutput: Bool { scenario.isBuiltIn && subject.app?.isArticles != true }

  /// The reason why the scenario is not judged, known before any launch.
  private var unmetNeed: String? {
    if let reason = subject.design.skippedScenarios[scenario.name] {
      return "\(subject.design.file): \(reason)"
    }
    return switch scenario.needs {
    case .app? where subject.app == nil, .consumer? where subject.app?.isArticles != true:
      subject.reasonWithoutApp
    case .pictures? where subject.app?.isArticles == true:
      "the article's app puts no picture into $\(PictureFolder.variable)"
    default: nil
    }
  }
}

// Judges an outcome, and returns the result that ends the scenario; `nil` to continue.
extension ScenarioSteps {
  private mutating func judge(_ outcome: Outcome, of step: Step) -> ScenarioVerdict.Result? {
    switch outcome {
    case .done: return nil
    case .issue(let issue, let what, let isProven): return report(issue, what, isProven: isProven)
    case .started:
      if let need = scenario.needs, [.socket, .notifications, .pictures, .output].contains(need) {
        pending.insert(.awaitUse, at: 0)
      }
      return nil
    case .notStarted(let causes):
      // A handler that refuses to start fails the scenario, except in a team's scenario that expects an error.
      guard scenario.isBuiltIn || !scenario.expectedIssues.contains(.error) else { return nil }
      return causes.first { $0.kind == .refused }.map { .failed($0.sentence) }
    case .isUsed(let isUsed): return isUsed ? nil : .notJudged(lack)
    case .ended(let end): return judge(end, of: step)
    case .appEnded(let end):
      if let stop = judge(end) { return stop }
      if step == .lookAtApp(relaunches: true) { pending.insert(Self.appLaunch, at: 0) }
      return nil
    case .appDoesNotRun(let end):
      guard case .perform(.live(let event, _)) = step else { return nil }
      return end.flatMap { judge($0) }
        ?? .failed("The app does not run, so the event '\(event.rawValue)' is not possible.")
    case .refused(let reason, let end):
      if let stop = end.flatMap({ judge($0, of: step) }) { return stop }
      guard case .perform(.event(let event)) = step else { return nil }
      // A process that the event ends may exit before it answers. Its end is then judged instead.
      if end != nil, event.endsAfter != nil { return nil }
      return report(.refusal, "the event '\(event.text)' was not possible: \(reason)")
    case .value(let value, let names, let end):
      guard case .perform(.expect(let expectation)) = step else { return nil }
      return judge(value, expectation, names, end, of: step)
    case .endsWithApp(let ends): return judge(endsWithApp: ends, of: step)
    }
  }

  /// Fails with an issue, unless the scenario expects it.
  private mutating func report(
    _ issue: Scenario.Issue, _ what: String, isProven: Bool = false
  ) -> ScenarioVerdict.Result? {
    guard !scenario.expectedIssues.contains(issue) else { return nil }
    isCertain = issue == .crash || issue == .error || isProven
    return .failed(what.prefix(1).uppercased() + what.dropFirst() + (what.hasSuffix(".") ? "" : "."))
  }

  /// Fails if the extension ended in a way that the scenario did not cause.
  private mutating func judge(_ end: ExtensionEnd, of step: Step) -> ScenarioVerdict.Result? {
    for cause in end.causes {
      switch cause.kind {
      case .killed, .crashed:
        if cause.isFault, let stop = report(.crash, cause.sentence) { return stop }
      case .refused, .ended:
        if cause.isFault, let stop = report(.error, cause.sentence) { return stop }
      case .recordingLost, .recordingWrong, .fileWrong, .pictureWrong, .writtenAfterEnd, .idleScreen:
        if cause.isFault { return .failed(cause.sentence) }
        let rule = RecordingFault.Rule(rawValue: cause.detail)
        if rule == .length || rule == .soundLost { doubt = cause.sentence }
        guard cause.severity == .warning || scenario.needs == .output && cause.isLongRest,
          !figures.contains(cause.sentence)
        else { continue }
        figures.append(cause.sentence)
      case .misuse where cause.detail == "kept" && cause.isFault: return .failed(cause.sentence)
      default: break
      }
    }
    if let lag = end.encoderLag { (doubt, hasLateEncoder) = (doubt ?? lag, true) }
    if scenario.needs == .pictures, !end.showsChart {
      return .notJudged(
        "no picture in $\(PictureFolder.variable) shows the whole chart: write each picture as the remote side sees it, as JPEG"
      )
    }
    guard scenario.isBuiltIn, case .perform(.control(_, .end, _)) = step, let reason = end.reason else {
      return nil
    }
    return .failed("The handler ended the broadcast before the system did (\(reason)).")
  }

  /// Fails if an app ended by itself with an error. `consumer` is excluded, because scenarios have expectations about its exit
  /// code.
  private mutating func judge(_ end: AppEnd) -> ScenarioVerdict.Result? {
    guard end.how == .exit(0) else {
      let sentence = "the app \(end.how)\(end.lastError.map { ": \($0)" } ?? "")"
      appCrash = Cause(.appCrashed, "\(end.how)", from: .zero, sentence)
      return report(.crash, sentence)
    }
    // A capture scenario is not judged if the app captured nothing, or captured no frames.
    guard scenario.needs == .stream || scenario.needs == .frames else { return nil }
    guard let captured = end.captured else {
      return report(.crash, "the app ended itself, before the phone ended it")
    }
    if captured["samplesDelivered"] == .number(0) {
      return .notJudged("the app captured nothing; see the scenario 'start'")
    }
    return scenario.needs == .frames && captured["framesDelivered"] == .number(0)
      ? .notJudged("the app captures only audio") : nil
  }

  private mutating func judge(
    _ value: JSONValue?, _ expectation: Expectation, _ names: [String], _ end: ExtensionEnd?, of step: Step
  ) -> ScenarioVerdict.Result? {
    guard !expectation.holds(for: value) else {
      if let figure = expectation.figure(value) { figures.append(figure) }
      return nil
    }
    if let stop = end.flatMap({ judge($0, of: step) }) { return stop }
    let problem = expectation.problem(with: value)
    // A built-in scenario about sockets is not judged if the handler does not make the expected connections.
    if expectation.path.name == "socket", scenario.isBuiltIn, scenario.needs == .socket {
      return .notJudged(problem)
    }
    if expectation.isCertain { isCertain = true }
    guard !names.isEmpty else { return .failed(problem) }
    let list = "\(problem) They are: \(names.prefix(5).joined(separator: ", "))."
    return .failed(list + " If they are meant to stay, name them under 'leftoverFiles' in check.json.")
  }

  /// A broadcast that has ended with its app needs no more lines.
  private mutating func judge(endsWithApp: Bool, of step: Step) -> ScenarioVerdict.Result? {
    if endsWithApp {
      figures.append("ended with its app")
      launched.remove(.extension)
      (failure, lines, pending) = (nil, [], [])
      return nil
    }
    if let failure { return .failed(failure) }
    return .failed(
      "\(subject.design.file) states that the broadcast ends with its app, but it has not ended normally "
        + "\(Scenario.standardLimit.decimalSeconds) s after the end of the app.")
  }

  /// The reason why the scenario is not judged: the handler does not use the thing that the scenario needs.
  private var lack: String {
    let lack =
      switch scenario.needs {
      case .socket: "the handler makes no connection over TCP or a Unix socket"
      case .notifications: "the handler posts and observes no Darwin notification"
      case .pictures: "the app puts no picture into $\(PictureFolder.variable)"
      default:
        "the check cannot see the output for the remote side: the handler makes no connection, and the app puts no picture into "
          + "$\(PictureFolder.variable)"
      }
    return subject.app == nil ? lack + "; if it waits for its app, --app starts the app's program" : lack
  }
}
