import CommandLineSupport

struct CheckOptions: OptionGroup {
  /// Names and tags of the scenarios to run; empty for all.
  var only: [String] = []
  var lists = false
  var seed = 1
  /// The path of a scenario to run instead of the built-in ones.
  var scenario: String?
  /// The path of the app's program; `nil` for the article's app beside the article's handler.
  var app: String?
  /// The path of the statement of the extension's design; `nil` for the standard one, if it is there.
  var design: String?
  /// The folder for what the processes of failed scenarios wrote.
  var keepFolder: String?

  static let subcommand = "check"
  static let standardDesign = "check.json"

  static let options: [Option<Self>] = [
    .repeated(
      "--only", "NAME", help: "Run the scenarios of this name or tag only; may be given more than once."
    ) { text, options throws(UsageError) in options.only.append(text) },
    .flag("--list", \.lists, help: "List the scenarios with their tags, and run none."),
    .value(
      "--seed", "N", .integer(in: 0...1_000_000_000), \.seed,
      help: "The seed of the random times in scenarios, 0 to 1000000000."),
    .value(
      "--scenario", "FILE", .text("a file"), \.scenario,
      help: "Run the scenario in this file instead of those of the program."),
    .value(
      "--app", "PROGRAM", .text("a program"), \.app,
      help: "The app's program, which scenarios start, suspend and kill beside the extension.",
      default: "consumer, for the article's handler"),
    .value(
      "--design", "FILE", .text("a file"), \.design,
      help:
        "What the team states about the extension: that it ends with its app, leaves files, or is not concerned by a scenario. Docs/Check.md has the keys.",
      default: "\(standardDesign) in the current folder, if there is one"),
    .value(
      "--keep", "DIR", .text("a folder"), \.keepFolder,
      help: "Keep the events and the standard error of failed scenarios in DIR, in a folder for each."),
  ].under("What is checked").only(with: [subcommand])

  mutating func finish(_ invocation: Invocation) throws(UsageError) {
    if scenario != nil, !only.isEmpty {
      throw UsageError("--only chooses among the scenarios of the program; leave out --only or --scenario.")
    }
  }

  var namedFiles: [NamedFile] {
    [
      .reads("--scenario", scenario), .reads("--app", app), .reads("--design", design),
      .makes("--keep", keepFolder),
    ]
  }
}
