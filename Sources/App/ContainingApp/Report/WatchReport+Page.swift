import CommandLineSupport
import Foundation
import PictureFormats

extension WatchReport {
  /// Writes the page and the test cases that `options` name.
  ///
  /// - Parameter failure: the failure with which the program ends, if there is one.
  package func write(
    _ options: ReportOptions, failure: ProgramFailure?, console: Console
  ) throws(ProgramFailure) {
    try options.write(
      verdicts(failure: failure), title: subject.title, commandLine: subject.commandLine, start: startDate,
      duration: elapsed, console: console
    ) { page in
      addPlots(to: &page)
      addMoments(to: &page)
      page.section("Timeline")
      page.add(rows: Self.rows(timeline), heads: ["seconds", "event"])
      if let summary {
        page.section("Summary")
        page.add(rows: Self.rows(summary))
      }
    }
  }

  private func addPlots(to page: inout ReportPage) {
    page.section("The whole run")
    page.add(
      plot("Frames per second", "fps") {
        [
          ("in, from the extension", $0.stats.framesPerSecondIn),
          ("out, into the call", $0.stats.framesPerSecondOut),
        ]
      })
    page.add(
      plot("Age of frames when they arrive", "ms") {
        [("median", $0.measures.ageMsMedian), ("p99", $0.measures.ageMsP99)]
      })
    page.add(
      plot("Interval between frames", "ms") {
        [("median", $0.measures.intervalMsMedian), ("longest", $0.measures.intervalMsMax)]
      })
    page.add(
      plot("Frames lost so far", "frames") {
        [
          ("skipped between polls", Double($0.stats.framesSkipped)), ("torn", Double($0.stats.framesTorn)),
          ("repeated", Double($0.measures.framesRepeated)), ("dropped", Double($0.measures.framesDropped)),
        ]
      })
    page.add(
      plot("Written memory", "MB", limit: ("limit of an extension", Self.extensionLimit)) {
        [
          ("process of the extension", $0.measures.extensionMemory.map { Double($0) / 1_048_576 }),
          ("app", $0.measures.appMemory.map { Double($0) / 1_048_576 }),
        ]
      })
    page.add(
      plot("Peak of audio", "dB") {
        [("app audio", $0.stats.appLevelDb), ("microphone", $0.stats.micLevelDb)]
      })
    page.add(plot("Newest audio after newest frame", "ms") { [("offset", $0.stats.avOffsetMs)] })
    page.add(text: "Dashed vertical lines are the events of the timeline.")
  }

  private func plot(
    _ title: String, _ unit: String, limit: (name: String, value: Double)? = nil,
    values: (Sample) -> [(name: String, value: Double?)]
  ) -> LinePlot {
    LinePlot(
      title: title, unit: unit, lines: samples.map { ($0.time, values($0)) }, limit: limit,
      marks: timeline.map(\.time))
  }

  private func addMoments(to page: inout ReportPage) {
    guard !moments.all.isEmpty else { return }
    page.section("Worst moments")
    for moment in moments.all {
      let caption = "\(moment.name), at \(moment.time.text(decimals: 1)) s. \(moment.text)"
      do throws(PNGEncoder.Error) {
        if let png = try moment.png() {
          page.add(png: png, caption: caption)
        } else {
          page.add(text: caption)
        }
      } catch {
        page.add(text: "\(caption) The picture cannot be shown: \(error).")
      }
    }
  }

  /// The memory in MB above which a device kills an extension.
  private static let extensionLimit = 50.0
  /// The number of events at the start and at the end that a page lists.
  private static let listedEvents = 100

  private static func rows(_ timeline: [(time: Double, text: String)]) -> [[String]] {
    func row(_ event: (time: Double, text: String)) -> [String] {
      [event.time.text(decimals: 1), event.text]
    }
    guard timeline.count > 2 * listedEvents else { return timeline.map(row) }
    let between = ["", "\(timeline.count - 2 * listedEvents) more events"]
    return timeline.prefix(listedEvents).map(row) + [between] + timeline.suffix(listedEvents).map(row)
  }

  /// The figures of a summary, under their keys in JSON.
  private static func rows(_ summary: WatchSummary) -> [[String]] {
    func rows(_ values: [String: Any], under name: String) -> [[String]] {
      values.sorted { $0.key < $1.key }.flatMap { key, value in
        if let group = value as? [String: Any] { return rows(group, under: "\(name)\(key).") }
        return [["\(name)\(key)", (value as? Double).map { String(format: "%.6g", $0) } ?? "\(value)"]]
      }
    }
    do {
      let object = try JSONSerialization.jsonObject(with: try JSONEncoder().encode(summary))
      return rows(object as? [String: Any] ?? [:], under: "")
    } catch {
      return [["The summary has no JSON form", "\(error)"]]
    }
  }
}
