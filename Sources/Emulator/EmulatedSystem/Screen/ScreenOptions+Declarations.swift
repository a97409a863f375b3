import CommandLineSupport
import ReplayKit
import ScreenBroadcast
import TestPatterns

extension ScreenOptions {
  private static let picture = "What the screen shows"

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
    "--loop", help: "Begin the clip again at its end; without it the broadcast or capture ends there.",
    group: picture)

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
    default: "60, or the clip's own rate", group: picture)

  static let format = Option<ScreenFormat>(
    "--format", "NAME", .choice,
    help: "The pixel format: 420f (full range, what ReplayKit delivers) or 420v (video range).",
    default: "420f", group: picture)

  private static let orientationNames = CGImagePropertyOrientation.all.map(\.name).joined(separator: ", ")

  /// The options, in the order of `--help`.
  package static let declarations = [
    pattern.declaration, source.declaration, loop.declaration, size.declaration, device.declaration,
    orientation.declaration, fps.declaration, format.declaration,
  ]
}
