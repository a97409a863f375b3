import Platform
import SharedMemory
import Synchronization

/// Receives crashes and suspensions of the extension, on the thread on which the detector's timer ticks.
public protocol BroadcastCrashSubscriber: AnyObject, Sendable {
  /// The process `pid` held the broadcast and exited without ending it. The flag is still on.
  func onCrash(pid: Int32)

  /// The process `pid` holds the broadcast and is suspended, for example by a debugger or SIGSTOP. No frames arrive.
  func onSuspension(pid: Int32)

  /// The process `pid` continues after a suspension.
  func onResumption(pid: Int32)

  /// The lock cannot be read, so a crash would not be detected. Reported once for each reason; `nil` if it can be read again.
  func onLock(failure: FileError?)
}

extension BroadcastCrashSubscriber {
  /// Does nothing.
  public func onSuspension(pid: Int32) {}
  /// Does nothing.
  public func onResumption(pid: Int32) {}
  /// Does nothing.
  public func onLock(failure: FileError?) {}
}

/// Distinguishes a running broadcast from a crashed or suspended extension. The flag is on in all three cases.
///
/// The extension holds a lock while it runs. The kernel releases the lock when the process exits. The detector polls as often as
/// the status manager, so it reports a crash within half a second.
public final class BroadcastCrashDetector: Sendable {
  /// The combined meaning of flag and lock.
  public enum Verdict: Equatable, Sendable {
    /// No broadcast is running.
    case inactive
    /// The extension with this process ID broadcasts.
    case active(pid: Int32)
    /// The extension with this process ID crashed. The flag is still on.
    case crashed(pid: Int32)
    /// The flag is on, but no extension holds the lock. Either an extension is starting, or another program turned the flag on.
    case unclaimed
    /// The extension with this process ID holds the lock while the flag is off. It is starting or ending.
    case changing(pid: Int32)

    /// Combines a flag and a lock that were read at the same moment.
    package init(flag: Bool, holder: ProcessLock.Holder) {
      self =
        switch (flag, holder) {
        case (true, .alive(let pid)): .active(pid: pid)
        case (true, .died(let pid)): .crashed(pid: pid)
        case (true, .unheld): .unclaimed
        case (false, .alive(let pid)): .changing(pid: pid)
        case (false, _): .inactive
        }
    }
  }

  private let status: any BroadcastStatusManager
  private let lockFile: String
  private let poller: Poller<any BroadcastCrashSubscriber>
  private let reported = Mutex(Processes())
  private let lockFailure = Mutex(OncePerReason<FileError>())

  private struct Processes {
    var crashed: Int32?
    var suspended: Int32?
  }

  /// Creates a detector that polls when `timer` ticks, once per `interval`.
  public init(
    container: AppGroupContainer, status: any BroadcastStatusManager, timer: any RepeatingTimer,
    interval: Duration = BroadcastStatusManagerImpl.pollInterval
  ) {
    self.status = status
    lockFile = container.producerLockFile
    poller = Poller(timer: timer, interval: interval)
  }

  /// Starts polling for `subscriber`. It is held weakly and replaces an earlier subscriber.
  public func subscribe(_ subscriber: any BroadcastCrashSubscriber) {
    poller.start(for: { [weak subscriber] in subscriber }) { [weak self] in self?.poll() }
  }

  /// Stops polling.
  public func unsubscribe() { poller.stop() }

  /// Returns the current verdict. Throws if the flag or the lock cannot be read.
  public func verdict() throws(FileError) -> Verdict {
    // The extension acquires the lock and then turns the flag on. It turns the flag off and then releases the lock. Read the flag
    // before and after the lock, so that a change in between is not mistaken for a crash.
    while true {
      let before = try status.status
      let holder = try ProcessLock.holder(at: lockFile)
      guard try status.status == before else { continue }
      return Verdict(flag: before, holder: holder)
    }
  }

  /// Reads flag and lock once, and reports changes.
  public func poll() {
    var failure: FileError?
    do throws(FileError) { _ = try ProcessLock.holder(at: lockFile) } catch { failure = error }
    if lockFailure.withLock({ $0.changes(to: failure) }) { poller.subscriber?.onLock(failure: failure) }
    let verdict: Verdict
    // The status manager also reads the flag, and reports its errors.
    do { verdict = try self.verdict() } catch { return }
    let crashed: Int32? = if case .crashed(let pid) = verdict { pid } else { nil }
    let suspended: Int32? =
      if case .active(let pid) = verdict, ProcessState.isStopped(pid) { pid } else { nil }
    let before = reported.withLock { reported in
      defer { reported = Processes(crashed: crashed, suspended: suspended) }
      return reported
    }
    let subscriber = poller.subscriber
    if let pid = before.suspended, pid != suspended, case .active(pid) = verdict {
      subscriber?.onResumption(pid: pid)
    }
    if let suspended, suspended != before.suspended { subscriber?.onSuspension(pid: suspended) }
    if let crashed, crashed != before.crashed { subscriber?.onCrash(pid: crashed) }
  }
}
