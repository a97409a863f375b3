import CommandLineSupport
import EmulatedSystem
import Foundation
import LaunchedPrograms

extension Scenario {
  /// How long a process may take to end, unless the scenario says otherwise.
  static let standardLimit = Duration.seconds(10)
  /// How long a process may take to start, even on an overloaded host.
  static let startLimit = Duration.seconds(20)

  /// Reads a scenario from the lines of a file.
  ///
  /// - Parameters:
  ///   - file: the path for errors. A scenario that states no name is named after it.
  ///   - firstLine: the number of the first line in the file.
  ///   - side: the program that the scenario launches: an extension (perhaps with its app), or an app alone.
  package init(
    parsing text: String, file: String, firstLine: Int = 1,
    launching side: LaunchedBroadcast.Side = .extension
  ) throws(ScenarioError) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
      .map { (number: $0.offset + firstLine, text: $0.element) }
      .filter { !$0.text.allSatisfy(\.isWhitespace) }
    guard let first = lines.first else { throw ScenarioError(file, "The file has no lines.") }
    let place = "\(file):\(first.number)"
    var line = try ScenarioLine(parsing: first.text, place: place)
    guard var meta = try line.object("meta") else {
      throw ScenarioError(place, "The first line must be an object with the key 'meta'.")
    }
    try line.finish()
    self = try Scenario(meta: &meta, file: file)
    actions = try lines.dropFirst().map { number, text throws(ScenarioError) in
      var line = try ScenarioLine(parsing: text, place: "\(file):\(number)")
      if side == .app, line.has("do") {
        throw ScenarioError(line.place, key: "do", "needs an extension, and this program is an app.")
      }
      return try Action(&line, number: number)
    }
    let isLaunched = actions.contains {
      if case .launch(side, _) = $0.step { true } else { false }
    }
    guard isLaunched else {
      let key = side == .app ? "app" : "do"
      throw ScenarioError(file, #"No line launches the \#(side.rawValue); add {"\#(key)": "launch"}."#)
    }
  }

  /// Reads a table with one capture scenario per line. A scenario launches the app, and waits until the phone has ended it. If a
  /// scenario has no `needs`, it expects that the app does not end itself.
  ///
  /// - Parameter framework: the capture framework of the scenarios to return.
  static func captures(
    parsing text: String, file: String, of framework: String
  ) throws(ScenarioError) -> [Scenario] {
    try text.split(separator: "\n").enumerated().map { index, text throws(ScenarioError) -> Scenario? in
      var row = try ScenarioLine(parsing: text, place: "\(file):\(index + 1)")
      guard try row.text("framework") ?? "screencapturekit" == framework else { return nil }
      let arguments = try row.texts("arguments")
      var expectations = try row.objects("expect").map { line throws(ScenarioError) in
        var line = line
        return try Expectation(&line)
      }
      if !row.has("onDevice") {
        row["onDevice"] = .string("The app crashes, or shows a capture that has ended.")
      }
      row["tags"] = .array([.string("capture")])
      var scenario = try Scenario(meta: &row, file: file)
      if scenario.needs == nil {
        var end = Expectation(
          ValuePath(.app, "captured", keys: ["count"]), equals: .number(1),
          otherwise: "The app ended itself, before the phone ended it.")
        end.isCertain = true
        expectations.insert(end, at: 0)
      }
      expectations = captureRules + expectations
      let steps: [Step] =
        [.launch(.app, arguments: arguments), .control(.app, .wait, within: .seconds(20))]
        + expectations.map { .expect($0) }
      scenario.actions = steps.map { Action(line: index + 1, time: nil, step: $0) }
      return scenario
    }.compactMap(\.self)
  }

  /// The expectations of every capture scenario.
  private static let captureRules: [Expectation] = [
    (
      "lacksOutput", .boolean(false),
      "The stream continued without an output: the app added no output, or released it."
    ),
    (
      "endsUnheard", .number(0),
      "The app was not notified of the end of its stream, because the stream has no delegate, and still shows it."
    ),
  ].map { key, value, otherwise in
    var rule = Expectation(ValuePath(.app, "captured", keys: [key]), equals: value, otherwise: otherwise)
    rule.isCertain = true
    return rule
  }

