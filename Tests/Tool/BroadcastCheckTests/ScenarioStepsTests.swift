import Causes
import EmulatedDevice
import TestSupport

@testable import BroadcastCheck

/// Tests the steps and the result of a scenario, with outcomes that come from the test instead of processes.
@Suite struct ScenarioStepsTests {
  private static let launch = #"{"do": "launch"}"#

  private func scenario(
    _ lines: [String], meta: String = "", isBuiltIn: Bool = true
  ) throws -> Scenario {
    let first = #"{"meta": {"checks": "What.", "onDevice": "Why."\#(meta)}}"#
    var scenario = try Scenario(parsing: ([first] + lines).joined(separator: "\n"), file: "s.jsonl")
    scenario.isBuiltIn = isBuiltIn
    return scenario
  }

  private func subject(app isArticles: Bool? = nil, design: String = "{}") throws -> CheckSubject {
    CheckSubject(
      name: "Probe", executable: URL(filePath: "/probe"), device: Device.Identity(), arguments: [],
      app: isArticles.map { CheckSubject.App(program: URL(filePath: "/app"), isArticles: $0) },
      reasonWithoutApp: "There is no app.", group: "group.a",
      design: try CheckDesign(parsing: design, file: "check.json", scenarios: ["s"])
    ) { _, _ in }
  }

  /// Returns the steps of the whole scenario and its result. `answer` is the outcome of a step.
  private func run(
    _ scenario: Scenario, _ subject: CheckSubject,
    _ answer: (ScenarioSteps.Step) -> ScenarioSteps.Outcome? = { _ in nil }
  ) -> (steps: [ScenarioSteps.Step], result: ScenarioVerdict.Result?, isCertain: Bool) {
    var steps = ScenarioSteps(scenario, of: subject, seed: 1)
    var (outcome, taken): (ScenarioSteps.Outcome, [ScenarioSteps.Step]) = (.done, [])
    while let step = steps.next(after: outcome) {
      taken.append(step)
      outcome = answer(step) ?? Self.usual(step)
    }
    return (taken, steps.result, steps.isCertain)
  }

  private static func isEnd(_ step: ScenarioSteps.Step) -> Bool {
    if case .ended = usual(step) { true } else { false }
  }

  private static func usual(_ step: ScenarioSteps.Step) -> ScenarioSteps.Outcome {
    switch step {
    case .perform(.launch(.extension, _)): .started
    case .endExtension, .perform(.control(.extension, .wait, _)), .perform(.control(.extension, .end, _)):
      .ended(.init())
    case .awaitUse: .isUsed(true)
    case .awaitEndWithApp: .endsWithApp(false)
    case .perform(.expect(let expectation)): .value(expectation.equals, names: [], nil)
    default: .done
    }
  }

  @Test func anExtensionEndsBeforeItsNextLaunchAndAfterTheLastLine() throws {
    let run = run(try scenario([Self.launch, Self.launch]), try subject())
    let launch = ScenarioSteps.Step.perform(.launch(.extension, arguments: []))
    #expect(run.steps == [launch, .endExtension, launch, .endExtension])
    #expect(run.result == .passed(figures: []))
  }

