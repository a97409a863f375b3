import Platform
import SharedMemory
import Synchronization

/// Receives crashes and suspensions of the extension. The calls come where the detector's timer ticks.
public protocol BroadcastCrashSubscriber: AnyObject, Sendable {
  /// The process `pid` held the broadcast and exited without ending it; the flag is still on.
  func onCrash(pid: Int32)

  /// The process `pid` holds the broadcast and is stopped, as by a debugger or SIGSTOP: no frames come.
  func onSuspension(pid: Int32)

  /// The process `pid`, which was stopped, continues.
  func onResumption(pid: Int32)

  /// The lock cannot be read, so that a crash goes unseen. Reported once for each reason; `nil` when it can be read again.
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

/// Distinguishes a broadcast that runs from an extension that crashed or is stopped, although the flag is on in all three
/// cases.
///
/// The extension holds a lock for its life, which the kernel drops when the process exits. The detector polls as often as
/// the status manager, so it reports a crash within half a second.
public final class BroadcastCrashDetector: Sendable {
  /// What flag and lock mean together.
  public enum Verdict: Equatable, Sendable {
    /// No broadcast runs.
    case inactive
    /// The extension of this process id broadcasts.
    case active(pid: Int32)
    /// The extension of this process id crashed; the flag is still on.
    case crashed(pid: Int32)
    /// The flag is on, but no extension holds the lock: one is starting, or another program turned the flag on.
    case unclaimed
    /// The extension of this process id holds the lock while the flag is off: it is starting or ending.
    case changing(pid: Int32)

    /// The meaning of a flag and a lock that were read at the same moment.
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
  private let lockFailure = Mutex(ReportedReason<FileError>())

  private struct Processes {
    var crashed: Int32?
    var suspended: Int32?
  }

  /// A detector that polls when `timer` ticks, once per `interval`.
  public init(
    container: AppGroupContainer, status: any BroadcastStatusManager, timer: any RepeatingTimer,
    interval: Duration = BroadcastStatusManagerImpl.pollInterval
  ) {
    self.status = status
    lockFile = container.producerLockFile
    poller = Poller(timer: timer, interval: interval)
  }

  /// Starts polling for `subscriber`. It is held weakly, and replaces an earlier subscriber.
  public func subscribe(_ subscriber: any BroadcastCrashSubscriber) {
    poller.start(for: { [weak subscriber] in subscriber }) { [weak self] in self?.poll() }
  }

  /// Stops polling.
  public func unsubscribe() { poller.stop() }

  /// What flag and lock mean now. Throws when one of them cannot be read.
  public func verdict() throws(FileError) -> Verdict {
    // The extension takes the lock, then turns the flag on; it turns the flag off, then releases the lock. The flag is
    // read before and after the lock, so that a change between the two is not taken for a crash.
    while true {
      let before = try status.status
      let holder = try ProcessLock.holder(at: lockFile)
      guard try status.status == before else { continue }
      return Verdict(flag: before, holder: holder)
    }
  }

  /// Reads flag and lock once, and reports what is new.
  public func poll() {
    var failure: FileError?
    do throws(FileError) { _ = try ProcessLock.holder(at: lockFile) } catch { failure = error }
    if lockFailure.withLock({ $0.changes(to: failure) }) { poller.subscriber?.onLock(failure: failure) }
    let verdict: Verdict
    // The status manager reads the flag too and reports its errors.
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
