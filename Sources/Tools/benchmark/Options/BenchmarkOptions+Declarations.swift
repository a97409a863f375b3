import CommandLineSupport

extension BenchmarkOptions {
  private static let what = "What is measured"
  private static let printing = "What is printed"

  static let size = Option(
    "--size", "WxH", .evenSize(in: 64...8192), help: "The size of the frames in even pixels.",
    default: "\(standardSize)", group: what)

  static let everySize = Flag(
    "--all-sizes",
    help: "All of \(allSizes.map(\.description).joined(separator: ", ")), one after the other.",
    group: what)

  static let only = Option<[Group]>(
    "--only", "NAMES",
    OptionValue("names with commas between them, each one of \(groupNames)") { text in
      let groups = text.split(separator: ",", omittingEmptySubsequences: false).map {
        Group(rawValue: String($0))
      }
      let known = groups.compactMap { $0 }
      guard known.count == groups.count else { return nil }
      return Group.allCases.filter(known.contains)
    },
    help: "Some groups of rows, with commas between them: \(groupNames).", default: "all", group: what)

  static let rounds = Option(
    "--rounds", "N", .integer(in: 1...1000),
    help: "How often each row is measured, all rows in turn, 1 to 1000.", default: "5, or 2 with --quick",
    group: what)

  static let quick = Flag(
    "--quick", help: "A few seconds in all, to see that everything runs; the figures mean little.",
    group: what)

  static let folder = Option(
    "--folder", "DIR", .text("a folder"), help: "Where the shared files are made; they are removed again.",
    default: "/dev/shm, or else the temporary folder", group: what)

  static let json = Option(
    "--json", "PATH", .text("a path, or - for standard output"),
    help:
      "Write everything as one JSON object to a file, or with - to standard output in place of the table.",
    group: printing)

  static let markdown = Flag("--markdown", help: "Print the table as Markdown, to paste.", group: printing)

  private static let groupNames = Group.allCases.map(\.rawValue).joined(separator: ", ")

  /// The program's command line.
  static let program = Program(
    name: "benchmark",
    summary:
      "benchmark measures the frame ring beside what the machine allows, beside the article's design and "
      + "beside other ways between processes. Every figure comes with its ratio to what was measured beside it in "
      + "the same round: figures drift from hour to hour, ratios hardly. Figures mean something in release "
      + "builds only.",
    usage: [
      "swift run -c release benchmark [OPTIONS]", "swift run -c release --traits Peers benchmark [OPTIONS]",
    ],
    options: [
      size.declaration, everySize.declaration, only.declaration, rounds.declaration, quick.declaration,
      folder.declaration, json.declaration, markdown.declaration, CommonOptions.help.declaration,
      CommonOptions.version.declaration,
    ],
    examples: [
      HelpEntry("swift run -c release benchmark", "Everything on the default size, some three minutes:"),
      HelpEntry(
        "swift run -c release benchmark --only ring,copy --rounds 9", "What the ring and the copies cost:"),
      HelpEntry(
        "swift run -c release --traits Peers benchmark --markdown --json figures.json",
        "With GStreamer, libyuv and JPEG, for a page and for a program:"),
    ],
    signals: [HelpEntry("SIGINT, SIGTERM", "Remove the shared files and leave.")])
}
