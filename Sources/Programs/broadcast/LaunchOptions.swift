import CommandLineSupport
import EmulatedDevice
import EmulatedSystem

/// The options that a check passes to each extension that it launches.
struct LaunchOptions: OptionGroup {
  var screen = ScreenOptions()
  var infoPlist: String?
  var entitlements: String?
  var setupInfo: [String] = []

  static let options: [Option<Self>] =
    ScreenOptions.options.inside(\.screen).filter { ["--device", "--ios"].contains($0.declaration.name) }
    + [
      .value(
        "--info-plist", "PATH", .text("a file"), \.infoPlist,
        help: "The extension's Info.plist, with the principal class and the process mode."),
      .value(
        "--entitlements", "PATH", .text("a file"), \.entitlements, help: "The extension's entitlements.",
        default: "all app groups are granted"),
      .repeated("--setup-info", "KEY=VALUE", help: "A value of the extension's setup screen.") {
        text, options throws(UsageError) in options.setupInfo.append(text)
      },
    ].under("How the extension is launched")

  var namedFiles: [NamedFile] {
    [.reads("--info-plist", infoPlist), .reads("--entitlements", entitlements)]
  }

  var arguments: [String] {
    (screen.device.map { ["--device=\($0.name)"] } ?? [])
      + (screen.ios == .newest ? [] : ["--ios=\(screen.ios)"])
      + (infoPlist.map { ["--info-plist=\($0)"] } ?? [])
      + (entitlements.map { ["--entitlements=\($0)"] } ?? []) + setupInfo.map { "--setup-info=\($0)" }
  }
}
