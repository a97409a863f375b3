import CommandLineSupport

/// The options of `doctor`: its repairs, or the files that it compares.
struct DoctorOptions: OptionGroup {
  var fix = false
  /// The path of the app's Info.plist or `.app`; `nil` to examine the container.
  var app: String?
  var appEntitlements: String?
  /// The path of the extension; `nil` for the extension in the `.app`.
  var `extension`: String?
  var extensionEntitlements: String?

  static let options: [Option<Self>] =
    [
      .flag(
        "--fix", \.fix,
        help:
          "Apply safe repairs: a stale flag, leftover files. Does nothing while "
          + "a producer runs.")
    ].under("Repairs (doctor)")
    + [
      .value(
        "--app", "PATH", .text("an Info.plist or an .app"), \.app,
        help:
          "Examine the configuration of this app and its extension, not the container: the path of the app's "
          + "Info.plist (with --extension) or of a built .app.",
        default: "the container is examined"),
      .value(
        "--extension", "PATH", .text("a path"), \.extension,
        help: "The extension: the path of its Info.plist or of its .appex.",
        default: "the only extension in the .app"),
      .value(
        "--app-entitlements", "FILE", .text("a file"), \.appEntitlements,
        help: "The entitlements of the app.", default: "those in the .app or in its signature"),
      .value(
        "--extension-entitlements", "FILE", .text("a file"), \.extensionEntitlements,
        help: "The entitlements of the extension.", default: "those in the .appex or in its signature"),
    ].under("Files of an app (doctor)")

  mutating func finish(_ invocation: Invocation) throws(UsageError) {
    guard app != nil else {
      let files = ["--app-entitlements", "--extension", "--extension-entitlements"]
      if let name = files.first(where: invocation.has) {
        throw UsageError("\(name) needs --app; add --app with the path of the app.")
      }
      return
    }
    let containers = ["--fix"] + CommonOptions.sharing.map(\.declaration.name)
    if let name = containers.first(where: invocation.has) {
      throw UsageError("\(name) is for a container, and cannot be combined with --app.")
    }
  }
}
