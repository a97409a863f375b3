import Causes
import Platform
import Synchronization

/// Watches the calls of a handler, and reports calls that do not return; see ``CallEvent``.
///
/// A call is blocked if it has been open for five seconds, and nothing has worked for it in the last four. This holds at any host
/// load, because a computing thread uses CPU time even then. A wait with a timeout is not blocked, because it ends by itself. In
/// `broadcastFinished` it is, because the system gives the end of a broadcast no time for a long wait. Work on the main thread is
/// also blocked if it has used two seconds of CPU time, because that thread answers nothing in the meantime.
final class CallWatchdog: Sendable {
  /// After how many seconds an open call may be blocked, and the interval of the reports from then on.
  private static let proofTime = 5
  /// How many of the last seconds must be without work, and the CPU time that still counts as no work in a second. Some threads
  /// wake up without any work.
  private static let restingSeconds = 4
  private static let restingTime = Duration.milliseconds(5)
  /// The CPU time after which an open block of the main thread is not only slow. An overloaded host needs many seconds for it.
  private static let computingTime = Duration.seconds(2)
  /// The open time at which the measurement of the first second begins. Most calls are shorter.
  private static let measuredTime = Duration.milliseconds(200)
  /// The maximum time that counts between two checks. If more has passed, the process was suspended.
  private static let longestStep = Duration.milliseconds(100)

  private let clock: any MonotonicClock
  private let openCall: @Sendable () -> OpenCall?
  private let work: @Sendable () -> HandlerWork.Second
  private let hasLimit: @Sendable (OpenCall) -> Bool
  private let stack: @Sendable (OpenCall) -> [String]
  private let cpuTime: @Sendable (OpenCall) -> Duration
  private let report: @Sendable (CallEvent) -> Void
  private let state = Mutex(State())

  private struct State {
    var call: OpenCall?
    var lastCheck = MonotonicTime.zero
    var openTime = Duration.zero
    /// The CPU time of the call's thread at the start of the measurement; `nil` before it.
    var startTime: Duration?
    /// The number of whole seconds of ``openTime`` that have been judged.
    var seconds = 0
    /// The work in the latest of these seconds.
    var work: [HandlerWork.Second] = []
    /// The functions in which the call waits, once it is known to be blocked.
    var stack: [String]?
  }

  /// - Parameters:
  ///   - work: returns the work for the call since the previous use.
  ///   - hasLimit: returns whether the call now waits with a timeout.
  ///   - stack: returns the functions in which the call waits. Used once for a blocked call.
  ///   - cpuTime: returns the CPU time that the thread of the call has used so far.
  ///   - report: called on the thread that checks.
  init(
    clock: any MonotonicClock, of openCall: @escaping @Sendable () -> OpenCall?,
    work: @escaping @Sendable () -> HandlerWork.Second,
    hasLimit: @escaping @Sendable (OpenCall) -> Bool = { CallStack.wait(of: $0.thread).hasLimit },
    stack: @escaping @Sendable (OpenCall) -> [String] = {
      CallStack.functions(of: $0.thread, mayCompute: $0.isOfMainThread)
    },
    cpuTime: @escaping @Sendable (OpenCall) -> Duration = { ThreadActivity.runTime(of: $0.thread) },
    report: @escaping @Sendable (CallEvent) -> Void
  ) {
    self.clock = clock
    self.openCall = openCall
    self.work = work
    self.hasLimit = hasLimit
    self.stack = stack
    self.cpuTime = cpuTime
    self.report = report
  }

  /// Checks once. The time that a call has been open is the sum of the times between checks.
  func check() {
    let event = state.withLock { state -> CallEvent? in
      let (now, call) = (clock.now, openCall())
      guard let call, call.id == state.call?.id else {
        state = State(call: call, lastCheck: now)
        return nil
      }
      state.openTime += min(max(.zero, now - state.lastCheck), Self.longestStep)
      state.lastCheck = now
      if state.startTime == nil, state.openTime >= Self.measuredTime {
        state.startTime = cpuTime(call)
        _ = work()
      }
      guard state.openTime >= .seconds(state.seconds + 1) else { return nil }
      state.seconds += 1
      return judge(call, &state)
    }
    if let event { report(event) }
  }

  /// Judges the call at a full second, and returns the event to report, if any.
  private func judge(_ call: OpenCall, _ state: inout State) -> CallEvent? {
    state.work = state.work.suffix(Self.restingSeconds - 1) + [work()]
    let runTime = state.work.reduce(.zero) { $0 + $1.runTime }
    let computes =
      call.isOfMainThread && state.openTime >= .seconds(Self.proofTime)
      && cpuTime(call) - (state.startTime ?? .zero) >= Self.computingTime
    let works = state.work.last.map { $0.isBusy || $0.runTime >= Self.restingTime } ?? true
    // A thread that happens to be busy at one sample was not computing all the time.
    let waits =
      state.openTime - call.delay >= .seconds(Self.proofTime) && state.work.count == Self.restingSeconds
      && runTime < Self.restingTime * Self.restingSeconds && state.work.contains { !$0.isBusy }
      && (call.name == "broadcastFinished" || !hasLimit(call))
    let (isBlocked, wasBlocked) = (computes || waits, state.stack != nil)
    if !isBlocked { state.stack = nil } else if !wasBlocked { state.stack = stack(call) }
    guard state.seconds == 1 || state.seconds.isMultiple(of: Self.proofTime) || isBlocked && !wasBlocked
    else { return nil }
    return CallEvent(
      call: call.name, openSeconds: Double(state.seconds), works: isBlocked ? computes : works,
      isBlocked: isBlocked,
      stack: state.stack)
  }
}

/// A call of a receiver that has not yet returned.
struct OpenCall: Equatable, Sendable {
  /// The number of the call among the calls of the receiver.
  var id: UInt64
  var name: String
  var thread: Int32
  /// The requested delay of the call.
  var delay = Duration.zero
  /// Whether this is the work of the main thread between two of its answers.
  var isOfMainThread = false
}
