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
    record.plots = plots
    // Use the final sentences of the causes.
    let told = causes.map(\.cause).filter(\.isReportedAtOnce).map { cause in
      RunRecord.Event(at: max(0, (cause.from - startTime) / Duration.seconds(1)), cause.text)
    }
    record.events = (timeline + told).sorted { $0.seconds < $1.seconds }
    let polls = subject.container == nil ? "samples" : "polls"
    record.summary = summary.map { TerminalWatchView.text(of: $0, polls: polls) } ?? []
    return record
  }

  private var plots: [LinePlot] {
    let memoryLimit = samples.compactMap(\.stats.limitBytes).last.map {
      LinePlot.Limit("limit of an extension", Double($0) / 1_048_576)
    }
    return [
      samples.plot("Frames per second", "fps") {
        [
          ("in, from the extension", $0.stats.framesPerSecondIn),
          ("out, into the call", $0.stats.framesPerSecondOut),
        ]
      },
      samples.plot("Age of frames when they arrive", "ms") {
        [("median", $0.measures.ageMsMedian), ("p99", $0.measures.ageMsP99)]
      },
      samples.plot("Interval between frames", "ms") {
        [("median", $0.measures.intervalMsMedian), ("longest", $0.measures.intervalMsMax)]
      },
      samples.plot("Frames lost so far", "frames") {
        [
          ("skipped between polls", Double($0.stats.framesSkipped)), ("torn", Double($0.stats.framesTorn)),
          ("repeated", Double($0.measures.framesRepeated)), ("dropped", Double($0.measures.framesDropped)),
        ]
      },
      samples.plot("Written memory", "MiB", limit: memoryLimit) {
        [
          ("process of the extension", $0.stats.footprintBytes.map { Double($0) / 1_048_576 }),
          ("app", $0.measures.appMemoryBytes.map { Double($0) / 1_048_576 }),
        ]
      },
      samples.plot("Peak of audio", "dB") {
        [("app audio", $0.stats.appLevelDb), ("microphone", $0.stats.micLevelDb)]
      },
      samples.plot("Newest audio after newest frame", "ms") { [("offset", $0.stats.avOffsetMs)] },
    ]
  }
}