  @Test func aLineThatHasATimeDelaysTheLaterOnes() throws {
    let run = run(try scenario([Self.launch, #"{"at": "2s", "do": "suspend"}"#]), try subject())
    let suspension = ScenarioSteps.Step.perform(.control(.extension, .suspend, within: .seconds(10)))
    #expect(
      run.steps.dropFirst() == [
        .waitUntil(.seconds(2)), suspension, .delayLater(.seconds(2)), .endExtension,
      ])
  }

  @Test func theAppOfATeamIsLaunchedFirstAndAgainWhenItHasEnded() throws {
    let end = ScenarioSteps.AppEnd(how: .exit(0), lastError: nil, captured: nil)
    let run = run(try scenario([Self.launch]), try subject(app: false)) {
      $0 == .lookAtApp(relaunches: true) ? .appEnded(end) : nil
    }
    let app = ScenarioSteps.Step.perform(.launch(.app, arguments: []))
    #expect(
      run.steps.prefix(4) == [
        app, .lookAtApp(relaunches: true), app, .perform(.launch(.extension, arguments: [])),
      ])
    #expect((run.steps.last, run.result) == (.lookAtApp(relaunches: false), .passed(figures: [])))
  }

  @Test func anAppThatEndsWithAnErrorFailsForCertain() throws {
    let end = ScenarioSteps.AppEnd(how: .exit(3), lastError: "It broke.", captured: nil)
    let run = run(try scenario([Self.launch]), try subject(app: false)) {
      $0 == .perform(.launch(.app, arguments: [])) ? .appEnded(end) : nil
    }
    #expect(run.steps.count == 1 && run.isCertain)
    #expect(run.result == .failed("The app exited with code 3: It broke."))
  }

  @Test func aFailureNamesItsLineUnlessItIsTheEndOfTheExtension() throws {
    let crash = Cause(.crashed, from: .zero, "It crashed.")
    let lines = [Self.launch, #"{"do": "wait"}"#]
    for isLine in [true, false] {
      let run = run(try scenario(lines), try subject()) { step in
        (step == .endExtension) == isLine ? nil : Self.isEnd(step) ? .ended(.init(causes: [crash])) : nil
      }
      #expect(run.result == .failed(isLine ? "s.jsonl:3: It crashed." : "It crashed."))
      #expect(run.isCertain)
    }
  }

  @Test func aHandlerThatHoldsAllBuffersFailsEachScenario() throws {
    let held = Cause(.misuse, "kept", from: .zero, "It holds them.")
    let run = run(try scenario([Self.launch]), try subject()) { step in
      Self.isEnd(step) ? .ended(.init(causes: [held])) : nil
    }
    #expect(run.result == .failed("It holds them."))
  }

  @Test func anIssueThatTheScenarioExpectsDoesNotFailIt() throws {
    let error = Cause(.ended, from: .zero, "It ended.")
    for meta in ["", #", "issues": ["error"]"#] {
      let run = run(try scenario([Self.launch], meta: meta), try subject()) { step in
        Self.isEnd(step) ? .ended(.init(causes: [error])) : nil
      }
      #expect(run.result == (meta.isEmpty ? .failed("It ended.") : .passed(figures: [])))
    }
  }

  @Test func aHandlerThatEndsTheBroadcastBeforeTheSystemFailsWhenTheEndWasAskedFor() throws {
    for line in ["end", "wait"] {
      let run = run(try scenario([Self.launch, #"{"do": "\#(line)"}"#]), try subject()) { step in
        Self.isEnd(step) ? .ended(.init(reason: "endedByExtension")) : nil
      }
      let what = "s.jsonl:3: The handler ended the broadcast before the system did (endedByExtension)."
      #expect(run.result == (line == "end" ? .failed(what) : .passed(figures: [])))
    }
  }

  private static let appDies = [#"{"app": "launch"}"#, launch, #"{"app": "kill"}"#, #"{"do": "pause"}"#]

  @Test(arguments: [true, false]) func aBroadcastThatEndsWithItsAppHasNoMoreLines(endsWithApp: Bool) throws {
    let run = run(try scenario(Self.appDies), try subject(app: true)) { step in
      switch step {
      case .perform(.event): .refused("No broadcast runs.", nil)
      case .awaitEndWithApp: .endsWithApp(endsWithApp)
      default: nil
      }
    }
    #expect(run.steps.contains(.awaitEndWithApp(isStated: false)))
    #expect(
      run.result
        == (endsWithApp
          ? .passed(figures: ["ended with its app"])
          : .failed("s.jsonl:5: The event 'pause' was not possible: No broadcast runs.")))
  }

  @Test(arguments: ["ends", "waits"]) func aStatedDesignIsAskedForAfterTheEndOfTheApp(design: String) throws {
    let subject = try subject(app: true, design: #"{"withoutApp": "\#(design)"}"#)
    let run = run(try scenario(Self.appDies), subject)
    let asks = run.steps.contains(.awaitEndWithApp(isStated: true))
    #expect(asks == (design == "ends"))
    guard case .failed(let what)? = run.result else {
      #expect(design == "waits" && run.result == .passed(figures: []))
      return
    }
    #expect(design == "ends" && what.hasPrefix("s.jsonl:4: check.json states that the broadcast ends"))
  }

  @Test func aScenarioThatLacksWhatItNeedsLaunchesNothing() throws {
    for (meta, design, why) in [
      (#", "needs": "app""#, "{}", "There is no app."),
      ("", #"{"skippedScenarios": {"s": "Not ours."}}"#, "check.json: Not ours."),
    ] {
      let run = run(try scenario([Self.launch], meta: meta), try subject(design: design))
      #expect(run.steps.isEmpty && run.result == .notJudged(why))
    }
  }

  @Test func aHandlerWithoutSocketsIsNotJudgedByThem() throws {
    let run = run(try scenario([Self.launch], meta: #", "needs": "socket""#), try subject()) {
      $0 == .awaitUse ? .isUsed(false) : nil
    }
    #expect(
      run.result
        == .notJudged(
          "the handler makes no connection over TCP or a Unix socket; if it waits for its app, --app starts the app's program"
        ))
  }

  @Test func aWrongValueFailsAndARightOneIsAFigure() throws {
    let line = #"{"expect": "container.newFiles", "atMost": 0, "otherwise": "It left files."}"#
    for count in [0, 2] {
      let run = run(try scenario([Self.launch, line]), try subject()) { step in
        guard case .perform(.expect) = step else { return nil }
        return .value(.number(Double(count)), names: count == 0 ? [] : ["a", "b"], nil)
      }
      #expect(
        run.result
          == (count == 0
            ? .passed(figures: ["container.newFiles 0 (at most 0)"])
            : .failed(
              "s.jsonl:3: It left files. (container.newFiles is 2; expected: at most 0) They are: a, b. "
                + "If they are meant to stay, name them under 'leftoverFiles' in check.json.")))
    }
  }

  @Test func theLinesAboutConsumerAreLeftOutForAnotherApp() throws {
    let lines = [#"{"app": "launch"}"#, Self.launch, #"{"app": "end"}"#]
    let exit = [#"{"expect": "app.exitCode", "equals": 0}"#, #"{"expect": "app.state", "equals": 1}"#]
    let run = run(try scenario(lines + exit), try subject(app: false))
    let read = run.steps.compactMap {
      if case .perform(.expect(let it)) = $0 { it.path.description } else { nil }
    }
    #expect(read == ["app.state"])
    let own = self.run(try scenario(lines + exit), try subject(app: true))
    let all = own.steps.compactMap {
      if case .perform(.expect(let it)) = $0 { it.path.description } else { nil }
    }
    #expect(all == ["app.summary.framesFailed", "app.exitCode", "app.state"])
  }
}
