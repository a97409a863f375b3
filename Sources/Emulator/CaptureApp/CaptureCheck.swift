import BroadcastCheck
import CommandLineSupport
import EmulatedSystem
import Programs

/// The subcommand `check` of an app that captures the screen by ScreenCaptureKit.
struct CaptureCheck {
  let options: CaptureAppOptions
  let program: String

  /// Its scenarios, in the order of a run.
  static let files: [(name: String, bytes: [UInt8])] = [
    ("start", PackageResources.start_jsonl),
    ("picker-cancel", PackageResources.picker_cancel_jsonl),
    ("picker-declined", PackageResources.picker_declined_jsonl),
    ("picker-fails", PackageResources.picker_fails_jsonl),
    ("user-stop", PackageResources.user_stop_jsonl),
    ("system-stop", PackageResources.system_stop_jsonl),
    ("second-start", PackageResources.second_start_jsonl),
    ("idle", PackageResources.idle_jsonl),
    ("rotation", PackageResources.rotation_jsonl),
    ("background", PackageResources.background_jsonl),
    ("lock", PackageResources.lock_jsonl),
    ("call", PackageResources.call_jsonl),
    ("protected", PackageResources.protected_jsonl),
    ("pace", PackageResources.pace_jsonl),
  ]

  func run() throws(ProgramFailure) -> ProgramFailure? {
    let own = options.infoPlist.map { ["--info-plist=\($0)"] } ?? []
    return try CheckCommand(
      options.check, of: program, common: options.common, report: options.report, launching: .app,
      arguments: own
    ) { () throws(ScenarioError) in
      try Scenario.all(in: Self.files, launching: .app)
    }.run { () throws(ProgramFailure) in
      // A file that cannot be read is no fault of the app.
      if let path = options.infoPlist { _ = try PropertyListFile.dictionary(path) }
      return CheckSubject(
        app: ChildProcess.ownProgram, named: program, device: options.capture.screen.identity,
        arguments: ["--json"] + own)
    }
  }
}
