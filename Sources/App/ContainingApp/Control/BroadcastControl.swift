import Causes
import CommandLineSupport
import Dispatch
import Foundation
import PhoneLink
import Platform
import ScreenBroadcast
import SharedMemory

/// Starts, stops and checks broadcasts. Each call returns when the broadcast has reached the state, and throws on a
/// timeout.
@MainActor
package final class BroadcastControl {
  private let container: AppGroupContainer
  private let statusManager: BroadcastStatusManagerImpl
  private let detector: BroadcastCrashDetector
  private let clock: any MonotonicClock
  private let report: @MainActor (WatchMessage) -> Void

  /// The interval between two checks of the broadcast.
  private static let checkInterval = Duration.milliseconds(20)

  /// Creates the control of a container's broadcasts, with timeouts on `clock`. `report` is called on the main queue.
  package init(
    container: AppGroupContainer, clock: any MonotonicClock = SystemClock(),
    report: @escaping @MainActor (WatchMessage) -> Void
  ) {
    self.container = container
    self.clock = clock
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
  ///
  /// Throws if a broadcast is active already, or if the producer fails or does not start a broadcast in time.
  package func start(_ producer: ProducerLaunch, within limit: Duration) async throws(ProgramFailure) {
    // An extension that is about to exit still holds the lock.
    _ = try await wait(within: limit) { () throws(ProgramFailure) in
      if case .changing = try self.verdict(repairs: true) { false } else { true }
    }
    if case .active(let pid) = try verdict(repairs: true) {
      throw ProgramFailure(
        .cannotCreate,
        "A broadcast is already running in this app group (process \(pid)); stop it with 'consumer stop' first."
      )
    }
    let before = lockTimes
    let process = try producer.run()
    defer { producer.closeLog(of: process) }
    let isActive = try await wait(within: limit) { () throws(ProgramFailure) in
      producer.limitLog()
      if !process.isRunning { return true }
      return try self.verdict(repairs: true) == .active(pid: process.processIdentifier)
    }
    if !process.isRunning {
      guard process.terminationStatus == 0 else { throw producer.failure(of: process) }
      guard lockTimes != before else {
        throw ProgramFailure(
          .nothingCame,
          "\(producer.program.path) ended without a broadcast; its messages are in \(producer.logFile). Name the "
            + "program of an extension.")
      }
      reportStatus(isActive: false)
      return report(.notice("The broadcast is already over."))
    }
    guard isActive else {
      try await terminate(process)
      throw ProgramFailure(
        .nothingCame,
        "The producer (process \(process.processIdentifier)) did not start a broadcast within "
          + "\(limit.decimalSeconds) s and was terminated; its messages are in \(producer.logFile).")
    }
    reportStatus(isActive: true)
    report(
      .notice("The producer is process \(process.processIdentifier); its messages go to \(producer.logFile).")
    )
  }

  /// When the extensions' locks were last written. Each broadcast writes a lock at its start and at its end.
  private var lockTimes: [Date?] {
    [container.producerLockFile, container.extensionLockFile].map { path in
      // A missing lock has no time. A lock that cannot be read is an error of ``verdict(repairs:)``.
      (try? FileManager.default.attributesOfItem(atPath: path))?[.modificationDate] as? Date
    }
  }

  /// Ends a producer that has not started a broadcast, even if its handler does not return.
  private func terminate(_ process: Process) async throws(ProgramFailure) {
    // A second signal that arrives at least a second after the first does not wait for the handler. On an overloaded host
    // that may be the third.
    for signal in [SIGTERM, SIGTERM, SIGTERM, SIGKILL] {
      kill(process.processIdentifier, signal)
      if try await wait(within: .milliseconds(1200), until: { !process.isRunning }) { return }
    }
  }

  /// Ends the broadcast with the flag, as the app does, and waits until the extension has exited. If the handler does not
  /// use the flag, the system ends the broadcast, and this waits until the process has released its lock.
  ///
  /// Throws if the extension has crashed, or if it does not exit in time.
  package func stop(within limit: Duration) async throws(ProgramFailure) {
    let (before, handler) = (try verdict(repairs: true), try holderWithoutFlag())
    if before == .inactive { return reportStatus(isActive: false) }
    if case .alive(let pid) = handler { return try await end(pid, within: limit) }
    if case .died(let pid) = handler, before == .crashed(pid: pid) {
      do throws(FileError) { try ProcessLock.forgetCrash(at: container.extensionLockFile) } catch {
        throw ProgramFailure(error)
      }
      throw crash(of: pid, "start another broadcast with 'consumer start'")
    }
    try turnFlagOff()
    if case .crashed(let pid) = before { throw crash(of: pid, "the flag is off now") }
    let hasExited = try await wait(within: limit) { () throws(ProgramFailure) in
      let verdict = try self.verdict()
      // An extension that was still starting may have turned the flag on again.
      if case .active = verdict { try self.turnFlagOff() }
      return verdict == .inactive
    }
    guard hasExited else {
      var advice = "end its process"
      if case .changing(let pid) = try verdict(), ProcessState.isStopped(pid) {
        advice = "it is stopped and exits when it continues ('kill -CONT \(pid)')"
      }
      throw ProgramFailure(
        .nothingCame,
        "The producer has not exited within \(limit.decimalSeconds) s, although the flag is off; \(advice).")
    }
    reportStatus(isActive: false)
  }

  /// Ends the broadcast of a handler that does not use the flag, as the system does: with a signal.
  private func end(_ pid: Int32, within limit: Duration) async throws(ProgramFailure) {
    report(.notice("The handler of process \(pid) does not use the flag; the system stops its broadcast."))
    kill(pid, SIGTERM)
    let hasEnded = try await wait(within: limit) { () throws(ProgramFailure) in
      try self.holderWithoutFlag() != .alive(pid: pid)
    }
    guard hasEnded else {
      throw ProgramFailure(
        .nothingCame,
        "The broadcast of process \(pid) has not ended within \(limit.decimalSeconds) s; end the process.")
    }
    reportStatus(isActive: false)
  }

  /// Reports whether a broadcast is active. With a limit above zero, it first waits for an active broadcast.
  ///
  /// Throws if the extension has crashed, or if no broadcast becomes active in time.
  package func status(within limit: Duration) async throws(ProgramFailure) {
    let isActive = try await wait(within: limit) { () throws(ProgramFailure) in
      switch try self.verdict() {
      case .active, .crashed: true
      case .inactive, .unclaimed, .changing: false
      }
    }
    let verdict = try verdict()
    let isOn = if case .active = verdict { true } else { false }
    reportStatus(isActive: isOn)
    switch verdict {
    case .active(let pid):
      report(.notice("Process \(pid) broadcasts."))
      if ProcessState.isStopped(pid) {
        report(.suspended(pid: pid))
        report(.cause(.suspended(pid, from: SystemClock().now), isNew: true))
      }
    case .crashed(let pid):
      let trace = try holderWithoutFlag() == .died(pid: pid) ? "lock" : "flag"
      throw crash(of: pid, "clear the \(trace) with 'consumer stop'")
    case .unclaimed:
      report(
        .notice(
          "The flag says active, but no producer is broadcasting: it is starting, or another program set the flag."
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

  /// Returns the meaning of flag and lock, or of the lock alone if the handler does not use the flag. With `repairs`,
  /// damaged preferences are not a failure, because a start or stop repairs them.
  private func verdict(repairs: Bool = false) throws(ProgramFailure) -> BroadcastCrashDetector.Verdict {
    let verdict: BroadcastCrashDetector.Verdict
    do { verdict = try detector.verdict() } catch {
      guard repairs, error.reason == .notAPropertyList else { throw ProgramFailure(error) }
      verdict = .unclaimed
    }
    if case .active = verdict { return verdict }
    switch try holderWithoutFlag() {
    case .alive(let pid) where pid > 0: return .active(pid: pid)
    case .died(let pid) where verdict == .inactive: return .crashed(pid: pid)
    default: return verdict
    }
  }

  /// Returns the state of the lock of a handler that does not use the flag.
  private func holderWithoutFlag() throws(ProgramFailure) -> ProcessLock.Holder {
    do throws(FileError) { return try ProcessLock.holder(at: container.extensionLockFile) } catch {
      throw ProgramFailure(error)
    }
  }

  private func reportStatus(isActive: Bool) { report(.status(isActive: isActive, time: SystemClock().now)) }

  /// Reports a crash, and returns the failure.
  private func crash(of pid: Int32, _ state: String) -> ProgramFailure {
    let kill = FactsFile.memoryKill(of: pid, in: container)
    report(.crashed(pid: pid, kill: kill))
    let what = kill?.description ?? "died while it broadcast"
    return ProgramFailure(.producerCrashed, "The producer (process \(pid)) \(what); \(state).")
  }

  /// Checks `condition` until it holds or the timeout expires. Returns whether it held.
  private func wait(
    within limit: Duration, until condition: () throws(ProgramFailure) -> Bool
  ) async throws(ProgramFailure) -> Bool {
    let deadline = clock.now + limit
    while true {
      if try condition() { return true }
      if clock.now >= deadline { return false }
      do { try await Task.sleep(for: Self.checkInterval) } catch { return false }
    }
  }
}