  private init(meta: inout ScenarioLine, file: String) throws(ScenarioError) {
    self.file = file
    name = try meta.text("name") ?? URL(filePath: file).deletingPathExtension().lastPathComponent
    checks = try meta.required("checks", "what the scenario checks, in one sentence")
    onDevice = try meta.required("onDevice", "what happens on a device if it fails, in one sentence")
    see = try meta.text("see")
    tags = try meta.texts("tags")
    if let number = try meta.number("seed") {
      guard let seed = UInt64(exactly: number) else {
        throw meta.wrong("seed", "a whole number from 0", .number(number))
      }
      self.seed = seed
    }
    needs = try meta.choice("needs", "one of \(Need.allCases.map(\.rawValue).joined(separator: ", "))")
    runsAlone = try meta.flag("alone")
    expectedIssues = Set(
      try meta.texts("issues").map { text throws(ScenarioError) in
        guard let issue = Issue(rawValue: text) else {
          throw meta.wrong(
            "issues", "some of \(Issue.allCases.map(\.rawValue).joined(separator: ", "))", .string(text))
        }
        return issue
      })
    try meta.finish()
  }
}

extension Scenario.Action {
  fileprivate init(_ line: inout ScenarioLine, number: Int) throws(ScenarioError) {
    self.line = number
    guard ["do", "app", "expect"].filter(line.has).count == 1 else {
      throw ScenarioError(line.place, "A line needs exactly one of the keys 'do', 'app' and 'expect'.")
    }
    time = try line.times("at")
    if let word = try line.text("do") {
      step = try Self.step(word, of: .extension, key: "do", &line)
    } else if let word = try line.text("app") {
      step = try Self.step(word, of: .app, key: "app", &line)
    } else {
      step = .expect(try Expectation(&line))
    }
    try line.finish()
  }

  private static func step(
    _ word: String, of side: LaunchedBroadcast.Side, key: String, _ line: inout ScenarioLine
  ) throws(ScenarioError) -> Scenario.Step {
    if word == "launch" { return .launch(side, arguments: try line.texts("arguments")) }
    if let step = Scenario.ProcessStep(rawValue: word) {
      return .control(side, step, within: try line.time("within") ?? Scenario.standardLimit)
    }
    let words = ["launch"] + Scenario.ProcessStep.allCases.map(\.rawValue)
    guard side == .extension else {
      if word == "stop" { return .stopByApp }
      if let event = PhoneApp.Event(rawValue: word) {
        let delay = event == .background ? try line.time("suspendsAfter") : nil
        return .live(event, suspendsAfter: delay ?? PhoneApp.backgroundTime)
      }
      let appWords = words + ["stop"] + PhoneApp.Event.allCases.map(\.rawValue).filter { !words.contains($0) }
      throw line.wrong(key, "one of \(appWords.joined(separator: ", "))", .string(word))
    }
    // The check controls the app itself, whichever side a line names, and therefore knows its state.
    if word.hasPrefix("app:"), let event = PhoneApp.Event(rawValue: String(word.dropFirst(4))) {
      return .live(event, suspendsAfter: PhoneApp.backgroundTime)
    }
    do throws(UsageError) { return .event(try DeviceEvent(text: word)) } catch {
      throw ScenarioError(
        line.place, key: key,
        "expects one of \(words.joined(separator: ", ")), or an event. \(error.message)")
    }
  }
}

extension Expectation {
  fileprivate init(_ line: inout ScenarioLine) throws(ScenarioError) {
    let text = try line.required("expect", "the path of a value")
    guard let path = ValuePath(text) else {
      throw line.wrong(
        "expect",
        "a path such as extension.finished.framesProduced, app.summary.framesTorn or container.sockets",
        .string(text))
    }
    guard path.root != .container || CheckedBroadcast.containerValues.contains(path.name) else {
      throw line.wrong(
        "expect", "container.\(CheckedBroadcast.containerValues.joined(separator: " or container."))",
        .string(text))
    }
    self.path = path
    equals = line.take("equals")
    atLeast = try line.number("atLeast")
    atMost = try line.number("atMost")
    limit = try line.time("within") ?? .zero
    otherwise = try line.text("otherwise")
    isCertain = try line.flag("certain")
    guard equals != nil || atLeast != nil || atMost != nil else {
      throw ScenarioError(
        line.place, key: "expect", "needs a value: one of the keys 'equals', 'atLeast' and 'atMost'.")
    }
  }
}
