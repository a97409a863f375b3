import Dispatch
import Platform
import ScreenBroadcast

/// What the threads of the extension still do when its handler has returned from its last call.
///
/// How long iOS lets a process live then is not known. Here it ends when its threads are at rest, at the latest after
/// ``grace``.
@MainActor
package final class RemainingWork {
  /// The most time that the process gets.
  package static let grace = Duration.milliseconds(500)
  /// Work of this length and above is reported, if the threads have run for some of it: on a busy machine they also wait
  /// to run for nothing. What the system itself finishes is shorter.
  private static let shortest = Duration.milliseconds(100)
  private static let shortestRun = Duration.milliseconds(20)
  private static let interval = Duration.milliseconds(5)
  /// The checks without work that count as rest. They are late when the threads of the handler wait for a processor too.
  private static let restingChecks = 4

  private let time: DeviceTime
  private let least: Duration
  private let start: MonotonicTime
  private let timer: any RepeatingTimer
  private let onRest: (Duration?) -> Void
  private var last: ThreadActivity?
  private var lastWork: MonotonicTime
  private var checksSinceWork = 0
  private var runTime = Duration.zero

  /// Calls `onRest` when the threads are at rest, with the time for which they worked, if it was long.
  ///
  /// - Parameter least: how long it waits in any case.
  package static func wait(
    _ time: DeviceTime, atLeast least: Duration = .zero, onRest: @escaping (Duration?) -> Void
  ) {
    let work = RemainingWork(time, least, onRest: onRest)
    work.timer.start(every: interval) { MainActor.assumeIsolated { work.check() } }
  }

  private init(_ time: DeviceTime, _ least: Duration, onRest: @escaping (Duration?) -> Void) {
    (self.time, self.least, self.onRest) = (time, least, onRest)
    start = time.clock.now
    lastWork = start
    timer = time.makeTimer(.main)
  }

  private func check() {
    let now = time.clock.now
    do throws(FileError) {
      let activity = try ThreadActivity.now(except: [PhoneWatch.threadName])
      if let last {
        let time = activity.runTime(since: last)
        runTime += time
        if activity.isBusy || time >= .milliseconds(1) { (lastWork, checksSinceWork) = (now, 0) }
      }
      last = activity
      checksSinceWork += 1
    } catch {
      // A process without a free file descriptor cannot tell.
      return finish()
    }
    guard now - start >= least else { return }
    if checksSinceWork > Self.restingChecks || now - start >= Self.grace { finish() }
  }

  private func finish() {
    timer.cancel()
    let length = lastWork - start
    onRest(length >= Self.shortest && runTime >= Self.shortestRun ? length : nil)
  }
}
