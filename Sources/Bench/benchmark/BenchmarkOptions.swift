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
  var json: String?
  var folder: String?

  /// The size that the bars apply to.
  static let standardSize = PixelSize(width: 1170, height: 2532)

  var groups: [RowGroup] { only ?? RowGroup.allCases }
  var rounds: Int { givenRounds ?? (isQuick ? 2 : 5) }
  var pace: Pace { isQuick ? .quick : .thorough }

  private static let measured: [Option<Self>] = [
    .value(
      "--size", "WxH", .evenSize(in: 64...8192), \.size, help: "The size of the frames in even pixels."),
    .value(
      "--only", "NAMES",
      OptionValue("names with commas between them, each one of \(groupNames)") { text in
        let groups = text.components(separatedBy: ",").map(RowGroup.init)
        return groups.contains(nil) ? nil : RowGroup.allCases.filter(groups.contains)
      }, \.only,
      help: "Some groups of rows, with commas between them: \(groupNames).",
      default: "all"),
    .value(
      "--rounds", "N", .integer(in: 1...1000), \.givenRounds,
      help: "How often each row is measured, all rows in turn, 1 to 1000.", default: "5, or 2 with --quick"),
    .flag(
      "--quick", \.isQuick,
      help: "A run of a few seconds that checks that everything works; its figures are not accurate."),
    .value(
      "--against", "PROGRAM", .text("a program"), \.against,
      help:
        "The benchmark of another revision, such as ../old/.build/release/benchmark. Both measure in alternating "
        + "rounds; the table says which rows changed."),
    .value(
      "--folder", "DIR", .text("a folder"), \.folder,
      help: "The folder of the shared files, which are removed at the end.",
      default: TemporaryFolder.standardParentText),
  ]

  private static let printed: [Option<Self>] = [
    .value(
      "--json", "PATH", .text("a path, or - for standard output"), \.json,
      help:
        "Write all figures as one JSON object to a file, or with - to standard output instead of the table."
    )
  ]

  private static let groupNames = RowGroup.allCases.map(\.rawValue).joined(separator: ", ")

  package var namedFiles: [NamedFile] {
    [.writes("--json", json), .reads("--against", against)]
  }

  static let program = Program(
    name: "benchmark",
    summary:
      "benchmark measures the frame ring beside what the machine allows. Every figure comes with its ratio to a figure of "
      + "the same round: figures vary from hour to hour, ratios hardly. Use a release build.",
    usage: ["swift run -c release benchmark [OPTIONS]"],
    options: measured.under("What is measured") + printed.under("What is printed"),
    examples: [
      HelpEntry("swift run -c release benchmark", "Everything at the default size, about two minutes:"),
      HelpEntry(
        "swift run -c release benchmark --only ring,copy --rounds 9", "The cost of the ring and the copies:"),
      HelpEntry(
        ".build/release/benchmark --against ../old/.build/release/benchmark --only ring",
        "What changed since another revision:"),
    ],
    signals: [HelpEntry("SIGINT, SIGTERM, SIGHUP", "Remove the shared files and exit.")])
}
