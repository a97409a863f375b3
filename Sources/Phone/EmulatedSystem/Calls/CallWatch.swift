import Causes
import Platform
import Synchronization

/// Watches the calls of a handler, and reports one that does not return; see ``CallEvent``.
///
/// A call is blocked when it has been open for five seconds, and nothing has worked for it in the last four. So it is known
/// at any load of the machine: a thread that computes also does so there. A wait with a limit ends by itself,
/// but the system gives the end of a broadcast no time for a long one.
final class CallWatch: Sendable {
  /// How long a call is open until it may be blocked, and how often it is reported from then on.
  private static let proofTime = 5
  /// The seconds before in which nothing may work, and the time for which the threads may run in each: some wake up for nothing.
  private static let restingSeconds = 4
  private static let restingTime = Duration.milliseconds(5)
  /// When the measurement of the first second begins. Most calls are shorter.
  private static let measuredTime = Duration.milliseconds(200)
  /// The most time between two checks that counts. The process was stopped in a longer one.
  private static let longestStep = Duration.milliseconds(100)

  private let clock: any MonotonicClock
  private let openCall: @Sendable () -> OpenCall?
  private let work: @Sendable () -> HandlerWork.Second
  private let hasLimit: @Sendable (OpenCall) -> Bool
  private let stack: @Sendable (OpenCall) -> [String]
  private let report: @Sendable (CallEvent) -> Void
  private let state = Mutex(State())

  private struct State {
    var call: OpenCall?
    var lastCheck = MonotonicTime.zero
    var openTime = Duration.zero
    var isMeasured = false
    /// The whole seconds of ``openTime`` that were judged.
    var seconds = 0
    /// What worked in the newest of them.
    var work: [HandlerWork.Second] = []
    /// Where the call waits, once it is known to be blocked.
    var stack: [String]?
  }

  /// - Parameters:
  ///   - work: what has worked for the call since the last question.
  ///   - hasLimit: whether the call waits with a limit now.
  ///   - stack: the functions in which the call waits. Asked once for a call that is blocked.
  ///   - report: called on the thread that checks.
  init(
    clock: any MonotonicClock, of openCall: @escaping @Sendable () -> OpenCall?,
    work: @escaping @Sendable () -> HandlerWork.Second,
    hasLimit: @escaping @Sendable (OpenCall) -> Bool = { CallStack.wait(of: $0.thread).hasLimit },
    stack: @escaping @Sendable (OpenCall) -> [String] = { CallStack.functions(of: $0.thread) },
    report: @escaping @Sendable (CallEvent) -> Void
  ) {
    (self.clock, self.openCall, self.work) = (clock, openCall, work)
    (self.hasLimit, self.stack, self.report) = (hasLimit, stack, report)
  }

  /// Checks once. Regular checks make the time for which a call is open.
  func check() {
    let event = state.withLock { state -> CallEvent? in
      let (now, call) = (clock.now, openCall())
      guard let call, call.id == state.call?.id else {
        state = State(call: call, lastCheck: now)
        return nil
      }
      state.openTime += min(max(.zero, now - state.lastCheck), Self.longestStep)
      state.lastCheck = now
      if !state.isMeasured, state.openTime >= Self.measuredTime {
        state.isMeasured = true
        _ = work()
      }
      guard state.openTime >= .seconds(state.seconds + 1) else { return nil }
      state.seconds += 1
      return judge(call, &state)
    }
    if let event { report(event) }
  }

  /// Judges the call at one of its seconds, and returns what is to be reported then.
  private func judge(_ call: OpenCall, _ state: inout State) -> CallEvent? {
    state.work = state.work.suffix(Self.restingSeconds - 1) + [work()]
    let runTime = state.work.reduce(.zero) { $0 + $1.runTime }
    let works = state.work.last.map { $0.isBusy || $0.runTime >= Self.restingTime } ?? true
    // A thread that is busy for a moment did not compute all the time.
    let isBlocked =
      state.openTime - call.delay >= .seconds(Self.proofTime) && state.work.count == Self.restingSeconds
      && runTime < Self.restingTime * Self.restingSeconds && state.work.contains { !$0.isBusy }
      && (call.name == "broadcastFinished" || !hasLimit(call))
    let wasBlocked = state.stack != nil
    if !isBlocked { state.stack = nil } else if !wasBlocked { state.stack = stack(call) }
    guard state.seconds == 1 || state.seconds.isMultiple(of: Self.proofTime) || isBlocked && !wasBlocked
    else { return nil }
    return CallEvent(
      call: call.name, openSeconds: Double(state.seconds), works: works, isBlocked: isBlocked,
      stack: state.stack)
  }
}

/// A call of a receiver that has not returned.
struct OpenCall: Equatable, Sendable {
  /// Its number among the calls of its receiver.
  var id: UInt64
  var name: String
  var thread: Int32
  /// How much longer the call takes by a request.
  var delay = Duration.zero
}
