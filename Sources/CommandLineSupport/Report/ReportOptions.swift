import Foundation

/// The files that report a run.
package struct ReportOptions: OptionGroup {
  /// The path of the page; `nil` for none.
  package var page: String?
  /// The path of the test cases; `nil` for none.
  package var junit: String?

  package init() {}

  package static let options: [Option<Self>] = [
    .value(
      "--report", "FILE", .text("a file"), \.page,
      help: "Write the verdicts, plots and events of the run at its end as one page of HTML to this file."),
    .value(
      "--junit", "FILE", .text("a file"), \.junit, help: "Write the verdicts as JUnit XML to this file."),
  ].under("Reports")

  package mutating func finish(_ invocation: Invocation) throws(UsageError) {
    for (option, path) in [("--report", page), ("--junit", junit)] where path == "-" {
      throw UsageError("\(option) takes a file: standard output has the messages of the run.")
    }
  }

  package var namedFiles: [NamedFile] { [.writes("--report", page), .writes("--junit", junit)] }

  /// Whether a report is written.
  package var isWanted: Bool { page != nil || junit != nil }

  /// Throws if the folder of a file cannot be written: that is better known before a run than after it.
  package func check() throws(ProgramFailure) {
    for path in namedFiles.compactMap(\.path) { try path.checkFolderOfOutput() }
  }

  /// Writes the files, and shows failed verdicts to GitHub Actions if it runs this process.
  ///
  /// - Parameters:
  ///   - title: what ran, as in "consumer watch"; its first word is the program.
  ///   - content: adds what follows the verdicts on the page.
  package func write(
    _ verdicts: [Verdict], title: String, commandLine: [String], start: Date, duration: Duration,
    console: Console, content: (inout ReportPage) -> Void
  ) throws(ProgramFailure) {
    guard isWanted else { return }
    let program = String(title.prefix { $0 != " " })
    if let junit {
      try JUnitReport(verdicts, suite: title, program: program, duration: duration).text
        .write(toReport: junit, of: "--junit")
    }
    if let path = page {
      var page = ReportPage(title: title)
      page.add(verdicts)
      content(&page)
      page.section("Run")
      page.add(rows: [
        ["command line", commandLine.joined(separator: " ")],
        ["start", start.formatted(.iso8601)],
        ["duration", "\((duration / .seconds(1)).text(decimals: 1)) s"],
        ["version", programVersion], ["machine", Self.machine],
      ])
      try page.html.write(toReport: path, of: "--report")
    }
    GitHubActions().show(verdicts, title: title, console: console)
  }

  private static var machine: String {
    let info = ProcessInfo.processInfo
    #if arch(arm64)
      let processor = "arm64"
    #else
      let processor = "x86-64"
    #endif
    return "\(info.operatingSystemVersionString), \(info.activeProcessorCount) processors (\(processor)), "
      + "\((Double(info.physicalMemory) / 1_073_741_824).text(decimals: 1)) GB of memory"
  }
}
