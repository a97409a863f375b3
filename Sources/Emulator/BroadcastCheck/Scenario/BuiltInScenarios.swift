/// The scenarios that are part of the program.
package enum BuiltInScenarios {
  /// Their files, in the order of a run: the longest are first, and those that run alone are last.
  package static let files: [(name: String, bytes: [UInt8])] = [
    ("rests", PackageResources.rests_jsonl),
    ("notifications-lost", PackageResources.notifications_lost_jsonl),
    ("memory", PackageResources.memory_jsonl),
    ("pace", PackageResources.pace_jsonl),
    ("pictures", PackageResources.pictures_jsonl),
    ("shapes", PackageResources.shapes_jsonl),
    ("notifications-late", PackageResources.notifications_late_jsonl),
    ("start-finish", PackageResources.start_finish_jsonl),
    ("finish-while-starting", PackageResources.finish_while_starting_jsonl),
    ("second-start-crash", PackageResources.second_start_crash_jsonl),
    ("cycles", PackageResources.cycles_jsonl),
    ("pause-resume", PackageResources.pause_resume_jsonl),
    ("indicator-stop", PackageResources.indicator_stop_jsonl),
    ("lock", PackageResources.lock_jsonl),
    ("lock-pause", PackageResources.lock_pause_jsonl),
    ("call", PackageResources.call_jsonl),
    ("audio-ends", PackageResources.audio_ends_jsonl),
    ("route", PackageResources.route_jsonl),
    ("orientations", PackageResources.orientations_jsonl),
    ("resize", PackageResources.resize_jsonl),
    ("overlap", PackageResources.overlap_jsonl),
    ("annotation", PackageResources.annotation_jsonl),
    ("misuse", PackageResources.misuse_jsonl),
    ("audio-packets", PackageResources.audio_packets_jsonl),
    ("microphone", PackageResources.microphone_jsonl),
    ("app-dies", PackageResources.app_dies_jsonl),
    ("app-suspended", PackageResources.app_suspended_jsonl),
    ("app-stops", PackageResources.app_stops_jsonl),
    ("socket-reset", PackageResources.socket_reset_jsonl),
    ("socket-slow", PackageResources.socket_slow_jsonl),
    ("socket-sliced", PackageResources.socket_sliced_jsonl),
    ("errors", PackageResources.errors_jsonl),
    ("finish-without-error", PackageResources.finish_without_error_jsonl),
    ("after-the-end", PackageResources.after_the_end_jsonl),
    ("storage", PackageResources.storage_jsonl),
    ("handler-time", PackageResources.handler_time_jsonl),
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
