import BroadcastCheck
import CommandLineSupport

/// The options of the subcommand `check` of an extension.
struct ExtensionCheckOptions: OptionGroup {
  var scenarios = CheckOptions()
  /// The path of the app's program; `nil` for the article's app next to the article's handler.
  var app: String?
  /// The path of the statement of the extension's design; `nil` for ``standardDesign``, if that file exists.
  var design: String?

  static let standardDesign = "check.json"

  static let options: [Option<Self>] =
    CheckOptions.options.inside(\.scenarios)
    + [
      .value(
        "--app", "PROGRAM", .text("a program"), \.app,
        help: "The app's program. Scenarios start, suspend and kill it alongside the extension.",
        default: "consumer, for the article's handler"),
      .value(
        "--design", "FILE", .text("a file"), \.design,
        help:
          "A file that states the design of the extension: that it ends with its app, leaves files, or is not concerned by a scenario (keys: Docs/Check.md).",
        default: "\(standardDesign) in the current folder, if there is one"),
    ].under("What is checked").only(with: [CheckOptions.subcommand])

  mutating func finish(_ invocation: Invocation) throws(UsageError) { try scenarios.finish(invocation) }

  var namedFiles: [NamedFile] {
    [.reads("--app", app), .reads("--design", design)] + scenarios.namedFiles
  }
}
