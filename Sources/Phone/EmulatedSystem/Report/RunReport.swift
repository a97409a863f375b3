import Causes
import CommandLineSupport
import EmulatedDevice
import Foundation
import Platform
import RunReports
import Synchronization

/// Collects a broadcast for a report: its memory and its events. Any thread may write the report, because
/// the main thread of an extension can hang.
package final class RunReport: Sendable {
  private let title: String
  private let container: String?
  private let budget: UInt64?
  private let startDate = Date()
  private let clock: any MonotonicClock
  private let startTime: MonotonicTime
  private let contents = Mutex((mostMemory: UInt64?.none, timeline: [RunRecord.Event]()))

  /// - Parameters:
  ///   - title: what runs, as in "producer".
  ///   - container: the folder that the extension shares with the app.
  ///   - budget: the limit of the extension's memory in bytes; `nil` for no limit.
  package init(
    title: String, container: String? = nil, budget: UInt64?,
    clock: any MonotonicClock = SystemClock()
  ) {
    self.title = title
    self.container = container
    self.budget = budget
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
    case .happened(let event): text = "\(event.text)."
    case .refused(let event, let reason): text = "\(event.text) was refused: \(reason)"
    case .socket(let event): text = event.text
    case .notification(let event): text = event.text
    case .call(let event):
      guard event.isLong else { return }
      text = event.text
    case .misuse(let misuse, let held, let name): text = misuse.text(held, name)
    case .finished(let ending, _): text = ending.sentence
    }
    contents.withLock { $0.timeline.add(RunRecord.Event(at: elapsed / .seconds(1), text)) }
  }

  /// Adds the measurements of a second.
  package func add(_ second: SecondEvent) {
    contents.withLock { $0.mostMemory = [$0.mostMemory, second.footprintBytes].compactMap { $0 }.max() }
  }

  /// Writes the page and the test cases that `options` name.
  ///
  /// - Parameters:
  ///   - ending: how the broadcast ended; `nil` if its handler exited or hung.
  ///   - misuses: how often the handler misused samples, by kind.
  ///   - failure: the failure of the broadcast, if there is one.
  /// - Returns: the failure with which the program ends.
  package func write(
    _ options: ReportOptions, of ending: BroadcastEnding?, _ end: BroadcastEnd,
    misuses: [HandlerMisuse: UInt64], causes: [Cause], failure: ProgramFailure?, console: Console
  ) throws(ProgramFailure) -> ProgramFailure? {
    var record = RunRecord(
      title: title, commandLine: CommonOptions.commandLine, start: startDate, duration: elapsed,
      container: container,
      verdicts: verdicts(end, misuses, causes, failure))
    record.device = "\(Device.current.identity)"
    record.causes = causes.map {
      RunRecord.FoundCause(
        $0, since: startTime, repeat: Cause.commandLine(CommonOptions.commandLine, with: $0.event))
    }
    record.summary = ending.map { [$0.sentence, end.figures] } ?? [end.errorDescription ?? ""]
    record.events = contents.withLock(\.timeline)
    return try options.conclude(record, failure: failure, console: console)
  }

  func verdicts(
    _ end: BroadcastEnd, _ misuses: [HandlerMisuse: UInt64], _ causes: [Cause], _ failure: ProgramFailure?
  ) -> [Verdict] {
    let frames = end.framesProduced + end.framesDropped
    let noFrame =
      end.isAbnormal
      ? "the extension ended without its statistics" : frames == 0 ? "no frame was delivered" : nil
    let lateness = causes.lateness(of: frames)
    func of(_ kinds: Set<Cause.Kind>) -> [Cause] { causes.filter { kinds.contains($0.kind) } }
    return [
      Verdict(
        "frames", "The handler is fast enough for the screen's frames, and releases them.",
        by: of([.slow, .screenBlocked, .suspended])
          + causes.filter { $0.detail == HandlerMisuse.kept.rawValue },
        figures:
          "\(end.framesDropped) of \(frames) dropped, "
          + "\(end.framesPerSecond.text(decimals: 2)) fps, a call \(end.handlerMs.p50.text(decimals: 2)) ms at the median and "
          + "\(end.handlerMs.p99.text(decimals: 2)) ms at p99", unless: noFrame, lateness: lateness),
      Verdict(
        "misuse", "The handler uses samples correctly.", by: of([.misuse]),
        figures: misuses.isEmpty
          ? "no misuse"
          : misuses.sorted { $0.key.rawValue < $1.key.rawValue }
            .map { "\($0.key.rawValue): \($0.value) times" }.joined(separator: ", "), unless: noFrame),
      memoryVerdict,
      audio(end.audioDropped, of([.hung, .slow, .suspended, .late, .screenBlocked]), unless: noFrame),
      .others(causes.filter { ![.slow, .misuse].contains($0.kind) }, unless: failure), .exit(failure),
    ].map { $0.lasting(elapsed) }
  }

  /// The verdict on the memory. It judges the measurements, not causes, because a killed extension writes no report.
  private var memoryVerdict: Verdict {
    let result: Verdict.Result =
      if let budget,
        let most = contents.withLock(\.mostMemory)
      {
        Self.memory(most, of: budget)
      } else {
        .notJudged(budget == nil ? "there is no limit" : "no memory was measured")
      }
    return Verdict(
      "memory", "The extension stays within its memory limit.", result,
      meaning: Cause.Kind.killed.row.onDevice)
  }

  private static func memory(_ most: UInt64, of budget: UInt64) -> Verdict.Result {
    let figures = "at most \(Double(most).mebibytes) of \(Double(budget).mebibytesText)"
    return most <= budget ? .passed(figures) : .failed("\(figures).")
  }

  /// Returns the verdict on audio. `causes` are causes of dropped frames, because they drop audio too.
  private func audio(_ dropped: UInt64, _ causes: [Cause], unless reason: String?) -> Verdict {
    let (name, text) = ("audio", "All audio reaches the handler.")
    guard dropped > 0, causes.isEmpty else {
      return Verdict(
        name, text, by: dropped > 0 ? causes : [], figures: "\(dropped) samples dropped", unless: reason)
    }
    return Verdict(
      name, text, .failed("\(dropped) samples were dropped."), meaning: "The remote side hears gaps.")
  }
}
