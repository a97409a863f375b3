import CommandLineSupport
import Dispatch
import Foundation
import MemoryKillRecord
import Platform
import ScreenBroadcast
import SharedMemory

/// Starts, stops and looks at broadcasts, for scripts: each call returns when the thing has happened, or throws
/// when it has not within the time given.
@MainActor
package final class BroadcastControl {
  private let container: AppGroupContainer
  private let statusManager: BroadcastStatusManagerImpl
  private let detector: BroadcastCrashDetector
  private let report: @MainActor (WatchOutput) -> Void

  /// How often it looks whether the thing has happened.
  private static let lookInterval = Duration.milliseconds(20)

  /// Control over the broadcasts of a container; `report` is told what is found and done.
  package init(container: AppGroupContainer, report: @escaping @MainActor (WatchOutput) -> Void) {
    self.container = container
    statusManager = BroadcastStatusManagerImpl(
      defaults: KeyValueFile(container: container), timer: DispatchTimer(queue: .main),
      onSetAside: { path in
        MainActor.assumeIsolated {
          report(.notice("The preferences were damaged; they were moved to \(path)."))
        }
      })
    detector = BroadcastCrashDetector(
      container: container, status: statusManager, timer: DispatchTimer(queue: .main))
    self.report = report
  }

  /// Launches `producer`, as the system's picker does, and waits until its broadcast is active.
  package func start(_ producer: ProducerLaunch, within limit: Duration) async throws(ProgramFailure) {
    // An extension that is just leaving still holds the lock.
    _ = try await wait(within: limit) { () throws(ProgramFailure) in
      if case .changing = try self.verdictBeforeChange() { false } else { true }
    }
    if case .active(let pid) = try verdictBeforeChange() {
      throw ProgramFailure(
        .cannotCreate,
        "A broadcast is already running in this app group (process \(pid)); stop it with 'consumer stop' first."
      )
    }
    let process = try producer.run()
    let isActive = try await wait(within: limit) { () throws(ProgramFailure) in
      if !process.isRunning { return true }
      return try self.verdictBeforeChange() == .active(pid: process.processIdentifier)
    }
    if !process.isRunning {
      guard process.terminationStatus == 0 else { throw producer.failure(of: process) }
      return report(.notice("The broadcast is already over."))
    }
    guard isActive else {
      process.terminate()
      throw ProgramFailure(
        .nothingCame,
        "The producer (process \(process.processIdentifier)) did not start a broadcast within "
          + "\(limit.decimalSeconds) s and was ended; its messages are in \(producer.logFile).")
    }
    report(.status(isActive: true, time: SystemClock().now.nanoseconds))
    report(
      .notice("The producer is process \(process.processIdentifier); its messages go to \(producer.logFile).")
    )
  }

  /// Ends the broadcast as the app does, by the flag, and waits until the extension has left.
  package func stop(within limit: Duration) async throws(ProgramFailure) {
    let before = try verdictBeforeChange()
    if before == .inactive { return report(.status(isActive: false, time: SystemClock().now.nanoseconds)) }
    try turnFlagOff()
    if case .crashed(let pid) = before {
      let kill = MemoryKillFile(container: container).kill(of: pid)
      report(.crashed(pid: pid, kill: kill))
      let what = kill?.description ?? "had died without ending its broadcast"
      throw ProgramFailure(
        .producerCrashed, "The producer (process \(pid)) \(what); the flag is off now.")
    }
    let hasLeft = try await wait(within: limit) { () throws(ProgramFailure) in
      let verdict = try self.verdict()
      // An extension that was just starting turns the flag on again: it is told once more.
      if case .active = verdict { try self.turnFlagOff() }
      return verdict == .inactive
    }
    guard hasLeft else {
      var advice = "end its process"
      if case .changing(let pid) = try verdict(), ProcessState.isStopped(pid) {
        advice = "it is stopped and leaves when it goes on ('kill -CONT \(pid)')"
      }
      throw ProgramFailure(
        .nothingCame,
        "The producer has not left within \(limit.decimalSeconds) s, although the flag is off; \(advice).")
    }
    report(.status(isActive: false, time: SystemClock().now.nanoseconds))
  }

  /// Tells whether a broadcast is active; with a limit above zero, waits until one is.
  package func status(within limit: Duration) async throws(ProgramFailure) {
    let isActive = try await wait(within: limit) { () throws(ProgramFailure) in
      switch try self.verdict() {
      case .active, .crashed: true
      case .inactive, .unclaimed, .changing: false
      }
    }
    let verdict = try verdict()
    let flag = if case .active = verdict { true } else { false }
    report(.status(isActive: flag, time: SystemClock().now.nanoseconds))
    switch verdict {
    case .active(let pid):
      report(.notice("Process \(pid) broadcasts."))
      if ProcessState.isStopped(pid) { report(.suspended(pid: pid)) }
    case .crashed(let pid):
      let kill = MemoryKillFile(container: container).kill(of: pid)
      report(.crashed(pid: pid, kill: kill))
      let what = kill?.description ?? "died without ending its broadcast"
      throw ProgramFailure(
        .producerCrashed, "The producer (process \(pid)) \(what); clear the flag with 'consumer stop'.")
    case .unclaimed:
      report(
        .notice(
          "The flag says active, but no producer has the broadcast: it is starting, or somebody set the flag."
        ))
    case .changing(let pid): report(.notice("Process \(pid) is starting or ending a broadcast."))
    case .inactive: break
    }
    if !isActive, limit > .zero {
      throw ProgramFailure(
        .nothingCame,
        "No broadcast became active within \(limit.decimalSeconds) s; start one with 'consumer start'.")
    }
  }

  private func turnFlagOff() throws(ProgramFailure) {
    do { try statusManager.stop() } catch { throw ProgramFailure(error) }
  }

  /// The verdict, where a damaged file tells nothing: starting or stopping puts it in order.
  private func verdictBeforeChange() throws(ProgramFailure) -> BroadcastCrashDetector.Verdict {
    do {
      return try detector.verdict()
    } catch {
      if case .damaged = error { return .unclaimed }
      throw ProgramFailure(error)
    }
  }

  private func verdict() throws(ProgramFailure) -> BroadcastCrashDetector.Verdict {
    do { return try detector.verdict() } catch { throw ProgramFailure(error) }
  }

  /// Looks until `condition` holds or the time is over; whether it held.
  private func wait(
    within limit: Duration, until condition: () throws(ProgramFailure) -> Bool
  ) async throws(ProgramFailure) -> Bool {
    let clock = ContinuousClock()
    let deadline = clock.now + limit
    while true {
      if try condition() { return true }
      if clock.now >= deadline { return false }
      do { try await Task.sleep(for: Self.lookInterval, clock: clock) } catch { return false }
    }
  }
}
