import Dispatch
import Platform
import ScreenBroadcast

/// Waits for the work that the extension's threads still do after the handler's last call has returned.
///
/// It is not known how long iOS keeps such a process alive. Here it exits once its threads are idle, or after ``Tally/grace``.
@MainActor
package final class ShutdownWait {
  /// The return of the handler's last call, and the activity of the threads until then.
  package struct Start: Sendable {
    let time: MonotonicTime
    let activity: ThreadActivity?

    /// Records the current activity. Call it on the thread of the handler's call.
    init(at time: MonotonicTime) {
      self.time = time
      do { activity = try ShutdownWait.activity(includesCaller: true) } catch { activity = nil }
    }
  }

  /// The time since the start as on a device, where a runnable thread runs at once, and the work in that time.
  struct Tally {
    /// The maximum time that the process gets.
    static let grace = Duration.milliseconds(500)
    /// Work is reported if it takes at least this long and the threads used some CPU time. The system's own final work is
    /// shorter.
    private static let shortest = Duration.milliseconds(100)
    private static let shortestRun = Duration.milliseconds(20)
    /// The threads are idle after more than this many checks without work.
    private static let idleChecks = 4

    private(set) var elapsed = Duration.zero
    private var lastWork = Duration.zero
    private var runTime = Duration.zero
    private var checksSinceWork = 0

    /// Adds a time in which the threads used `ran` of CPU time. `isBusy` is whether a thread is runnable at its end.
    mutating func add(_ time: Duration, ran: Duration, isBusy: Bool) {
      runTime += ran
      checksSinceWork += 1
      if isBusy || ran >= .milliseconds(1) { (lastWork, checksSinceWork) = (elapsed + min(time, ran), 0) }
      // A runnable thread that does not run waits for a CPU.
      elapsed += isBusy ? min(time, ran) : time
    }

    var isOver: Bool { checksSinceWork > Self.idleChecks || elapsed >= Self.grace }

    /// How long the threads worked; `nil` if that was short.
    var work: Duration? { lastWork >= Self.shortest && runTime >= Self.shortestRun ? lastWork : nil }
  }

  /// The maximum time that the process gets if its threads wait for a CPU.
  private static let limit = Tally.grace * 5
  private static let interval = Duration.milliseconds(5)

  private let time: DeviceTime
  private let least: Duration
  private let start: MonotonicTime
  private let timer: any RepeatingTimer
  private let onIdle: (Duration?) -> Void
  private var last: ThreadActivity?
  private var lastCheck: MonotonicTime
  private var tally = Tally()

  /// Calls `onIdle` once the threads are idle or the time is over, with the duration of their work (`nil` if short).
  ///
  /// - Parameter least: the minimum time to wait.
  package static func wait(
    _ time: DeviceTime, since start: Start?, atLeast least: Duration = .zero,
    onIdle: @escaping (Duration?) -> Void
  ) {
    let work = ShutdownWait(time, since: start, least, onIdle: onIdle)
    work.timer.startOnMain(every: interval) { work.check() }
  }

  private init(
    _ time: DeviceTime, since start: Start?, _ least: Duration, onIdle: @escaping (Duration?) -> Void
  ) {
    self.time = time
    self.least = least
    self.onIdle = onIdle
    self.start = start?.time ?? time.clock.now
    (lastCheck, last) = (self.start, start?.activity)
    timer = time.makeTimer(.main)
  }

  private nonisolated static func activity(includesCaller: Bool = false) throws(FileError) -> ThreadActivity {
    try ThreadActivity.now(except: [WatchdogThread.threadName], includesCaller: includesCaller)
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
      // Out of file descriptors: the activity is unknown.
      return finish()
    }
    guard now - start >= least else { return }
    if tally.isOver || now - start >= max(least, Self.limit) { finish() }
  }

  private func finish() {
    timer.cancel()
    onIdle(tally.work)
  }
}
