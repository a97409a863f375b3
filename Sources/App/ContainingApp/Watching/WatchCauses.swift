import Causes
import CommandLineSupport
import Foundation
import PhoneLink
import Platform
import ScreenBroadcast

/// Finds the causes of what a watch sees, and shows them after the messages that it passes on.
///
/// It joins what the app sees with the facts that the phone left in the container. A cause that lasts is shown when it is
/// found, each time it has become twice as long, and at the end.
@MainActor
final class WatchCauses: WatchView {
  private let view: any WatchView
  private let pollsPerSecond: Double
  private let clock: any MonotonicClock
  private let start: MonotonicTime
  private var finder = CauseFinder()
  private var follower: FactsFile.Follower?
  private var isFirst = true
  /// The length of each cause when it was shown, by its fingerprint and beginning.
  private var shown: [String: Duration] = [:]
  private var last: (time: MonotonicTime, torn: UInt64, delay: Duration)?

  /// - Parameter container: that of the phone's facts; `nil` for an app that captures by itself.
  init(
    _ view: any WatchView, container: AppGroupContainer?, pollsPerSecond: Double, clock: any MonotonicClock
  ) {
    (self.view, self.pollsPerSecond, self.clock) = (view, pollsPerSecond, clock)
    (start, follower) = (clock.now, container.map { FactsFile.Follower(in: $0) })
  }

  var failure: ProgramFailure? { view.failure }

  func show(_ message: WatchMessage) {
    if case .summary = message {
      followPhone()
      for cause in finder.causes { show(cause, isLast: true) }
    }
    view.show(message)
    let now = clock.now
    switch message {
    case .stats(let stats): add(stats, at: now)
    case .crashed(let pid, let kill):
      // The phone may have noted what a person asked for.
      followPhone()
      var exit = ExitFact(how: "died without ending the broadcast; the flag still says active", kill: kill)
      exit.name = "The extension (process \(pid))"
      take(exit, at: now, pid: pid, isOld: last == nil)
    case .suspended(let pid):
      show(finder.add(.suspended(pid, at: now)))
    default: break
    }
  }

  /// Notes a time in which the app did not run.
  func noteStop(_ time: Duration, wasStopped: Bool, machineDelay: Duration) {
    take(
      AppStopFact(
        seconds: time / .seconds(1), wasStopped: wasStopped, machineMs: machineDelay / .milliseconds(1)),
      at: clock.now)
  }

  /// Takes what the phone has noted since the last call.
  func followPhone() {
    let facts = follower?.next() ?? []
    defer { isFirst = false }
    // What has ended before the watch belongs to an earlier broadcast.
    let end = isFirst ? facts.last { $0.body is FinishedFact && $0.time < start }?.time : nil
    for fact in facts where end.map({ fact.time > $0 }) ?? true {
      for cause in finder.take(fact) { show(cause) }
    }
  }

  private func add(_ stats: WatchStats, at now: MonotonicTime) {
    let delay = ThreadActivity.processorDelay()
    guard let last, now - last.time >= .milliseconds(900) else {
      if last == nil { last = (now, stats.framesTorn, delay) }
      return
    }
    let isCounted = stats.phase == .live && stats.framesPerSecondIn >= pollsPerSecond
    let torn = stats.framesTorn > last.torn ? stats.framesTorn - last.torn : 0
    self.last = (now, stats.framesTorn, delay)
    take(
      AppFact(
        seconds: (now - last.time) / .seconds(1), framesPerSecond: stats.framesPerSecondOut,
        possible: min(stats.framesPerSecondIn, pollsPerSecond), framesTorn: torn,
        isShort: isCounted && stats.isSlow(limit: pollsPerSecond),
        machineMs: max(.zero, delay - last.delay) / .milliseconds(1)), at: now)
  }

  private func take(_ body: some FactBody, at time: MonotonicTime, pid: Int32 = getpid(), isOld: Bool = false)
  {
    for var cause in finder.take(Fact(body, at: time, pid: pid)) {
      cause.isOld = isOld
      show(finder.add(cause))
    }
  }

  private func show(_ cause: Cause, isLast: Bool = false) {
    let key = "\(cause.fingerprint) \(cause.from.nanoseconds)"
    let length = cause.to.map { $0 - cause.from } ?? .zero
    if let earlier = shown[key], isLast ? length == earlier : length < earlier * 2 { return }
    view.show(.cause(cause, isNew: shown.updateValue(length, forKey: key) == nil))
  }
}
