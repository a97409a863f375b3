import EmbeddedFiles

/// The scenarios that are part of the program.
package enum BuiltInScenarios {
  /// Returns the scenarios of an extension in the order of a run: the longest first, and those that run alone last.
  package static func all() throws(ScenarioError) -> [Scenario] {
    try names.map { name throws(ScenarioError) in
      var scenario = try Scenario(parsing: text(name), file: "\(name).jsonl")
      scenario.isBuiltIn = true
      return scenario
    }
  }

  /// Returns the scenarios of an app that captures the screen with a framework.
  package static func captures(of framework: String) throws(ScenarioError) -> [Scenario] {
    try Scenario.captures(parsing: text("captures"), file: "captures.jsonl", of: framework)
  }

  /// Returns the text of a scenario file.
  package static func text(_ name: String) -> String {
    String(decoding: EmbeddedFiles.own["\(name).jsonl"], as: UTF8.self)
  }

  /// The names of the scenarios and of their files.
  package static let names = [
    "idle-screen",
    "pictures",
    "pace",
    "shapes",
    "memory",
    "cycles",
    "audio-packets",
    "route",
    "app-suspended",
    "call",
    "app-dies",
    "notifications-lost",
    "pause-resume",
    "notifications-late",
    "microphone",
    "socket-slow",
    "socket-reset",
    "socket-sliced",
    "audio-ends",
    "storage",
    "overlap",
    "orientations",
    "misuse",
    "after-the-end",
    "lock-pause",
    "start-finish",
    "finish-while-starting",
    "resize",
    "second-start-crash",
    "app-stops",
    "lock",
    "finish-without-error",
    "indicator-stop",
    "errors",
    "annotation",
    "handler-time",
  ]
}
