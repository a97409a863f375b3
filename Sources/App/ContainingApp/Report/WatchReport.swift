import Causes
import CommandLineSupport
import Foundation
import Platform
import RunReports
import ScreenBroadcast

/// Collects the data of a watch for a report: counts, events, and causes. Measures the rates once a second.
///
/// ```swift
/// let report = WatchReport(of: subject)
/// report.follow(call, of: provider)
/// let view = WatchViews([terminalView, report])
/// …
/// exit(try report.write(options.report, failure: failure, console: console))
/// ```
@MainActor
package final class WatchReport: WatchView {
  /// The program that is watched, and its expected rates.
  package struct Subject: Sendable {
    /// The title of the report, as in "consumer watch".
    package var title: String
    package var commandLine: [String]
    /// The folder that the app shares with the extension; `nil` for a capture.
    package var container: String?
    /// The device. For a broadcast, it is set when the broadcast begins.
    package var device: String?
    /// The polls per second; `nil` if frames come without polls.
    package var pollsPerSecond: Double?
    /// The file of the flag, to measure how soon changes are seen; `nil` if there is no flag.
    package var flagFile: String?
    /// The interval between two polls of the flag.
    package var statusInterval: Duration

    package init(
      title: String, commandLine: [String], container: String? = nil, device: String? = nil,
      pollsPerSecond: Double?, flagFile: String?, statusInterval: Duration
    ) {
      self.container = container
      self.device = device
      self.title = title
      self.commandLine = commandLine
      self.pollsPerSecond = pollsPerSecond
      self.flagFile = flagFile
      self.statusInterval = statusInterval
    }
  }

  /// The measurements of a second.
  package struct Sample: Sendable {
    package var stats: WatchStats
    package var measures: MeasuresEvent
  }

  /// A copy of the data, so that any thread can make the page.
  package struct Contents: Sendable {
    var subject: Subject
    let startDate: Date
    /// The highest rate at which frames came in a second.
    var highestRate = 0.0
    var timeline: [RunRecord.Event] = []
    /// The causes in the order in which they were found, each with the command that reproduces it.
    var causes: [(cause: Cause, again: String?)] = []
    let startTime: MonotonicTime
    /// The delays between changes of the flag and the polls that saw them.
    var statusDelays: [Duration] = []
    /// The result, or the statistics so far; `nil` if ``WatchReport/follow(_:of:)`` was not called.
    var summary: AppSummary?
    /// Whether the watch is still running.
    var isRunning = false
    /// The time since the start of the watch.
    var elapsed = Duration.zero
  }

  /// The data collected so far.
  package var contents: Contents {
    var contents = seen
    contents.isRunning = seen.summary == nil && measures.provider != nil
    contents.summary = seen.summary ?? measures.provider.map { AppSummary($0.state, $0.delays) }
    contents.elapsed = clock.now - startTime
    return contents
  }

  /// The collected data. The summary is set only at the end of the watch.
  private var seen: Contents
  private let clock: any MonotonicClock
  private let startTime: MonotonicTime
  private var measures: FrameMeasures
  /// Called once a second, and at each change of the phase.
  package var onSample: (Sample) -> Void = { _ in }

  /// The newest broadcast that began during the watch.
  package private(set) var begun: BegunEvent?

  /// When the newest sample was taken, in seconds since the start of the watch.
  private var last: (time: Double, stats: WatchStats)?

  package init(
    of subject: Subject, measures: FrameMeasures = FrameMeasures(),
    clock: any MonotonicClock = SystemClock(), startDate: Date = Date()
  ) {
    self.clock = clock
    startTime = clock.now
    seen = Contents(subject: subject, startDate: startDate, startTime: startTime)
    self.measures = measures
  }

  /// The time since the start of the watch.
  private var seconds: Double { (clock.now - startTime) / .seconds(1) }

  /// Measures the frames that `provider` puts into `call`.
  package func follow(_ call: VideoCall, of provider: any WatchedProvider) {
    measures.provider = provider
    call.observeFrames { [weak self] _, _, captured, _ in self?.measure(captured: captured) }
  }

  func measure(captured: MonotonicTime) { measures.add(captured: captured, received: clock.now) }

  package func show(_ message: WatchMessage) {
    switch message {
    case .stats(let stats):
      // With a live line, rates arrive more often than once a second.
      if let last, last.stats.phase == stats.phase, seconds - last.time < 0.95 { return }
      last = (seconds, stats)
      seen.highestRate = max(seen.highestRate, stats.framesPerSecondIn)
      onSample(Sample(stats: stats, measures: measures.take()))
    case .summary(let summary): seen.summary = summary
    case .control(let event):
      let time = (MonotonicTime(nanoseconds: event.atNs) - startTime) / Duration.seconds(1)
      seen.timeline.add(RunRecord.Event(at: max(0, time), event.text))
    case .begun(let event):
      begun = event
      seen.subject.device = event.phone
    case .status(_, let time):
      measureStatus(at: time)
      note(message)
    case .cause(let cause, let isNew, let again):
      guard !isNew else { return seen.causes.append((cause, again)) }
      let place = seen.causes.firstIndex { $0.cause.id == cause.id }
      if let place { seen.causes[place] = (cause, again) }
    default: note(message)
    }
  }

  private func note(_ message: WatchMessage) {
    if let text = TerminalWatchView.sentence(of: message) {
      seen.timeline.add(RunRecord.Event(at: seconds, text))
    }
  }

  /// Measures how long after a change of the flag's file a poll (at `time`) saw the change.
  private func measureStatus(at time: MonotonicTime) {
    guard let path = seen.subject.flagFile else { return }
    let changed: Date?
    // The watch reports a missing or unreadable file. It is not measured.
    do { changed = try FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date } catch
    {
      changed = nil
    }
    // Skip a change from before the watch, because no poll of this watch could have seen it earlier.
    guard let changed, changed > seen.startDate else { return }
    let sincePoll = clock.now - time
    seen.statusDelays.append(max(.zero, .seconds(-changed.timeIntervalSinceNow) - sincePoll))
  }
}
