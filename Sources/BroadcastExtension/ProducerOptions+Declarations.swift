import BroadcastHost
import CommandLineSupport
import ReplayKit
import ScreenBroadcast
import TestPatterns

extension ProducerOptions {
  private static let picture = "What the screen shows"
  private static let broadcast = "How it is broadcast"

  static let pattern = Option<TestPattern>(
    "--pattern", "NAME", .choice,
    help: "A synthetic picture: bars, gradient, noise, static, or proof, which 'consumer --verify' checks.",
    default: "bars", group: picture)

  /// The path of a clip, or `-`.
  static let source = Option(
    "--source", "y4m:PATH",
    OptionValue("y4m:PATH, or y4m:- for standard input") { text in
      let path = text.dropFirst("y4m:".count)
      return text.hasPrefix("y4m:") && !path.isEmpty ? String(path) : nil
    },
    help: "A YUV4MPEG2 clip in place of a pattern; y4m:- reads standard input.", group: picture)

  static let loop = Flag(
    "--loop", help: "Begin the clip again at its end; without it the broadcast ends there.", group: picture)

  static let size = Option(
    "--size", "WxH", .evenSize(in: 16...8192),
    help: "The pattern's size in pixels, both sides even, 16 to 8192.", default: "1080x720", group: picture)

  static let device = Option(
    "--device", "NAME",
    OptionValue("one of \(DeviceProfile.all.map(\.name).joined(separator: ", "))") { text in
      DeviceProfile(named: text)
    },
    help: "The pattern's size is that device's screen in portrait: "
      + "\(DeviceProfile.all.map(\.name).joined(separator: ", ")).",
    group: picture)

  static let orientation = Option<CGImagePropertyOrientation>(
    "--orientation", "NAME",
    OptionValue("one of \(orientationNames)") { text in
      CGImagePropertyOrientation.all.first { $0.name == text }
    },
    help: "How the device is held, told with every frame: \(orientationNames).", default: "up",
    group: picture)

  static let fps = Option(
    "--fps", "N", .number(in: 1...240), help: "Frames a second, 1 to 240, decimals allowed.",
    default: "60, or the clip's own rate", group: broadcast)

  static let format = Option<ScreenFormat>(
    "--format", "NAME", .choice,
    help: "The pixel format: 420f (full range, what ReplayKit delivers) or 420v (video range).",
    default: "420f", group: broadcast)

  static let slots = Option(
    "--slots", "N", .integer(in: 2...8), help: "Frames the shared ring holds, 2 to 8.", default: "3",
    group: broadcast)

  static let layout = Option<BroadcastLayout>(
    "--layout", "NAME", .choice,
    help:
      "How frames lie between the two programs: ring (every frame whole, and once) or article (the article's "
      + "own single slot that nothing guards, which tears and repeats). The consumer must read the same.",
    default: "ring", group: broadcast)

  /// In bytes; `nil` for no limit.
  static let memoryLimit = Option<UInt64?>(
    "--memory-limit", "MiB",
    OptionValue("a number of MiB from 1 to 1048576, or off") { text in
      if text == "off" { return .some(nil) }
      return OptionValue.number(in: 1...1_048_576).read(text).map { UInt64($0 * 1_048_576) }
    },
    help:
      "The extension's private memory, in MiB, above which it is killed as on a device; off for no limit.",
    default: "50", group: broadcast)

  static let memoryReport = Flag(
    "--memory-report", help: "Report the memory used, against what the extension may use.",
    group: broadcast)

  static let infoPlist = Option(
    "--info-plist", "PATH", .text("a file"),
    help: "The extension's Info.plist, which names the principal class and the process mode.",
    group: broadcast)

  private static let orientationNames = CGImagePropertyOrientation.all.map(\.name).joined(separator: ", ")

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
      options: [
        pattern.declaration, source.declaration, loop.declaration, size.declaration, device.declaration,
        orientation.declaration, fps.declaration, format.declaration, slots.declaration,
        layout.declaration, memoryLimit.declaration, memoryReport.declaration, infoPlist.declaration,
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
