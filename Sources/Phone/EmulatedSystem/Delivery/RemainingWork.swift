import Dispatch
import Platform
import ScreenBroadcast

/// What the threads of the extension still do when its handler has returned from its last call.
///
/// It is not known how long iOS keeps such a process alive. Here it exits once its threads are idle, or after
/// ``Tally/grace``.
@MainActor
package final class RemainingWork {
  /// The return of the handler from its last call, and what the threads had done until then.
  package struct Start: Sendable {
    let time: MonotonicTime
    let activity: ThreadActivity?

    /// The present moment, on the thread of the call.
    init(at time: MonotonicTime) {
      self.time = time
      do { activity = try RemainingWork.activity(includesCaller: true) } catch { activity = nil }
    }
  }

  /// The time since the start as a device has it, where a thread that is ready runs at once, and the work in it.
  struct Tally {
    /// The most time that the process gets.
    static let grace = Duration.milliseconds(500)
    /// Work of this length and above is reported, if the threads have run for some of it. What the system itself finishes is
    /// shorter.
    private static let shortest = Duration.milliseconds(100)
    private static let shortestRun = Duration.milliseconds(20)
    /// The checks without work that count as rest.
    private static let restingChecks = 4

    private(set) var elapsed = Duration.zero
    private var lastWork = Duration.zero
    private var runTime = Duration.zero
    private var checksSinceWork = 0

    /// Adds a time, in which the threads ran for `ran` in all. `isBusy` is whether one runs or wants to run at its end.
    mutating func add(_ time: Duration, ran: Duration, isBusy: Bool) {
      runTime += ran
      checksSinceWork += 1
      if isBusy || ran >= .milliseconds(1) { (lastWork, checksSinceWork) = (elapsed + min(time, ran), 0) }
      // A thread that is ready and does not run waits for a processor.
      elapsed += isBusy ? min(time, ran) : time
    }

    var isOver: Bool { checksSinceWork > Self.restingChecks || elapsed >= Self.grace }

    /// How long the threads worked, if it was long.
    var work: Duration? { lastWork >= Self.shortest && runTime >= Self.shortestRun ? lastWork : nil }
  }

  /// The most time that the process gets where threads wait for a processor.
  private static let limit = Tally.grace * 5
  private static let interval = Duration.milliseconds(5)

  private let time: DeviceTime
  private let least: Duration
  private let start: MonotonicTime
  private let timer: any RepeatingTimer
  private let onRest: (Duration?) -> Void
  private var last: ThreadActivity?
  private var lastCheck: MonotonicTime
  private var tally = Tally()

  /// Calls `onRest` when the threads are at rest, with the time for which they worked, if it was long.
  ///
  /// - Parameter least: how long it waits in any case.
  package static func wait(
    _ time: DeviceTime, since start: Start?, atLeast least: Duration = .zero,
    onRest: @escaping (Duration?) -> Void
  ) {
    let work = RemainingWork(time, since: start, least, onRest: onRest)
    work.timer.start(every: interval) { MainActor.assumeIsolated { work.check() } }
  }

  private init(
    _ time: DeviceTime, since start: Start?, _ least: Duration, onRest: @escaping (Duration?) -> Void
  ) {
    (self.time, self.least, self.onRest) = (time, least, onRest)
    self.start = start?.time ?? time.clock.now
    (lastCheck, last) = (self.start, start?.activity)
    timer = time.makeTimer(.main)
  }

  private nonisolated static func activity(includesCaller: Bool = false) throws(FileError) -> ThreadActivity {
    try ThreadActivity.now(except: [PhoneWatch.threadName], includesCaller: includesCaller)
  }

  private func check() {
    let now = time.clock.now
    do throws(FileError) {
      let activity = try Self.activity()
      if let last {
        tally.add(now - lastCheck, ran: activity.runTime(since: last), isBusy: activity.isBusy)
      }
      (last, lastCheck) = (activity, now)
    } catch {
      // A process without a free file descriptor cannot tell.
      return finish()
    }
    guard now - start >= least else { return }
    if tally.isOver || now - start >= max(least, Self.limit) { finish() }
  }

  private func finish() {
    timer.cancel()
    onRest(tally.work)
  }
}
