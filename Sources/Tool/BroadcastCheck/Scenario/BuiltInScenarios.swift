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
    "notifications-lost",
    "memory",
    "pace",
    "pictures",
    "shapes",
    "notifications-late",
    "start-finish",
    "finish-while-starting",
    "second-start-crash",
    "cycles",
    "pause-resume",
    "indicator-stop",
    "lock",
    "lock-pause",
    "call",
    "audio-ends",
    "route",
    "orientations",
    "resize",
    "overlap",
    "annotation",
    "misuse",
    "audio-packets",
    "microphone",
    "app-dies",
    "app-suspended",
    "app-stops",
    "socket-reset",
    "socket-slow",
    "socket-sliced",
    "errors",
    "finish-without-error",
    "after-the-end",
    "storage",
    "handler-time",
  ]
}
