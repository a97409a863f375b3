import CommandLineSupport
import EmulatedDevice
import EmulatedSystem
import Foundation
import LaunchedPrograms
import Platform
import ScreenBroadcast

// The app of a scenario: its launch, its life, and its end.
extension ScenarioRun {
  /// How long an app other than `consumer` may take to print its first line. One that prints none counts as ready then.
  private static let appStartTime = Duration.seconds(2)

  /// Whether the lines of the scenario about the options and the output of the app belong to another app than this one.
  var leavesOutAppOutput: Bool { scenario.isBuiltIn && subject.app?.isArticles != true }

  /// The state of the app, with Appium's number.
  var appState: AppState {
    guard subject.app != nil else { return .notInstalled }
    guard let process = processes[.app], !process.hasEnded else { return .notRunning }
    return phoneApp?.state ?? .runningInForeground
  }

  func checkNeeds() throws(ScenarioStop) {
    if let reason = subject.design.leavesOut[scenario.name] {
      throw .doesNotApply("\(subject.design.file): \(reason)")
    }
    switch scenario.needs {
    case .app? where subject.app == nil, .consumer? where subject.app?.isArticles != true:
      throw .doesNotApply(subject.reasonWithoutApp)
    case .pictures? where subject.app?.isArticles == true:
      throw .doesNotApply("the article's app puts no picture into $\(PictureFolder.variable)")
    default: break
    }
  }

  /// Launches the app of `--app` for a scenario that does not lead it, and again when it has ended with an earlier broadcast,
  /// unless the scenario has ended it.
  func launchOwnApp() throws(ScenarioStop) {
    guard subject.app?.isArticles == false, scenario.isBuiltIn || !scenario.leadsApp else { return }
    if let app = processes[.app] {
      guard app.hasEnded, app.endRequest == nil else { return }
      try judgeEnd(ofApp: app)
    } else if scenario.leadsApp {
      return
    }
    try launchApp([])
  }

  func launchApp(_ arguments: [String]) throws(ScenarioStop) {
    guard let app = subject.app else { return }
    suspensionTime = nil
    guard app.isArticles else { return try launchOtherApp(app, arguments) }
    let process = try launch(
      .app, app.program,
      ["watch", "--json", "--output-size=native", "--container=\(root)/c", "--group=\(subject.group)"]
        + arguments)
    let isReady = try wait(within: Scenario.startLimit) {
      process.hasEnded || !process.events("status").isEmpty
    }
    if !isReady { try report(.hang, "the app has not started") }
  }

  private func launchOtherApp(_ app: CheckSubject.App, _ arguments: [String]) throws(ScenarioStop) {
    // An installed app has the container of its group before it runs.
    do { try container.prepare() } catch { throw .failure(ProgramFailure(error)) }
    let process = try launch(
      .app, app.program, app.arguments + (scenario.isBuiltIn ? [] : arguments),
      environment: ["BROADCAST_CONTAINER": "\(root)/c", "BROADCAST_GROUP": subject.group]
        .merging(subject.device.environment) { _, new in new })
    _ = try wait(within: Self.appStartTime) { process.hasEnded || process.hasWritten }
    try judgeEnd(ofApp: process)
  }

  func stopByApp() throws(ScenarioStop) {
    guard let app = subject.app else { return }
    guard app.isArticles else {
      throw .doesNotApply("only the article's app has a command that stops sharing")
    }
    processes[.extension]?.endRequest = clock.now
    let stop = try launch(
      nil, app.program, ["stop", "--json", "--container=\(root)/c", "--group=\(subject.group)"])
    if try !waitForEnd(of: stop, within: Scenario.standardLimit) {
      stop.kill()
      try report(.hang, "the app's stop has not returned")
    }
  }

