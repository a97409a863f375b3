import EmulatedSystem
import TestSupport

@testable import BroadcastCheck

/// Tests that the built-in scenarios have unique names, and refer only to names that exist.
@Suite struct BuiltInScenariosTests {
  @Test func everyScenarioOfAnExtensionHasItsNameAndItsLines() throws {
    let scenarios = try BuiltInScenarios.all()
    let text = BuiltInScenarios.text("extension")
    #expect(scenarios.count == text.components(separatedBy: #""meta""#).count - 1 && scenarios.count > 12)
    #expect(Set(scenarios.map(\.name)).count == scenarios.count)
    let lines = text.components(separatedBy: "\n")
    for scenario in scenarios {
      let first = try #require(scenario.actions.first?.line)
      #expect(lines[first - 2].contains(#""name": "\#(scenario.name)""#), "line \(first) of \(scenario.file)")
    }
    try expectThatThoseThatRunAloneAreLast(scenarios)
  }

  @Test(arguments: [("screencapturekit", 14), ("replaykit", 11)])
  func everyScenarioOfACaptureLaunchesTheAppAndWaitsForItsEnd(
    framework: String, count: Int
  ) throws {
    let scenarios = try BuiltInScenarios.captures(of: framework)
    #expect(scenarios.count == count)
    for scenario in scenarios {
      #expect(scenario.name.hasPrefix("recorder-") == (framework == "replaykit"))
      #expect(scenario.tags == ["capture"] && !scenario.onDevice.isEmpty)
      guard case .launch(.app, _)? = scenario.actions.first?.step else {
        Issue.record("\(scenario.name) does not launch the app")
        continue
      }
      #expect(scenario.actions[1].step == .control(.app, .wait, within: .seconds(20)))
      let isOwnEndAFailure = scenario.actions.contains { action in
        if case .expect(let expectation) = action.step {
          expectation.path.description == "app.captured.count" && expectation.isCertain
        } else {
          false
        }
      }
      #expect(isOwnEndAFailure == (scenario.needs == nil))
    }
    try expectThatThoseThatRunAloneAreLast(scenarios)
  }

  private func expectThatThoseThatRunAloneAreLast(_ scenarios: [Scenario]) throws {
    let isAlone = scenarios.map(\.runsAlone)
    #expect(isAlone == isAlone.filter { !$0 } + isAlone.filter { $0 })
  }

  @Test func everyMisuseFailsItsScenario() throws {
    let scenario = try #require(try BuiltInScenarios.all().first { $0.name == "misuse" })
    let paths = scenario.actions.compactMap { action in
      if case .expect(let expectation) = action.step { expectation.path.description } else { nil }
    }
    #expect(Set(paths) == Set(HandlerMisuse.allCases.map { "extension.misuse[kind=\($0)].count" }))
  }

  @Test func everyPageAndSectionThatAScenarioNamesExists() throws {
    for scenario in try BuiltInScenarios.all() {
      guard let see = scenario.see else { continue }
      let parts = see.split(separator: ": ", maxSplits: 1).map(String.init)
      try #require(parts.count == 2)
      let lines = try Document("Docs/\(parts[0])").text.split(separator: "\n")
      #expect(
        lines.contains { $0.hasPrefix("#") && $0.drop { $0 == "#" || $0 == " " } == parts[1] },
        "\(scenario.name) names '\(see)'")
    }
  }

  /// A handler may refuse to start without its app, so the app must run at each launch in a scenario that leads the app.
  @Test func eachBroadcastOfAScenarioThatLeadsTheAppHasItRunning() throws {
    for scenario in try BuiltInScenarios.all() where scenario.leadsApp {
      var isRunning = false
      for action in scenario.actions {
        switch action.step {
        case .launch(.app, _): isRunning = true
        case .control(.app, .end, _), .control(.app, .kill, _), .control(.app, .wait, _), .live(.kill, _):
          isRunning = false
        case .launch(.extension, _):
          #expect(isRunning, "\(scenario.name), line \(action.line): the extension starts without its app")
        case .control, .live, .event, .expect, .stopByApp: break
        }
      }
    }
  }

  /// An overloaded host delivers few frames in a second, and a report must not say that there were no frames.
  @Test func onlyABoundOfOneIsReportedAsNone() throws {
    for scenario in try BuiltInScenarios.all() {
      for case .expect(let expectation) in scenario.actions.map(\.step) {
        guard let bound = expectation.atLeast, let sentence = expectation.otherwise else { continue }
        #expect(
          !sentence.lowercased().split(separator: " ").contains("no") || bound <= 1,
          "\(scenario.name): \(sentence)")
      }
    }
  }
}
