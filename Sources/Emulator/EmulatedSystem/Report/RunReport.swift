import Causes
import CommandLineSupport
import EmulatedDevice
import Foundation
import Platform
import RunReports

/// Collects a broadcast for a report: its counts and memory once a second, and its events.
@MainActor
package final class RunReport {
  private struct Sample: RunSample {
    var time: Double
    var framesPerSecond: Double
    var framesDropped: Double
    var lateTicks: Double
    var megabytes: Double?
    /// The mean time of the handler's calls with a frame; `nil` without a frame.
    var handlerMs: Double?
  }

  private let title: String
  private let container: String?
  private let framesPerSecond: Double
  private let memory: ExtensionMemory
  private let budget: UInt64?
  private let startDate = Date()
  private let clock: any MonotonicClock
  private let startTime: MonotonicTime
  private var samples: [Sample] = []
  private var timeline: [RunRecord.Event] = []
  private var last = (time: 0.0, progress: BroadcastReport.Progress?.none)
  /// Whether neither a trace nor an event, such as a pause, changes the rate of frames.
  private var hasEvenRate: Bool

  /// - Parameters:
  ///   - title: what runs, as in "producer".
  ///   - container: the folder that it shares with the app.
  ///   - framesPerSecond: the rate of the screen.
  ///   - hasEvenRate: whether the screen has this rate until an event changes it.
  ///   - budget: the limit of the extension's memory in bytes; `nil` for none.
  package init(
    title: String, container: String? = nil, framesPerSecond: Double, memory: ExtensionMemory,
    budget: UInt64?,
    hasEvenRate: Bool = true, clock: any MonotonicClock = SystemClock()
  ) {
    (self.hasEvenRate, self.container) = (hasEvenRate, container)
    (self.title, self.framesPerSecond, self.memory, self.budget) = (title, framesPerSecond, memory, budget)
    self.clock = clock
    startTime = clock.now
  }

  private var elapsed: Duration { clock.now - startTime }

  /// Adds an event of the broadcast to the timeline.
  package func note(_ event: BroadcastSystem.Event) {
    let text: String
    switch event {
    case .requested: return
    case .started: text = "The broadcast started."
    case .paused: text = "Paused."
    case .resumed: text = "Resumed."
    case .happened(let event):
      text = "\(event.text)."
      if event.traits.contains(.changesRate) { hasEvenRate = false }
    case .refused(let event, let reason): text = "\(event.text) was refused: \(reason)"
    case .socket(let event): text = event.text
    case .notification(let event): text = event.text
    case .call(let event):
      guard event.isLong else { return }
      text = event.text
    case .misuse(let misuse, let held): text = "\(misuse.description)\(held.map { " \($0)" } ?? "")"
    case .finished(let report): text = report.ending.sentence
    }
    if case .paused = event { hasEvenRate = false }
    timeline.append(RunRecord.Event(at: elapsed / .seconds(1), text))
  }

  /// Samples the counts; called once a second.
  package func sample(_ progress: BroadcastReport.Progress) {
    let time = elapsed / .seconds(1)
    let used: Double?
    // A system without these counters has no memory in the report.
    do throws(FileError) { used = Double(try memory.use().footprint) / 1_048_576 } catch { used = nil }
    let length = max(time - last.time, 0.001)
    let frames = progress.framesProduced - (last.progress?.framesProduced ?? 0)
    let busy = progress.handlerTime - (last.progress?.handlerTime ?? .zero)
    let dropped = Double(progress.framesDropped)
    samples.append(
      Sample(
        time: time, framesPerSecond: Double(frames) / length, framesDropped: dropped,
        lateTicks: Double(progress.lateTicks), megabytes: used,
        handlerMs: frames > 0 ? busy / .milliseconds(1) / Double(frames) : nil))
    last = (time, progress)
  }

  /// Writes the page and the test cases that `options` name.
  ///
  /// - Parameter failure: the failure with which the program ends, if there is one.
  package func write(
    _ options: ReportOptions, of report: BroadcastReport, causes: [Cause], failure: ProgramFailure?,
    console: Console
  ) throws(ProgramFailure) {
    var record = RunRecord(
      title: title, commandLine: CommandLine.arguments, start: startDate, duration: elapsed,
      container: container,
      verdicts: verdicts(report, causes, failure))
    record.device = "\(Device.current.identity)"
    record.causes = causes.map { RunRecord.Event($0, since: startTime) }
    record.events = timeline
    let limit = budget.map { LinePlot.Limit("limit", Double($0) / 1_048_576) }
    record.plots = [
      samples.plot("Frames per second, delivered to the handler", "fps") {
        [("delivered", $0.framesPerSecond)]
      },
      samples.plot(
        "The handler's time for a frame", "ms",
        limit: LinePlot.Limit("a frame's interval", 1000 / framesPerSecond)
      ) {
        [("mean of the second", $0.handlerMs)]
      },
      samples.plot("Late and lost so far", "count") {
        [("frames dropped", $0.framesDropped), ("late ticks", $0.lateTicks)]
      },
      samples.plot("Memory of the extension", "MB", limit: limit) { [("memory", $0.megabytes)] },
    ]
    try options.write(record, console: console)
  }

  func verdicts(_ report: BroadcastReport, _ causes: [Cause], _ failure: ProgramFailure?) -> [Verdict] {
    let progress = report.progress
    let frames = progress.framesProduced + progress.framesDropped
    return [
      rate(progress),
      dropped(progress, causes),
      handlerTime(report),
      Verdict(
        "misuse", "The handler uses samples as it may.",
        Self.judge(
          frames > 0, report.misuses.isEmpty,
          report.misuses.isEmpty
            ? "no misuse"
            : report.misuses.sorted { $0.key.rawValue < $1.key.rawValue }
              .map { "\($0.key.rawValue): \($0.value) times" }.joined(separator: ", ")),
        meaning: HandlerMisuse.allCases.filter { report.misuses[$0] != nil }.map(\.description)
          .joined(separator: " ")),
      memoryUse,
      Verdict(
        "audio", "All audio reaches the handler.",
        Self.judge(frames > 0, progress.audioDropped == 0, "\(progress.audioDropped) samples dropped"),
        meaning: "The far end hears gaps."),
      Verdict(
        "exit", "The program ends with 0.",
        failure.map { .failed("\($0.exitCode.rawValue): \($0.message)") } ?? .passed("0")),
    ].map { verdict in
      var verdict = verdict
      verdict.duration = elapsed
      return verdict
    }
  }

  /// Frames that the machine was too late for are not judged, and those that an event left out are not counted.
  private func dropped(_ progress: BroadcastReport.Progress, _ causes: [Cause]) -> Verdict {
    let frames = progress.framesProduced + progress.framesDropped
    let figures = "\(progress.framesDropped) of \(frames) dropped"
    let isHandlers = causes.contains { $0.kind == .slow || $0.detail == HandlerMisuse.kept.rawValue }
    let isKept = progress.framesDropped == 0 || causes.contains { $0.kind == .requested }
    let late = causes.first { [.late, .screenBlocked].contains($0.kind) }
    let result: Verdict.Result =
      if let late, !isHandlers { .notJudged("\(figures): \(late.sentence)") } else {
        Self.judge(frames > 0, isKept && !isHandlers, figures)
      }
    return Verdict(
      "dropped", "Every frame of the screen reaches the handler.", result,
      meaning: "The system drops frames of a handler that is too slow.")
  }

  private func rate(_ progress: BroadcastReport.Progress) -> Verdict {
    let text = "The handler gets 99 % of the screen's rate, or more."
    guard hasEvenRate, progress.framesSpan >= .seconds(1) else {
      let why =
        hasEvenRate
        ? "there were frames for less than a second" : "a trace, an event or the screen changed the rate"
      return Verdict("rate", text, .notJudged(why))
    }
    let figures =
      "\(progress.framesPerSecond.text(decimals: 2)) of \(framesPerSecond.text(decimals: 2)) fps"
    return Verdict(
      "rate", text, Self.judge(true, progress.framesPerSecond >= 0.99 * framesPerSecond, figures),
      meaning: "The picture at the far end is not smooth.")
  }

  private func handlerTime(_ report: BroadcastReport) -> Verdict {
    let limit = 1000 / framesPerSecond
    let times = DelayHistogram.Percentiles(report.handlerTimes)
    return Verdict(
      "handler", "The handler returns within a frame's interval, \(limit.text(decimals: 1)) ms, at p99.",
      Self.judge(
        report.progress.framesProduced > 0, times.p99 <= limit,
        "\(times.p50.text(decimals: 2)) ms at the median, \(times.p99.text(decimals: 2)) ms at p99, "
          + "\(times.max.text(decimals: 2)) ms at most"),
      meaning: "The system drops frames of a handler that is too slow.")
  }

  private var memoryUse: Verdict {
    guard let budget, let most = samples.compactMap(\.megabytes).max() else {
      return Verdict(
        "memory", "The extension stays within its limit of memory.",
        .notJudged(budget == nil ? "there is no limit" : "no memory was measured"))
    }
    let limit = Double(budget) / 1_048_576
    return Verdict(
      "memory", "The extension stays within \(limit.text(decimals: 1)) MB.",
      Self.judge(true, most <= limit, "at most \(most.text(decimals: 1)) MB"),
      meaning: "The system kills the extension.")
  }

  private static func judge(_ hasFrames: Bool, _ isKept: Bool, _ figures: String) -> Verdict.Result {
    !hasFrames ? .notJudged("no frame was delivered") : isKept ? .passed(figures) : .failed("\(figures).")
  }
}
