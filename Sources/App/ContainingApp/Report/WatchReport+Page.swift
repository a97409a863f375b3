import Causes
import CommandLineSupport
import Foundation
import Platform
import RunReports

extension WatchReport {
  /// Writes the page and the test cases that `options` name.
  ///
  /// - Parameter failure: the failure of the watch, if there is one.
  /// - Returns: the failure with which the program ends.
  package func write(
    _ options: ReportOptions, failure: ProgramFailure?, console: Console
  ) throws(ProgramFailure) -> ProgramFailure? {
    let contents = contents
    return try options.conclude(
      contents.record(contents.verdicts(failure: failure)), failure: failure, console: console)
  }
}

extension WatchReport.Contents {
  /// The page of the watch so far, as `--report` writes it at the end.
  package var page: String { record(verdicts(failure: nil)).page }

  fileprivate func record(_ verdicts: [Verdict]) -> RunRecord {
    var record = RunRecord(
      title: subject.title, commandLine: subject.commandLine, start: startDate, duration: elapsed,
      container: subject.container, verdicts: verdicts)
    record.device = subject.device
    record.causes = causes.sorted { Cause.isBefore($0.cause, $1.cause) }
      .map { RunRecord.FoundCause($0.cause, since: startTime, repeat: $0.again) }
    // Use the final sentences of the causes.
    let told = causes.map(\.cause).filter(\.isReportedAtOnce).map { cause in
      RunRecord.Event(at: max(0, (cause.from - startTime) / Duration.seconds(1)), cause.text)
    }
    record.events = (timeline + told).sorted { $0.seconds < $1.seconds }
    let polls = subject.container == nil ? "samples" : "polls"
    record.summary = summary.map { TerminalWatchView.text(of: $0, polls: polls) } ?? []
    return record
  }
}
