/// The scenarios that are part of the program.
package enum BuiltInScenarios {
  /// Their files, in the order of a run: the longest is early, and those that run alone are last.
  package static let files: [(name: String, bytes: [UInt8])] = [
    ("start-finish", PackageResources.start_finish_jsonl),
    ("memory", PackageResources.memory_jsonl),
    ("finish-while-starting", PackageResources.finish_while_starting_jsonl),
    ("second-start-finish", PackageResources.second_start_finish_jsonl),
    ("second-start-crash", PackageResources.second_start_crash_jsonl),
    ("cycles", PackageResources.cycles_jsonl),
    ("pause-resume", PackageResources.pause_resume_jsonl),
    ("indicator-cancel", PackageResources.indicator_cancel_jsonl),
    ("indicator-stop", PackageResources.indicator_stop_jsonl),
    ("lock", PackageResources.lock_jsonl),
    ("call", PackageResources.call_jsonl),
    ("orientations", PackageResources.orientations_jsonl),
    ("resize", PackageResources.resize_jsonl),
    ("odd-sizes", PackageResources.odd_sizes_jsonl),
    ("row-padding", PackageResources.row_padding_jsonl),
    ("chroma-padding", PackageResources.chroma_padding_jsonl),
    ("video-range", PackageResources.video_range_jsonl),
    ("overlap", PackageResources.overlap_jsonl),
    ("still-screen", PackageResources.still_screen_jsonl),
    ("bursts", PackageResources.bursts_jsonl),
    ("rates", PackageResources.rates_jsonl),
    ("skipped-frames", PackageResources.skipped_frames_jsonl),
    ("annotation", PackageResources.annotation_jsonl),
    ("misuse-unlocked", PackageResources.misuse_unlocked_jsonl),
    ("misuse-left-locked", PackageResources.misuse_left_locked_jsonl),
    ("misuse-after-release", PackageResources.misuse_after_release_jsonl),
    ("misuse-kept", PackageResources.misuse_kept_jsonl),
    ("audio-packets", PackageResources.audio_packets_jsonl),
    ("audio-byte-order", PackageResources.audio_byte_order_jsonl),
    ("microphone", PackageResources.microphone_jsonl),
    ("app-absent", PackageResources.app_absent_jsonl),
    ("app-dies", PackageResources.app_dies_jsonl),
    ("app-suspended", PackageResources.app_suspended_jsonl),
    ("app-stops", PackageResources.app_stops_jsonl),
    ("notifications-lost", PackageResources.notifications_lost_jsonl),
    ("notifications-late", PackageResources.notifications_late_jsonl),
    ("notifications-doubled", PackageResources.notifications_doubled_jsonl),
    ("notifications-coalesced", PackageResources.notifications_coalesced_jsonl),
    ("notifications-unheard", PackageResources.notifications_unheard_jsonl),
    ("socket-reset", PackageResources.socket_reset_jsonl),
    ("socket-slow", PackageResources.socket_slow_jsonl),
    ("socket-sliced", PackageResources.socket_sliced_jsonl),
    ("errors", PackageResources.errors_jsonl),
    ("finish-without-error", PackageResources.finish_without_error_jsonl),
    ("exit", PackageResources.exit_jsonl),
    ("left-behind", PackageResources.left_behind_jsonl),
    ("handler-time", PackageResources.handler_time_jsonl),
  ]

  /// The scenarios, in the order of a run.
  package static func all() throws(ScenarioError) -> [Scenario] {
    try files.map { name, bytes throws(ScenarioError) in
      var scenario = try Scenario(parsing: String(decoding: bytes, as: UTF8.self), file: "\(name).jsonl")
      scenario.isBuiltIn = true
      return scenario
    }
  }
}
