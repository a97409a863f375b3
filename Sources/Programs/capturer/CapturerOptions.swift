import AppProgram
import CommandLineSupport
import ContainingApp
import EmulatedCapture
import EmulatedSystem

package struct CapturerOptions: OptionGroup {
  var common = CommonOptions()
  var showing = ShowingOptions()
  var capture = CaptureOptions()
  /// How long to wait for the first frame; `nil` for no limit.
  var wait: Duration?

  package init() {}

  package mutating func finish(_ invocation: Invocation) throws(UsageError) {
    try showing.finish(invocation)
    try capture.finish(invocation)
  }

  package var namedFiles: [NamedFile] {
    [.prints("--json", common.json)] + showing.namedFiles + capture.namedFiles
  }

  /// The frame rate to state in outputs: the rate of the framework, in frames per second.
  var framesPerSecond: Double {
    Double(capture.framework == .replaykit ? VideoCall.captureFramesPerSecond : VideoCall.framesPerSecond)
  }

  /// Parses a command line, without the program's name.
  package static func parse(_ arguments: [String]) throws(UsageError) -> CommandLineRequest<Self> {
    try program.request(arguments)
  }

  package static let program = Program<Self>(
    name: "capturer",
    summary:
      "capturer emulates an app that captures the screen itself, without an extension: with ReplayKit, or with "
      + "ScreenCaptureKit as in iOS 27. It puts the frames into a WebRTC video source and measures them.",
    usage: ["capturer [OPTIONS]"],
    options: (CaptureOptions.choosing + CaptureOptions.options).inside(\.capture)
      + [
        .value(
          "--wait", "TIME", .seconds(in: .zero...CommonOptions.longest), \.wait,
          help: "How long to wait for the first frame, 0 to 1000000 seconds; then exit with 69.",
          default: "no limit")
      ].under("When to end")
      + ShowingOptions.options.inside(\.showing) + CommonOptions.printing.inside(\.common),
    vocabularies: CaptureOptions.vocabularies,
    examples: [
      HelpEntry("capturer --pattern proof --verify --duration 10", "Capture the app's own screen:"),
      HelpEntry(
        "capturer --framework screencapturekit --at 6s stop", "Capture the display as in iOS 27:"),
    ],
    mostUsed: ["--framework", "--at", "--verify", "--serve", "--report", "--duration", "--json"],
    elsewhere: ["--group": ["consumer"], "--container": ["consumer"], "--once": ["consumer --once"]],
    signals: [
      HelpEntry("SIGINT, SIGTERM, SIGHUP", "End normally, with the summary."),
      HelpEntry("SIGUSR1", "The app goes to the background."),
      HelpEntry("SIGUSR2", "The app returns to the foreground."),
    ])
}
