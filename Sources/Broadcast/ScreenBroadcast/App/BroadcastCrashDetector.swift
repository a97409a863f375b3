import Platform
import SharedMemory
import Synchronization

/// Who wants to know when the extension dies without saying so, or stands still.
public protocol BroadcastCrashSubscriber: AnyObject, Sendable {
  /// The process `pid` held the broadcast and is dead; the flag still says that a broadcast runs.
  func onCrash(pid: Int32)

  /// The process `pid` holds the broadcast and was stopped, as a debugger or SIGSTOP does: no frames come.
  func onSuspension(pid: Int32)

  /// The process `pid`, which had been stopped, goes on.
  func onResumption(pid: Int32)
}

extension BroadcastCrashSubscriber {
  /// Nothing: not everybody tells a still picture from an extension that stands still.
  public func onSuspension(pid: Int32) {}
  /// Nothing.
  public func onResumption(pid: Int32) {}
}

/// Tells a crash of the extension, or its standing still, from a broadcast that runs, although the flag says true
/// in all three.
///
/// The extension holds a lock for its life, which the kernel drops on any death. It looks as often as the
/// status is polled, so a crash is told within one poll.
public final class BroadcastCrashDetector: Sendable {
  /// What flag and lock say together.
  public enum Verdict: Equatable, Sendable {
    /// No broadcast runs.
    case inactive
    /// The extension of this process id broadcasts.
    case active(pid: Int32)
    /// The extension of this process id died; the flag was left on.
    case crashed(pid: Int32)
    /// The flag is on, but no extension has taken the broadcast: it is just starting, or somebody set the flag.
    case unclaimed
    /// The extension of this process id is there while the flag is off: it is just starting or ending.
    case changing(pid: Int32)

    /// What a flag and what is known of the lock's holder say, when both are of the same moment.
    public init(flag: Bool, holder: ProducerLock.Holder) {
      self =
        switch (flag, holder) {
        case (true, .alive(let pid)): .active(pid: pid)
        case (true, .died(let pid)): .crashed(pid: pid)
        case (true, .nobody): .unclaimed
        case (false, .alive(let pid)): .changing(pid: pid)
        case (false, _): .inactive
        }
    }
  }

  private let status: any BroadcastStatusManager
  private let lockFile: String
  private let timer: any RepeatingTimer
  private let interval: Duration
  private let state = Mutex(State())

  private struct State {
    weak var subscriber: (any BroadcastCrashSubscriber)?
    var told: Int32?
    var suspended: Int32?
  }

  /// A detector that looks once per `interval` when `timer` ticks.
  public init(
    container: AppGroupContainer, status: any BroadcastStatusManager, timer: any RepeatingTimer,
    interval: Duration = BroadcastStatusManagerImpl.pollInterval
  ) {
    self.status = status
    lockFile = container.producerLockFile
    self.timer = timer
    self.interval = interval
  }

  deinit { timer.cancel() }

  /// Starts looking and telling `subscriber`. It is held weakly, and it is the only one.
  public func subscribe(_ subscriber: any BroadcastCrashSubscriber) {
    state.withLock { $0.subscriber = subscriber }
    timer.start(every: interval) { [weak self] in self?.poll() }
  }

  /// Stops looking.
  public func unsubscribe() {
    timer.cancel()
    state.withLock { $0.subscriber = nil }
  }

  /// What flag and lock say now.
  public func verdict() throws(KeyValueFile.Failure) -> Verdict {
    // The extension takes the lock, then sets the flag; it clears the flag, then leaves the lock. The flag is
    // read before and after the lock, so that a change between the two is not taken for a crash.
    while true {
      let before = try status.status
      let holder: ProducerLock.Holder
      do throws(StorageError) { holder = try ProducerLock.holder(at: lockFile) } catch {
        throw .storage(error)
      }
      guard try status.status == before else { continue }
      return Verdict(flag: before, holder: holder)
    }
  }

  /// Looks once, and tells the subscriber of what it was not told of yet.
  public func poll() {
    let verdict: Verdict
    // The status manager reads the same file and reports what is wrong with it.
    do { verdict = try self.verdict() } catch { return }
    let crashed: Int32? = if case .crashed(let pid) = verdict { pid } else { nil }
    let suspended: Int32? =
      if case .active(let pid) = verdict, ProcessState.isStopped(pid) { pid } else { nil }
    let (subscriber, before) = state.withLock { state in
      defer { (state.told, state.suspended) = (crashed, suspended) }
      return (state.subscriber, state)
    }
    if let pid = before.suspended, pid != suspended, case .active(pid) = verdict {
      subscriber?.onResumption(pid: pid)
    }
    if let suspended, suspended != before.suspended { subscriber?.onSuspension(pid: suspended) }
    if let crashed, crashed != before.told { subscriber?.onCrash(pid: crashed) }
  }
}
