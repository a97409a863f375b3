import Causes
import CommandLineSupport
import CoreVideo
import Foundation
import Platform
import RunReports
import ScreenBroadcast
import WebRTC

/// Collects a watch for a report: its rates once a second, its events, and its worst moments with their frames.
///
/// ```swift
/// let report = WatchReport(of: subject, memory: WatchMemory(container: container))
/// report.follow(call, of: provider)
/// let view = WatchViews([terminalView, report])     // and `report` among the outputs
/// …
/// try report.write(options.report, failure: failure, console: console)
/// ```
@MainActor
package final class WatchReport: NSObject, VideoOutput, WatchView {
  /// What is watched, and what is expected of it.
  package struct Subject: Sendable {
    /// The title of the report, as in "consumer watch".
    package var title: String
    package var commandLine: [String]
    /// The folder that the app shares with the extension; `nil` for a capture.
    package var container: String?
    /// The polls per second; `nil` if frames come without polls.
    package var pollsPerSecond: Double?
    /// The file of the flag, whose changes are timed; `nil` without one.
    package var flagFile: String?
    /// The interval between two polls of the flag.
    package var statusInterval: Duration

    package init(
      title: String, commandLine: [String], container: String? = nil, pollsPerSecond: Double?,
      flagFile: String?,
      statusInterval: Duration
    ) {
      self.container = container
      (self.title, self.commandLine, self.pollsPerSecond) = (title, commandLine, pollsPerSecond)
      (self.flagFile, self.statusInterval) = (flagFile, statusInterval)
    }
  }

  /// What was measured in a second.
  struct Sample: RunSample, Sendable {
    /// Seconds since the start of the watch.
    var time: Double
    var stats: WatchStats
    var measures: MeasuresEvent
  }

  /// What was seen, by value: its page, which takes seconds for hours, is made on any thread.
  package struct Contents: Sendable {
    let subject: Subject
    let startDate: Date
    var samples: [Sample] = []
    var timeline: [RunRecord.Event] = []
    /// What went wrong, in the order in which it was found, and what a terminal runs to see it again.
    var causes: [(cause: Cause, again: String?)] = []
    let startTime: MonotonicTime
    var moments = WorstMoments()
    /// The delays between changes of the flag and the polls that saw them.
    var statusDelays: [Duration] = []
    /// The result, or the figures so far; `nil` if nothing is watched.
    var summary: AppSummary?
    /// Whether the result is still to come.
    var isRunning = false
    /// The time since the start of the watch.
    var elapsed = Duration.zero
  }

  /// What has been seen so far.
  package var contents: Contents {
    var contents = seen
    contents.isRunning = seen.summary == nil && measures.provider != nil
    contents.summary = seen.summary ?? measures.provider.map { AppSummary($0.state, $0.delays) }
    contents.elapsed = clock.now - startTime
    return contents
  }

  /// What has been seen, with the summary at the end only.
  private var seen: Contents
  private let clock: any MonotonicClock
  private let startTime: MonotonicTime
  private var measures: FrameMeasures
  private var lastFrame: RTCVideoFrame?
  private var lastArrival: MonotonicTime?
  private var oldestAge = Duration.zero
  private var longestGap = Duration.zero
  /// The age of the frame that enters the call, if none was older.
  private var agePending: Duration?

  /// The shortest time between two samples in seconds: the rates come more often for a live line.
  private var sampleInterval = 0.95
  /// The largest number of samples: two hours with one a second, four with one in two seconds, and so on.
  static let sampleCapacity = 7_200
  /// The shortest age or gap that is a worst moment, in place of those of the first frames.
  private static let shortestWorst = Duration.milliseconds(20)

  package init(
    of subject: Subject, memory: WatchMemory, clock: any MonotonicClock = SystemClock(),
    startDate: Date = Date()
  ) {
    self.clock = clock
    startTime = clock.now
    seen = Contents(subject: subject, startDate: startDate, startTime: startTime)
    measures = FrameMeasures(memory: memory)
  }

  /// The time since the start of the watch.
  private var seconds: Double { (clock.now - startTime) / .seconds(1) }

  package var failure: ProgramFailure? { nil }

  package func finish() {}

  /// Measures the frames that `provider` puts into `call`.
  package func follow(_ call: VideoCall, of provider: any WatchedProvider) {
    measures.provider = provider
    call.observeFrames { [weak self, weak provider] _, _, captured, _ in
      // The frame after a pause ends no long interval.
      self?.measure(captured: captured, isLive: provider?.state.phase == .live)
    }
  }

  func measure(captured: MonotonicTime, isLive: Bool) {
    let now = clock.now
    measures.add(captured: captured, received: now)
    let age = captured > .zero ? max(.zero, now - captured) : .zero
    if age > max(oldestAge, Self.shortestWorst) { agePending = age }
    defer { lastArrival = now }
    guard let lastArrival, isLive else { return }
    let gap = now - lastArrival
    guard gap > max(longestGap, Self.shortestWorst) else { return }
    longestGap = gap
    seen.moments.keep(
      "Longest interval", at: seconds, "This picture stayed for \(Self.milliseconds(gap)) ms.",
      frame: lastFrame)
  }

  package nonisolated func renderFrame(_ frame: RTCVideoFrame?) {
    MainActor.assumeIsolated {
      guard let frame else { return }
      lastFrame = frame
      guard let age = agePending else { return }
      (oldestAge, agePending) = (age, nil)
      seen.moments.keep(
        "Oldest frame", at: seconds, "It was \(Self.milliseconds(age)) ms old when it arrived.", frame: frame)
    }
  }

  package func show(_ message: WatchMessage) {
    switch message {
    case .stats(let stats):
      guard seconds - (seen.samples.last?.time ?? -1) >= sampleInterval else { return }
      seen.samples.append(Sample(time: seconds, stats: stats, measures: measures.take(withMemory: true)))
      if seen.samples.count == Self.sampleCapacity { thinSamples() }
    case .summary(let summary): seen.summary = summary
    case .status(_, let time):
      measureStatus(at: time)
      note(message)
    case .cause(let cause, let isNew, let again):
      note(message)
      guard !isNew else {
        if !cause.isOld, cause.severity == .fault {
          seen.moments.keep(cause.kind.row.name, at: seconds, cause.text, frame: lastFrame)
        }
        return seen.causes.append((cause, again))
      }
      let place = seen.causes.firstIndex { $0.cause.id == cause.id }
      if let place { seen.causes[place] = (cause, again) }
    case .problem:
      note(message)
      let text = TerminalWatchView.sentence(of: message) ?? ""
      let name = String(text.prefix { $0 != ":" && $0 != "." })
      // The first of its kind is the cause more often than the last.
      if !seen.moments.has(name) { seen.moments.keep(name, at: seconds, text, frame: lastFrame) }
    default: note(message)
    }
  }

  /// Leaves out each second sample, and takes half as many from now on.
  private func thinSamples() {
    seen.samples = seen.samples.indices.filter { !$0.isMultiple(of: 2) }.map { seen.samples[$0] }
    sampleInterval *= 2
  }

  private func note(_ message: WatchMessage) {
    if let text = TerminalWatchView.sentence(of: message) {
      seen.timeline.append(RunRecord.Event(at: seconds, text))
    }
  }

  /// Measures how long the change of the flag that a poll at `time` saw had been in its file.
  private func measureStatus(at time: MonotonicTime) {
    guard let path = seen.subject.flagFile else { return }
    let changed: Date?
    // A file that is gone or unreadable has no time; the watch reports it.
    do { changed = try FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date } catch
    {
      changed = nil
    }
    // A flag from before the watch was not waited for.
    guard let changed, changed > seen.startDate else { return }
    let sincePoll = clock.now - time
    seen.statusDelays.append(max(.zero, .seconds(-changed.timeIntervalSinceNow) - sincePoll))
  }

  private static func milliseconds(_ duration: Duration) -> String {
    (duration / .milliseconds(1)).text(decimals: 1)
  }
}
