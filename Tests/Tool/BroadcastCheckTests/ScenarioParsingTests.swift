import EmulatedSystem
import TestSupport

@testable import BroadcastCheck

@Suite struct ScenarioParsingTests {
  private static let meta =
    #"{"meta": {"name": "a", "checks": "What.", "onDevice": "Why.", "tags": ["t"], "seed": 7, "issues": ["crash"], "alone": true, "needs": "app", "see": "WhatGoesWrong.md: Tearing"}}"#

  private func scenario(_ lines: String...) throws(ScenarioError) -> Scenario {
    try Scenario(parsing: ([Self.meta] + lines).joined(separator: "\n"), file: "f.jsonl")
  }

  @Test func everyKindOfLineIsRead() throws {
    let read = try scenario(
      #"{"app": "launch", "arguments": ["--verify"]}"#, #"{"do": "launch", "arguments": ["--fps", "60"]}"#,
      "",
      #"{"at": "0.5s...900ms", "do": "rotate:left"}"#, #"{"app": "stop"}"#,
      #"{"do": "wait", "within": "2s"}"#,
      #"{"expect": "extension.misuse[kind=kept].count", "atLeast": 0, "atMost": 1, "otherwise": "Misused."}"#)
    #expect((read.name, read.tags, read.seed) == ("a", ["t"], 7))
    #expect(read.runsAlone)
    #expect((read.needs, read.see) == (.app, "WhatGoesWrong.md: Tearing"))
    #expect((read.expectedIssues, read.actions.map(\.line)) == ([.crash], [2, 3, 5, 6, 7, 8]))
    #expect(read.actions[2].time == .milliseconds(500)...(.milliseconds(900)))
    #expect(
      read.actions.map(\.step).dropLast() == [
        .launch(.app, arguments: ["--verify"]), .launch(.extension, arguments: ["--fps", "60"]),
        .event("rotate:left"), .stopByApp, .control(.extension, .wait, within: .seconds(2)),
      ])
    guard case .expect(let expectation) = read.actions[5].step else {
      Issue.record("The last line is not an expectation.")
      return
    }
    #expect((expectation.path.name, expectation.path.keys) == ("misuse", ["count"]))
    #expect(expectation.path.filter?.value == "kept")
  }

  @Test func aScenarioWithoutANameHasTheNameOfItsFile() throws {
    let lines = #"{"meta": {"checks": "What.", "onDevice": "Why."}}"# + "\n" + #"{"do": "launch"}"#
    #expect(try Scenario(parsing: lines, file: "/a/my-scenario.jsonl").name == "my-scenario")
  }

  @Test func theLifeOfAnAppIsRead() throws {
    let read = try scenario(
      #"{"do": "launch"}"#, #"{"app": "background"}"#, #"{"app": "background", "suspendsAfter": "300ms"}"#,
      #"{"app": "foreground"}"#, #"{"app": "memory-warning"}"#)
    #expect(
      read.actions.dropFirst().map(\.step) == [
        .live(.background, suspendsAfter: .seconds(5)), .live(.background, suspendsAfter: .milliseconds(300)),
        .live(.foreground, suspendsAfter: .seconds(5)), .live(.memoryWarning, suspendsAfter: .seconds(5)),
      ])
  }