  /// Fails if an app other than `consumer`, whose exit code scenarios expect, ended by itself with an error.
  func judgeEnd(ofApp process: RecordedProcess) throws(ScenarioStop) {
    guard subject.app?.isArticles == false, process.hasEnded, let how = process.ending?.how else { return }
    guard process.endRequest == nil else { return }
    guard how != .exit(0) else { return try checkCapture(by: process) }
    let reason = process.lastError.map { ": \($0)" } ?? ""
    try report(.crash, "the app \(how)\(reason)")
  }

  /// Fails if `consumer` got frames that are not whole, unless the scenario has a line about them.
  func checkFrames() throws(ScenarioStop) {
    let path = "app.summary.framesFailed"
    let hasLine = scenario.actions.contains { action in
      if case .expect(let expectation) = action.step { expectation.path.description == path } else { false }
    }
    guard !hasLine else { return }
    guard let path = ValuePath(path) else { preconditionFailure("\(path) is a path") }
    try check(
      Expectation(path: path, equals: .number(0), otherwise: "The app received frames that are not whole."))
  }

  // MARK: Life

  /// Makes a change in the life of the app, and notifies it.
  func perform(_ event: PhoneApp.Event, suspendsAfter delay: Duration) throws(ScenarioStop) {
    guard subject.app != nil else { return }
    guard let process = processes[.app], !process.hasEnded else {
      if let process = processes[.app] { try judgeEnd(ofApp: process) }
      throw .failed("The app does not run, so there is no '\(event.rawValue)'.")
    }
    if event == .kill { process.send(SIGKILL) }
    if event == .kill || event == .suspend { appEnd = clock.now }
    if event != .memoryWarning { suspensionTime = event == .background ? clock.now + delay : nil }
    do { try phoneApp?.perform(event) } catch {
      try report(.refusal, "the event 'app:\(event.rawValue)' was not possible: \(error.reason)")
    }
  }

  /// Suspends the app when its time in the background has passed, as iOS does.
  func suspendAppIfDue() throws(ScenarioStop) {
    guard let time = suspensionTime, clock.now >= time else { return }
    suspensionTime = nil
    guard let process = processes[.app], !process.hasEnded else { return }
    appEnd = clock.now
    do { try phoneApp?.perform(.suspend) } catch {
      throw .doesNotApply("the system cannot suspend the app here: \(error.reason)")
    }
  }

  // MARK: A broadcast that ends with its app

  /// Whether the handler ended the broadcast in order after its app had gone: a design and no fault, unless the team states
  /// the other one.
  func hasEndedWithItsApp() throws(ScenarioStop) -> Bool {
    guard scenario.isBuiltIn, let appEnd, subject.design.withoutApp != .waits,
      let process = processes[.extension]
    else { return false }
    // The handler may have closed its connection before it ends the broadcast.
    _ = try wait(within: .seconds(1)) { process.isExiting || !process.events("finished").isEmpty }
    guard let finished = process.events("finished").last, finished.arrival > appEnd,
      let reason = finished.value.value(at: ["reason"]),
      ["extensionError", "endedByExtension", "stoppedByApp"].contains(where: { reason == .string($0) }),
      try waitForEnd(of: process, within: Scenario.standardLimit), case .exit? = process.ending?.how
    else { return false }
    figures.append("ended with its app")
    processes[.extension] = nil
    return true
  }

  /// Waits for the end that the team states, after the app was swiped away.
  func hasEndedByDesign(after action: Scenario.Action) throws(ScenarioStop) -> Bool {
    let isKill =
      switch action.step {
      case .live(.kill, _), .control(.app, .kill, _): true
      default: false
      }
    guard isKill, scenario.isBuiltIn, subject.design.withoutApp == .ends, processes[.extension] != nil
    else { return false }
    guard try wait(within: Scenario.standardLimit, { processes[.extension]?.isExiting ?? true }),
      try hasEndedWithItsApp()
    else {
      throw .failed(
        "\(subject.design.file) says that the broadcast ends with its app, and it has not ended in order "
          + "\(Scenario.standardLimit.decimalSeconds) s after the end of the app.")
    }
    return true
  }
}
