import BroadcastHost
import CommandLineSupport
import ScreenBroadcast

extension ProducerOptions {
  private static let broadcast = "How it is broadcast"

  static let slots = Option(
    "--slots", "N", .integer(in: 2...8), help: "Frames the shared ring holds, 2 to 8.", default: "3",
    group: broadcast)

  static let layout = Option<BroadcastLayout>(
    "--layout", "NAME", .choice,
    help:
      "How frames lie between the two programs: ring (every frame whole, and once) or article (the article's "
      + "own single slot that nothing guards, which tears and repeats). The consumer must read the same.",
    default: "ring", group: broadcast)

  static let memoryReport = Flag(
    "--memory-report", help: "Report the memory used, against the 50 MB an extension may use.",
    group: broadcast)

  static let infoPlist = Option(
    "--info-plist", "PATH", .text("a file"),
    help: "The extension's Info.plist, which names the principal class and the process mode.",
    group: broadcast)

  /// The command line of `producer`.
  static let program = makeProgram(
    named: "producer",
    handling:
      "delivers the frames of an emulated screen to a SampleHandler, which shares them with the consumer."
  )

  /// The command line of any extension's program.
  static func program(named name: String) -> Program {
    name == program.name
      ? program
      : makeProgram(
        named: name, handling: "delivers the frames of an emulated screen to the extension's handler.")
  }

  private static func makeProgram(named name: String, handling: String) -> Program {
    Program(
      name: name,
      summary: "\(name) stands in for a broadcast upload extension and for the system that drives it. It "
        + handling,
      usage: ["\(name) [OPTIONS]"],
      options: ScreenOptions.declarations + [
        slots.declaration,
        layout.declaration, memoryReport.declaration, infoPlist.declaration,
      ] + CommonOptions.endingDeclarations + CommonOptions.declarations,
      examples: [
        HelpEntry(name, "Broadcast colour bars until Ctrl-C:"),
        HelpEntry(
          "\(name) --pattern proof --device iphone-15 --duration 10",
          "Broadcast an iPhone's screen for ten seconds, so that every frame can be verified:"),
        HelpEntry("\(name) --source y4m:clip.y4m --loop", "Broadcast a clip again and again:"),
      ],
      signals: [
        HelpEntry("SIGINT, SIGTERM", "End as the system ends a broadcast: broadcastFinished."),
        HelpEntry("SIGUSR1", "Pause: broadcastPaused, and no more frames."),
        HelpEntry("SIGUSR2", "Resume: broadcastResumed."),
      ])
  }
}
