import CommandLineSupport
import EmulatedDevice
import EmulatedSystem
import Foundation
import LaunchedPrograms
import Platform
import ScreenBroadcast

// The app of a scenario: its launch, its events, and its end.
extension CheckedBroadcast {
  /// How long an app other than `consumer` may take to print its first line. After that, an app without output counts as
  /// ready.
  private static let appStartTime = Duration.seconds(2)

  /// The state of the app, with Appium's number.
  var appState: AppState {
    guard subject.app != nil else { return .notInstalled }
    guard let process = processes[.app], !process.hasEnded else { return .notRunning }
    return phoneApp?.state ?? .runningInForeground
  }

  func launchApp(_ arguments: [String]) throws(ScenarioStop) -> Outcome {
    guard let app = subject.app else { return .done }
    suspensionTime = nil
    guard app.isArticles else { return try launchOtherApp(app, arguments) }
    let process = try launch(
      .app, app.program, consumer("watch", "--output-size=native") + arguments)
    return try wait(within: Scenario.startLimit) {
      process.hasEnded || !process.events("status").isEmpty
    } ? .done : .issue(.hang, "the app has not started")
  }

  private func consumer(_ subcommand: String, _ options: String...) -> [String] {
    [subcommand, "--json", "--container=\(root)", "--group=\(subject.group)"] + options
  }

  private func launchOtherApp(
    _ app: CheckSubject.App, _ arguments: [String]
  ) throws(ScenarioStop) -> Outcome {
    // The group's container of an installed app exists before the app runs.
    do { try programs.container.prepare() } catch { throw .failure(ProgramFailure(error)) }
    let process = try launch(
      .app, app.program, app.arguments + (scenario.isBuiltIn ? [] : arguments),
      environment: ["BROADCAST_CONTAINER": root, "BROADCAST_GROUP": subject.group]
        .merging(subject.device.environment) { _, new in new })
    _ = try wait(within: Self.appStartTime) { process.hasEnded || process.hasWritten }
    return ownEnd(ofApp: process).map { .appEnded($0) } ?? .done
  }

  func stopByApp() throws(ScenarioStop) -> Outcome {
    guard let app = subject.app else { return .done }
    processes[.extension]?.endRequest = clock.now
    let stop = try launch(nil, app.program, consumer("stop"))
    if try waitForEnd(of: stop, within: Scenario.standardLimit) { return .done }
    stop.kill()
    return .issue(.hang, "the app's stop has not returned")
  }

  /// Returns how an app other than `consumer` ended by itself; `nil` if it did not.
  func ownEnd(ofApp process: RecordedProcess) -> ScenarioSteps.AppEnd? {
    guard subject.app?.isArticles == false, process.hasEnded, let how = process.ending?.how,
      process.endRequest == nil
    else { return nil }
    return ScenarioSteps.AppEnd(
      how: how, lastError: heldLock ?? process.lastError, captured: process.events("captured").last?.value)
  }

  /// The lock for which iOS has killed the app, as a sentence.
  private var heldLock: String? { phoneApp?.nameOfHeldLock.map { HandlerMisuse.lockHeld.text(nil, $0) } }

  /// Returns how the app ended, if iOS has killed it for a lock.
  func deathForLock() throws(ScenarioStop) -> ScenarioSteps.AppEnd? {
    guard heldLock != nil, let process = processes[.app],
      try waitForEnd(of: process, within: Scenario.standardLimit)
    else { return nil }
    return ownEnd(ofApp: process)
  }

  /// Performs an event on the app, and notifies the app.
  func perform(_ event: PhoneApp.Event, suspendsAfter delay: Duration) -> Outcome {
    guard let process = processes[.app], !process.hasEnded else {
      return .appDoesNotRun(processes[.app].flatMap(ownEnd))
    }
    if event == .kill { process.send(SIGKILL) }
    if event == .kill || event == .suspend { appEnd = clock.now }
    if event != .memoryWarning { suspensionTime = event == .background ? clock.now + delay : nil }
    do { try phoneApp?.perform(event) } catch {
      return .issue(.refusal, "the event 'app:\(event.rawValue)' was not possible: \(error.reason)")
    }
    return .done
  }

  /// Suspends the app when its time in the background has passed, as iOS does.
  func suspendAppIfDue() throws(ScenarioStop) {
    guard let time = suspensionTime, clock.now >= time else { return }
    suspensionTime = nil
    guard let process = processes[.app], !process.hasEnded else { return }
    appEnd = clock.now
    do { try phoneApp?.perform(.suspend) } catch {
      throw .notJudged("the system cannot suspend the app here: \(error.reason)")
    }
  }

  /// Whether the handler ends the broadcast normally after its app has gone. If the design states that, the handler gets
  /// time to do so.
  func endsWithApp(isStated: Bool) throws(ScenarioStop) -> Bool {
    guard let appEnd, let process = processes[.extension] else { return false }
    if isStated {
      guard try wait(within: Scenario.standardLimit, { process.isExiting }) else { return false }
    }
    // The handler may close its connection before it ends the broadcast.
    _ = try wait(within: .seconds(1)) { process.isExiting || !process.events("finished").isEmpty }
    guard let finished = process.events("finished").last, finished.arrival > appEnd,
      ["extensionError", "endedByExtension", "stoppedByApp"].contains(finished.text("reason")),
      try waitForEnd(of: process, within: Scenario.standardLimit), case .exit? = process.ending?.how
    else { return false }
    return true
  }
}
