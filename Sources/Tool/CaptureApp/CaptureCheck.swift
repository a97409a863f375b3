import BroadcastCheck
import CommandLineSupport
import EmbeddedFiles
import EmulatedCapture
import EmulatedSystem
import LaunchedPrograms
import Synchronization

/// The subcommand `check` of an app that captures the screen.
struct CaptureCheck {
  let options: CaptureAppOptions
  let program: String

  /// The scenarios of a framework, in the order of a run.
  static func files(of framework: CaptureFramework) -> [(name: String, bytes: [UInt8])] {
    (framework == .replaykit ? ofRecorders : ofStreams).map { ($0, EmbeddedFiles.own["\($0).jsonl"]) }
  }

  private static let ofRecorders = [
    "recorder-start",
    "recorder-declined",
    "recorder-disabled",
    "recorder-fails",
    "recorder-unanswered",
    "recorder-without-microphone",
    "recorder-interrupted",
    "recorder-second-start",
    "recorder-background",
    "recorder-call",
    "recorder-pace",
  ]

  private static let ofStreams = [
    "start",
    "picker-cancel",
    "picker-declined",
    "picker-fails",
    "user-stop",
    "system-stop",
    "second-start",
    "idle",
    "rotation",
    "background",
    "lock",
    "call",
    "protected",
    "pace",
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
