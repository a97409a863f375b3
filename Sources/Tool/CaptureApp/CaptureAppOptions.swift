import BroadcastCheck
import CommandLineSupport
import EmulatedCapture
import EmulatedSystem
import RunReports
import Synchronization

/// The options of an app that captures the screen.
struct CaptureAppOptions: OptionGroup {
  var common = CommonOptions()
  var capture = CaptureOptions()
  var duration: Duration?
  /// The Info.plist with `UIBackgroundModes`.
  var infoPlist: String?
  var isCheck = false
  var report = ReportOptions()
  var check = CheckOptions()

  /// The framework that this app uses by default.
  static let ownFramework = Mutex(CaptureFramework.screencapturekit)

  init() { capture.framework = Self.ownFramework.withLock(\.self) }

  static let options: [Option<Self>] = [
    CaptureOptions.choosing.inside(\.capture),
    CaptureOptions.options.inside(\.capture).only(with: ["capture"]),
    [
      .value(
        "--duration", "TIME", .seconds(in: .milliseconds(1)...CommonOptions.longest), \.duration,
        help: "End after this time, in seconds or as 500ms, 5s or 2m.", default: "no limit")
    ].under("When to end").only(with: ["capture"]),
    [
      .value(
        "--info-plist", "PATH", .text("a file"), \.infoPlist,
        help: "The app's Info.plist. Its UIBackgroundModes are used instead of --background-modes.")
    ].under("The phone with ScreenCaptureKit"),
    CheckOptions.options.inside(\.check),
    ReportOptions.options.inside(\.report).only(with: [CheckOptions.subcommand]),
    CommonOptions.printing.inside(\.common),
  ].flatMap { $0 }

  mutating func finish(_ invocation: Invocation) throws(UsageError) {
    isCheck = invocation.subcommand == CheckOptions.subcommand
    try capture.finish(invocation)
    try check.finish(invocation)
    try report.finish(invocation)
  }

  var namedFiles: [NamedFile] {
    [.prints("--json", common.json), .reads("--info-plist", infoPlist)] + capture.namedFiles
      + check.namedFiles + report.namedFiles
  }

  static func program(named name: String) -> Program<Self> {
    Program(
      name: name,
      summary: "\(name) captures the screen of an emulated phone, as an app does.",
      usage: ["\(name) [capture] [OPTIONS]", "\(name) check [OPTIONS]"],
      subcommands: [
        HelpEntry("capture", "Start the app and let the person share the screen. The default."),
        HelpEntry(
          CheckOptions.subcommand, "Check the app against the known failures, with a verdict for each."),
      ],
      options: options,
      vocabularies: CaptureOptions.vocabularies,
      examples: [
        HelpEntry(name, "Share the screen until Ctrl-C:"),
        HelpEntry("\(name) --at 2s rotate:left --at 5s stop --duration 8", "Rotate the phone, then stop:"),
        HelpEntry("\(name) --picker cancel --duration 2", "The person closes the picker:"),
        HelpEntry("\(name) check --info-plist Info.plist", "Check the app:"),
      ], mostUsed: ["--at", "--picker", "--duration", "--device", "--json"],
      signals: [
        HelpEntry("SIGINT, SIGTERM, SIGHUP", "End normally, with the statistics."),
        HelpEntry("SIGUSR1", "The app goes to the background."),
        HelpEntry("SIGUSR2", "The app returns to the foreground."),
      ])
  }
}
