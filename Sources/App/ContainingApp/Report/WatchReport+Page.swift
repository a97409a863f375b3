import Causes
import CommandLineSupport
import Foundation
import RunReports

extension WatchReport {
  /// Writes the page and the test cases that `options` name.
  ///
  /// - Parameter failure: the failure with which the program ends, if there is one.
  package func write(
    _ options: ReportOptions, failure: ProgramFailure?, console: Console
  ) throws(ProgramFailure) {
    let contents = contents
    try options.write(contents.record(contents.verdicts(failure: failure)), console: console)
  }
}

extension WatchReport.Contents {
  /// The page of what has been seen so far, as `--report` writes it at the end.
  package var page: String { record(verdicts(failure: nil)).page }

  fileprivate func record(_ verdicts: [Verdict]) -> RunRecord {
    var record = RunRecord(
      title: subject.title, commandLine: subject.commandLine, start: startDate, duration: elapsed,
      container: subject.container, verdicts: verdicts)
    record.device = subject.device
    record.causes = causes.sorted { Cause.isBefore($0.cause, $1.cause) }
      .map { RunRecord.FoundCause($0.cause, since: startTime, repeat: $0.again) }
    record.plots = plots
    record.events = timeline
    if let summary { record.tables = [RunRecord.Table("Summary", rows: Self.rows(summary))] }
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

  /// The figures of a value, under their keys in JSON.
  private static func rows(_ value: Any, under name: String? = nil) -> [[String]] {
    if let name, let number = value as? Double { return [[name, String(format: "%.6g", number)]] }
    if let name, let count = value as? UInt64 { return [[name, "\(count)"]] }
    return Mirror(reflecting: value).children.flatMap { label, part -> [[String]] in
      // The only part of an optional.
      guard let label, label != "some" else { return rows(part, under: name) }
      guard !(value is AudioState) || AudioState.isFigure(label) else { return [] }
      return rows(part, under: name.map { "\($0).\(label)" } ?? label)
    }.sorted { $0[0] < $1[0] }
  }
}
