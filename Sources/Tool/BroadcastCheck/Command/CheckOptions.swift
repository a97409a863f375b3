import CommandLineSupport

/// The options of the subcommand `check`.
package struct CheckOptions: OptionGroup {
  /// Names and tags of the scenarios to run; empty for all scenarios.
  package var only: [String] = []
  package var lists = false
  package var seed = 1
  /// The path of a scenario to run instead of the built-in ones.
  package var scenario: String?
  /// The folder that keeps the output of the processes of failed scenarios.
  package var keepFolder: String?

  package static let subcommand = "check"

  package init() {}

  package static let options: [Option<Self>] = [
    .repeated(
      "--only", "NAME", help: "Run the scenarios of this name or tag only; may be given more than once."
    ) { text, options throws(UsageError) in options.only.append(text) },
    .flag("--list", \.lists, help: "List the scenarios with their tags, and exit."),
    .value(
      "--seed", "N", .integer(in: 0...1_000_000_000), \.seed,
      help: "The seed of the random times in scenarios, 0 to 1000000000."),
    .value(
      "--scenario", "FILE", .text("a file"), \.scenario,
      help: "Run the scenario in this file instead of the built-in scenarios."),
    .value(
      "--keep", "DIR", .text("a folder"), \.keepFolder,
      help: "Keep the events and the stderr of failed scenarios in DIR, in a folder for each."),
  ].under("What is checked").only(with: [subcommand])

  package mutating func finish(_ invocation: Invocation) throws(UsageError) {
    if scenario != nil, !only.isEmpty {
      throw UsageError(
        "--only and --scenario cannot be combined: --only chooses among the built-in scenarios.")
    }
  }

  package var namedFiles: [NamedFile] { [.reads("--scenario", scenario), .makes("--keep", keepFolder)] }
}
