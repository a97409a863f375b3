import BroadcastCheck
import CommandLineSupport
import EmulatedSystem
import Programs
import Synchronization

/// The subcommand `check` of an app that captures the screen.
struct CaptureCheck {
  let options: CaptureAppOptions
  let program: String

  /// The scenarios of a framework, in the order of a run.
  static func files(of framework: CaptureFramework) -> [(name: String, bytes: [UInt8])] {
    framework == .replaykit ? ofRecorders : ofStreams
  }

  private static let ofRecorders: [(name: String, bytes: [UInt8])] = [
    ("recorder-start", PackageResources.recorder_start_jsonl),
    ("recorder-declined", PackageResources.recorder_declined_jsonl),
    ("recorder-disabled", PackageResources.recorder_disabled_jsonl),
    ("recorder-fails", PackageResources.recorder_fails_jsonl),
    ("recorder-unanswered", PackageResources.recorder_unanswered_jsonl),
    ("recorder-without-microphone", PackageResources.recorder_without_microphone_jsonl),
    ("recorder-interrupted", PackageResources.recorder_interrupted_jsonl),
    ("recorder-second-start", PackageResources.recorder_second_start_jsonl),
    ("recorder-background", PackageResources.recorder_background_jsonl),
    ("recorder-call", PackageResources.recorder_call_jsonl),
    ("recorder-pace", PackageResources.recorder_pace_jsonl),
  ]

  private static let ofStreams: [(name: String, bytes: [UInt8])] = [
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
    let framework = options.capture.framework
    let isOwn = CaptureAppOptions.ownFramework.withLock { $0 == framework }
    let own =
      (isOwn ? [] : ["--framework=\(framework.rawValue)"])
      + (options.infoPlist.map { ["--info-plist=\($0)"] } ?? [])
    return try CheckCommand(
      options.check, of: program, common: options.common, report: options.report, launching: .app,
      arguments: own
    ) { () throws(ScenarioError) in
      try Scenario.all(in: Self.files(of: framework), launching: .app)
    }.run { () throws(ProgramFailure) in
      // A file that cannot be read is no fault of the app.
      if let path = options.infoPlist { _ = try PropertyListFile.dictionary(path) }
      return CheckSubject(
        app: ChildProcess.ownProgram, named: program, device: options.capture.screen.identity,
        arguments: ["--json"] + own)
    }
  }
}
