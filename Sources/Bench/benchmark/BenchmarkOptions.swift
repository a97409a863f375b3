import CommandLineSupport
import Foundation
import LaunchedPrograms
import Platform

struct BenchmarkOptions: OptionGroup {
  var size = standardSize
  var only: [RowGroup]?
  /// The number of measurements of each row; `nil` for the default of the pace.
  var givenRounds: Int?
  var isQuick = false
  var against: String?
  /// Whether the figures are printed as JSON, for the `--against` of another revision.
  var json: Bool?

  /// The size that the bars apply to.
  static let standardSize = PixelSize(width: 1170, height: 2532)

  var groups: [RowGroup] { only ?? RowGroup.allCases }
  var rounds: Int { givenRounds ?? (isQuick ? 2 : 5) }
  var pace: Pace { isQuick ? .quick : .thorough }
  var namedFiles: [NamedFile] { [.reads("--against", against)] }

  private static let groupNames = RowGroup.allCases.map(\.rawValue).joined(separator: ", ")

  static let program = Program<Self>(
    name: "benchmark",
    summary:
      "benchmark compares the frame ring with the limits of the machine. Every figure comes with its ratio to a figure of "
      + "the same round, because figures vary from hour to hour, but ratios hardly. Use a release build.",
    usage: ["swift run -c release benchmark [OPTIONS]"],
    options: [
      .value(
        "--size", "WxH", .evenSize(in: 64...8192), \.size, help: "The size of the frames in even pixels."),
      .value(
        "--only", "NAMES",
        OptionValue("a comma-separated list of \(groupNames)") { text in
          let groups = text.components(separatedBy: ",").map(RowGroup.init)
          return groups.contains(nil) ? nil : RowGroup.allCases.filter(groups.contains)
        }, \.only, help: "Only these groups of rows (comma-separated): \(groupNames).", default: "all"),
      .value(
        "--rounds", "N", .integer(in: 1...1000), \.givenRounds,
        help: "How often each row is measured, all rows in turn, 1 to 1000.",
        default: "5, or 2 with --quick"),
      .flag(
        "--quick", \.isQuick,
        help: "A run of a few seconds that checks that everything works; its figures are not accurate."),
      .value(
        "--against", "PROGRAM", .text("a program"), \.against,
        help:
          "The benchmark of another revision, such as ../old/.build/release/benchmark. Both measure in alternating "
          + "rounds; the table says which rows changed."),
      .value(
        "--json", "-", OptionValue("- for stdout") { $0 == "-" ? true : nil }, \.json,
        help: "Print all figures as one JSON object instead of the table; only - is accepted."),
    ].under("What is measured"),
    examples: [
      HelpEntry("swift run -c release benchmark", "Everything at the default size, about two minutes:"),
      HelpEntry(
        "swift run -c release benchmark --only ring,copy --rounds 9", "The cost of the ring and the copies:"),
      HelpEntry(
        ".build/release/benchmark --against ../old/.build/release/benchmark --only ring",
        "Compare with another revision:"),
    ],
    signals: [HelpEntry("SIGINT, SIGTERM, SIGHUP", "Remove the shared files and exit with 69.")])
}
