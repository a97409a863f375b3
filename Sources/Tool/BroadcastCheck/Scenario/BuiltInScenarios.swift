import EmbeddedFiles

/// The scenarios that are part of the program.
package enum BuiltInScenarios {
  /// Their files, in the order of a run: the longest are first, and those that run alone are last.
  package static let files = names.map { (name: $0, bytes: EmbeddedFiles.own["\($0).jsonl"]) }

  private static let names = [
    "rests",
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

  /// The scenarios, in the order of a run.
  package static func all() throws(ScenarioError) -> [Scenario] {
    try Scenario.all(in: files).map {
      var scenario = $0
      scenario.isBuiltIn = true
      return scenario
    }
  }
}

extension Scenario {
  /// The scenarios of a program's files, which have the names of the scenarios.
  package static func all(
    in files: [(name: String, bytes: [UInt8])], launching side: Side = .extension
  ) throws(ScenarioError) -> [Scenario] {
    try files.map { name, bytes throws(ScenarioError) in
      try Scenario(
        parsing: String(decoding: bytes, as: UTF8.self), file: "\(name).jsonl", launching: side)
    }
  }
}
