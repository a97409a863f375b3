import BroadcastCheck
import CommandLineSupport
import EmulatedCapture
import EmulatedSystem
import LaunchedPrograms
import Synchronization

/// The subcommand `check` of an app that captures the screen.
struct CaptureCheck {
  let options: CaptureAppOptions
  let program: String

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
      try BuiltInScenarios.captures(of: framework.rawValue)
    }.run { () throws(ProgramFailure) in
      // A file that cannot be read is not a fault of the app.
      if let path = options.infoPlist { _ = try PropertyListFile.dictionary(path) }
      return CheckSubject(
        app: ChildProcess.ownProgram, named: program, device: options.capture.screen.identity,
        arguments: ["--json"] + own)
    }
  }
}
