import CommandLineSupport
import ExtensionImport
import LaunchedPrograms

/// The operand and options of `import`.
struct ImportOptions: OptionGroup {
  var folder = ""
  /// The folder of the package; `nil` for a folder in the current one.
  var to: String?
  var additions: [String] = []
  var emulator: String?
  var without: [String] = []
  var target: String?

  static let subcommand = "import"

  static let options: [Option<Self>] = [
    .value(
      "--to", "DIR", .text("a folder"), \.to,
      help: "The folder of the new package. A package of an earlier import is updated.",
      default: "TARGET-package in the current folder"),
    .repeated(
      "--add", "PATH",
      help:
        "Another file or folder of the target, NAME=PATH for a module of another name; may be given more than once."
    ) { text, options throws(UsageError) in options.additions.append(text) },
    .repeated(
      "--without", "FILE",
      help:
        "A file or folder of the target to leave out: a path, or the end of one; may be given more than once."
    ) { text, options throws(UsageError) in options.without.append(text) },
    .value(
      "--target", "NAME", .text("the name of a target"), \.target,
      help: "The extension's target, for a project with several broadcast upload extensions.",
      default: "the only one"),
    .value(
      "--emulator", "PACKAGE", .text("a folder, or a URL with a version or a commit"), \.emulator,
      help:
        "The emulator's package that the new package depends on: a folder, or a URL with a version or a commit of 40 digits, "
        + "as in https://example.com/emulator.git@1.0.0.",
      default: "the folder that this program was built from"),
  ].under("What is imported").only(with: [subcommand])

  func run(_ console: Console) throws(ProgramFailure) {
    let report = try ExtensionImport(
      folder: folder, destination: to, additions: additions, emulator: emulator,
      without: without, targetName: target
    ).run(program: ChildProcess.ownProgram)
    console.say(report)
  }
}