  @Test(arguments: [
    (#"{"do": "launhc"}"#, "f.jsonl:2: 'do' expects one of launch, wait, end, kill, suspend, continue"),
    (#"{"do": "rotate:x"}"#, "'rotate:NAME' expects one of up"),
    (#"{"do": "launch", "argumnets": []}"#, "There is no key 'argumnets' here; did you mean 'arguments'?"),
    (#"{"do": "launch", "arguments": "x"}"#, "f.jsonl:2: 'arguments' expects a list of strings, not 'x'."),
    (#"{"at": "soon", "do": "pause"}"#, "f.jsonl:2: 'at' expects a time such as 2s or 500ms"),
    (#"{"at": "2s...1s", "do": "pause"}"#, "'at' expects a time"),
    (#"{"at": "1s"}"#, "A line needs exactly one of the keys 'do', 'app' and 'expect'."),
    (#"{"do": "end", "app": "end"}"#, "A line needs exactly one of the keys 'do', 'app' and 'expect'."),
    (#"{"app": "fly"}"#, "'app' expects one of launch, wait, end, kill, suspend, continue, stop, "),
    (#"{"app": "foreground", "suspendsAfter": "1s"}"#, "There is no key 'suspendsAfter' here"),
    (#"{"expect": "finished", "equals": 1}"#, "'expect' expects a path such as extension.finished"),
    (#"{"expect": "container.fils", "equals": 1}"#, "'expect' expects container.newFiles or "),
    (#"{"expect": "app.summary.x"}"#, "needs a value: one of the keys 'equals', 'atLeast' and 'atMost'."),
    (#"{"expect": "app.summary.x", "atMost": "1"}"#, "f.jsonl:2: 'atMost' expects a number, not '1'."),
    ("[1]", "f.jsonl:2: This line is not a JSON object: '[1]'."),
    ("nonsense", "f.jsonl:2: This line is not JSON: 'nonsense'."),
  ])
  func aWrongLineIsNamedWithItsKey(line: String, problem: String) throws {
    let error = #expect(throws: ScenarioError.self) { try scenario(line) }
    #expect(try #require(error).description.contains(problem))
  }

  @Test(arguments: [
    ("", "f.jsonl: The file has no lines."),
    (#"{"do": "launch"}"#, "f.jsonl:1: The first line must be an object with the key 'meta'."),
    (#"{"meta": {"name": "n", "onDevice": "y"}}"#, "f.jsonl:1: The key 'checks' is missing"),
    (#"{"meta": {"checks": "x", "onDevice": "y", "issues": ["bug"]}}"#, "'issues' expects some of crash, "),
    (#"{"meta": {"checks": "x", "onDevice": "y", "seed": -1}}"#, "'seed' expects a whole number from 0"),
    (#"{"meta": {"checks": "x", "onDevice": "y", "needs": "money"}}"#, "'needs' expects one of app, "),
    (#"{"meta": {"checks": "x", "onDevice": "y"}}"#, "No line launches the extension"),
  ])
  func aWrongFileIsNamed(text: String, problem: String) throws {
    let error = #expect(throws: ScenarioError.self) { try Scenario(parsing: text, file: "f.jsonl") }
    #expect(try #require(error).description.contains(problem))
  }

  @Test func aScenarioOfAnAppAloneLaunchesNoExtension() throws {
    func scenario(_ lines: String...) throws(ScenarioError) -> Scenario {
      try Scenario(parsing: ([Self.meta] + lines).joined(separator: "\n"), file: "f.jsonl", launching: .app)
    }
    let read = try scenario(
      #"{"app": "launch"}"#, #"{"expect": "app.captured.count", "equals": 1, "certain": true}"#)
    guard case .expect(let expectation)? = read.actions.last?.step else {
      Issue.record("The last line is not an expectation.")
      return
    }
    #expect(expectation.isCertain)
    for (line, problem) in [
      (#"{"do": "launch"}"#, "f.jsonl:2: 'do' needs an extension, and this program is an app."),
      (#"{"app": "wait"}"#, #"No line launches the app; add {"app": "launch"}."#),
    ] {
      let error = #expect(throws: ScenarioError.self) { try scenario(line) }
      #expect(try #require(error).description.contains(problem))
    }
  }

  @Test func anExpectationSaysWhatItFound() throws {
    let read = try scenario(
      #"{"do": "launch"}"#, #"{"expect": "app.summary.framesTorn", "equals": 0, "otherwise": "Torn."}"#,
      #"{"expect": "extension.endSeconds", "atMost": 1}"#)
    let expectations = read.actions.compactMap { action -> BroadcastCheck.Expectation? in
      if case .expect(let expectation) = action.step { expectation } else { nil }
    }
    #expect(expectations[0].holds(for: .number(0)))
    #expect(!expectations[0].holds(for: .number(2)))
    #expect(expectations[0].problem(with: .number(2)) == "Torn. (app.summary.framesTorn is 2; expected: 0)")
    #expect(
      expectations[1].problem(with: nil) == "extension.endSeconds is missing; expected: at most 1.")
    #expect(!expectations[1].holds(for: nil))
    #expect(!expectations[1].holds(for: .string("1")))
    #expect(expectations[1].figure(.number(0.1234)) == "extension.endSeconds 0.123 (at most 1)")
    #expect(expectations[0].figure(.number(0)) == nil)
  }
}
