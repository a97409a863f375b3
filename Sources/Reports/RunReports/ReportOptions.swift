import CommandLineSupport
import Foundation

/// The report files of a run.
package struct ReportOptions: OptionGroup {
  /// The path of the HTML page; `nil` if it is not written.
  package var page: String?
  /// The path of the JUnit file; `nil` if it is not written.
  package var junit: String?

  package init() {}

  package static let options: [Option<Self>] = [
    .value(
      "--report", "FILE", .text("a file"), \.page,
      help: "At the end of the run, write its verdicts, causes and events to this HTML file."),
    .value(
      "--junit", "FILE", .text("a file"), \.junit, help: "Write the verdicts as JUnit XML to this file."),
  ].under("Reports")

  package mutating func finish(_ invocation: Invocation) throws(UsageError) {
    for (option, path) in [("--report", page), ("--junit", junit)] where path == "-" {
      throw UsageError("\(option) needs a file, because the messages of the run go to stdout.")
    }
  }

  package var namedFiles: [NamedFile] { [.writes("--report", page), .writes("--junit", junit)] }

  /// Whether any report is written.
  package var isWanted: Bool { page != nil || junit != nil }

  /// Writes the files and says the verdict on a run, if they are wanted.
  ///
  /// - Returns: the failure with which the program ends: `failure`, or the failure of the verdict.
  package func conclude(
    _ record: RunRecord, failure: ProgramFailure?, console: Console
  ) throws(ProgramFailure) -> ProgramFailure? {
    guard isWanted else { return failure }
    try write(record)
    let outcome = Outcome(record.verdicts)
    if failure != nil || outcome.failure == nil { console.say(outcome.sentence) }
    return failure ?? outcome.failure
  }

  /// Writes the files. A page of the other side of the broadcast at this path is joined.
  package func write(_ record: RunRecord) throws(ProgramFailure) {
    guard isWanted else { return }
    if let junit {
      try JUnitReport(
        record.verdicts, suite: record.title, program: record.program, duration: .seconds(record.seconds)
      ).text.write(toReport: junit, of: "--junit")
    }
    if let page { try ReportFile.join(record, at: page) }
  }
}
