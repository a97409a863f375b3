import Dispatch
import EmulatedDevice
import EmulatedSystem
import Foundation
import Platform
import ScreenBroadcast
import Synchronization

/// A clock that moves only when it is advanced, with its timers and the work that it waits for.
///
/// It advances from the due time of one timer to the next. In between it stops until all work in progress has ended: the
/// handler's calls on their queue, and the work that they start on the main queue. So the same events happen at the same
/// times in every run, whatever the speed of the host.
package final class VirtualClock: TimerClock, @unchecked Sendable {
  // Why unchecked: `condition` guards `state`; `device` is set before the clock is shared.
  private let condition = NSCondition()
  private var state = State()
  private let time: Atomic<UInt64>
  /// The device whose code runs on this clock. The device holds the clock strongly.
  private weak var device: Device?
  /// Measures the real time of functions.
  private let realTime: any MonotonicClock

  private struct State {
    var timers: [Int: Timer] = [:]
    var lastTimer = 0
    /// The work of the main queue, in order.
    var mainWork: [@Sendable () -> Void] = []
    /// The number of functions that each other queue runs or still has to run.
    var work: [ObjectIdentifier: Int] = [:]
    /// The number of functions that other queues have run.
    var endedWork = 0
    /// The waits of threads: their deadlines, and the queues that they block.
    var waits: [Int: (deadline: MonotonicTime, queue: ObjectIdentifier?)] = [:]
    var lastWait = 0

    /// Whether a queue has work that no wait blocks.
    var isBusy: Bool {
      work.keys.contains { queue in !waits.values.contains { $0.queue == queue } }
    }

    mutating func endWork(on queue: ObjectIdentifier) {
      endedWork += 1
      work[queue] = work[queue].flatMap { $0 > 1 ? $0 - 1 : nil }
    }
  }

  private struct Timer {
    var schedule: TickSchedule
    let queue: DispatchQueue
    let tick: @Sendable () -> Void
  }

  /// The queue of the current call, if the clock waits for its work.
  @TaskLocal private static var presentQueue: ObjectIdentifier?

  /// The real time that one function may take. A handler that takes longer counts as hanging.
  private static let waitLimit = Duration.seconds(20)

  /// Creates a clock that shows `start`. Any time other than zero will do; zero means "unknown".
  package init(
    at start: MonotonicTime = MonotonicTime(nanoseconds: 1_000_000_000_000),
    realTime: any MonotonicClock = SystemClock()
  ) {
    time = Atomic(start.nanoseconds)
    self.realTime = realTime
  }

  /// Creates a device with this clock and screen, and with its containers in the folder `root`. The caller must keep the
  /// device.
  package func makeDevice(root: String, _ screen: ScreenOptions) -> Device {
    let device = Device(screen.identity, denied: screen.denied, clock: self, ownRoot: root) { [weak self] in
      self?.enqueue($0, nil, $1)
    } runAfter: { [weak self] in
      self?.run(after: $0, $1)
    }
    self.device = device
    return device
  }

  package var now: MonotonicTime { MonotonicTime(nanoseconds: time.load(ordering: .sequentiallyConsistent)) }

  package var minimumResolution: Duration { .nanoseconds(1) }

  /// The clock and the timers for an emulated system.
  package var deviceTime: DeviceTime {
    DeviceTime(clock: self) {
      self.makeTimer(on: $0)
    } enqueue: {
      self.enqueue($0, $1, $2)
    }
  }

  // MARK: Work

  /// Runs `body` on `queue`, after the work of `group` if there is one.
  package func enqueue(
    _ queue: DispatchQueue, _ group: DispatchGroup?, _ body: @escaping @Sendable () -> Void
  ) {
    if queue.isMain, group == nil {
      return condition.withLock {
        state.mainWork.append(body)
        condition.broadcast()
      }
    }
    let id = ObjectIdentifier(queue)
    condition.withLock { state.work[id, default: 0] += 1 }
    // Release the function's captures, such as a sample, before its work counts as ended.
    let body = Mutex<Callback<@Sendable () -> Void>?>(Callback(body))
    let work: @Sendable () -> Void = { [self, device] in
      Self.$presentQueue.withValue(id) { run(on: device) { body.withLock { $0.take() }?.call() } }
      condition.withLock {
        state.endWork(on: id)
        if !state.isBusy { condition.broadcast() }
      }
    }
    if let group { group.notify(queue: queue, execute: work) } else { queue.async(execute: work) }
  }

  /// Runs the work of the main queue, and waits until all other work has ended. Returns `false` if some work hangs.
  @MainActor
  package func settle() async -> Bool {
    var start = realTime.now
    var lastEnded: Int?
    while true {
      switch nextStep() {
      case .settled: return true
      case .mainWork(let work):
        for body in work { run(on: device, body) }
        lastEnded = nil  // A function may have waited for this work.
      case .wait(let ended):
        // Measure each function from its last work on the main queue, because before that other users of the main queue may
        // have taken any time.
        if ended != lastEnded { (start, lastEnded) = (realTime.now, ended) }
        guard realTime.now - start < Self.waitLimit else { return false }
        // The work may wait for the main queue, or need more time.
        do { try await Task.sleep(for: .microseconds(200)) } catch { return false }
      }
    }
  }

  private func run(on device: Device?, _ body: () -> Void) {
    if let device { device.run(body) } else { body() }
  }

  private enum Step {
    case settled
    /// Other queues are running a function. `ended` is the number of functions that they have run.
    case wait(ended: Int)
    case mainWork([@Sendable () -> Void])
  }

  private func nextStep() -> Step {
    condition.withLock {
      if state.mainWork.isEmpty, state.isBusy {
        // Most calls of a handler end within this time, which costs less than a suspension of the task.
        let limit = Date(timeIntervalSinceNow: 0.002)
        while state.mainWork.isEmpty, state.isBusy, condition.wait(until: limit) {}
      }
      if !state.mainWork.isEmpty {
        defer { state.mainWork = [] }
        return .mainWork(state.mainWork)
      }
      return state.isBusy ? .wait(ended: state.endedWork) : .settled
    }
  }

  // MARK: Time

  /// Advances to the next timer or wait that is due at or before `end`, and runs it. If there is none, advances to `end`
  /// and returns `false`.
  @MainActor
  package func step(until end: MonotonicTime) -> Bool {
    let due = condition.withLock { () -> (@MainActor () -> Void)? in
      let timer = state.timers.min {
        ($0.value.schedule.deadline, $0.key) < ($1.value.schedule.deadline, $1.key)
      }
      let wait = state.waits.min { ($0.value.deadline, $0.key) < ($1.value.deadline, $1.key) }
      if let wait, wait.value.deadline <= min(end, timer?.value.schedule.deadline ?? end) {
        set(wait.value.deadline)
        state.waits[wait.key] = nil
        condition.broadcast()
        return {}
      }
      guard let (id, timer) = timer, timer.schedule.deadline <= end else {
        set(end)
        return nil
      }
      set(timer.schedule.deadline)
      state.timers[id]?.schedule.begin(at: now)
      state.timers[id]?.schedule.end(at: now)
      if timer.queue.isMain { return { [self] in run(on: device, timer.tick) } }
      return { [self] in enqueue(timer.queue, nil, timer.tick) }
    }
    due?()
    return due != nil
  }

  private func set(_ new: MonotonicTime) {
    time.store(max(now.nanoseconds, new.nanoseconds), ordering: .sequentiallyConsistent)
  }

  /// Blocks the calling thread until the clock is advanced to `deadline`.
  package func wait(until deadline: MonotonicTime) {
    let queue = Self.presentQueue
    condition.withLock {
      guard now < deadline else { return }
      state.lastWait += 1
      let id = state.lastWait
      state.waits[id] = (deadline, queue)
      condition.broadcast()
      while state.waits[id] != nil { condition.wait() }
    }
  }

  package func sleep(until deadline: MonotonicTime, tolerance: Duration?) async throws {
    while now < deadline { try await Task.sleep(for: .milliseconds(1)) }
  }

  // MARK: Timers

  package func makeTimer(on queue: DispatchQueue) -> any RepeatingTimer {
    VirtualTimer(clock: self, queue: queue)
  }

  fileprivate func start(
    _ interval: Duration, on queue: DispatchQueue, _ tick: @escaping @Sendable () -> Void
  ) -> Int {
    condition.withLock {
      state.lastTimer += 1
      state.timers[state.lastTimer] = Timer(
        schedule: TickSchedule(start: now, interval: interval), queue: queue, tick: tick)
      return state.lastTimer
    }
  }

  /// Runs `body` on the main queue after `delay`.
  private func run(after delay: Duration, _ body: @escaping @Sendable () -> Void) {
    guard delay > .zero else { return enqueue(.main, nil, body) }
    let timer = VirtualTimer(clock: self, queue: .main)
    timer.start(every: delay) {
      timer.cancel()
      body()
    }
  }

  fileprivate func cancel(_ id: Int) -> TickSchedule? {
    condition.withLock { state.timers.removeValue(forKey: id)?.schedule }
  }

  fileprivate func schedule(_ id: Int) -> TickSchedule? { condition.withLock { state.timers[id]?.schedule } }
}

/// A timer of a virtual clock.
private final class VirtualTimer: RepeatingTimer {
  private let clock: VirtualClock
  private let queue: DispatchQueue
  private let state = Mutex((id: Int?.none, last: TickSchedule?.none))

  init(clock: VirtualClock, queue: DispatchQueue) {
    self.clock = clock
    self.queue = queue
  }

  deinit { cancel() }

  func start(every interval: Duration, _ tick: @escaping @Sendable () -> Void) {
    cancel()
    let id = clock.start(interval, on: queue, tick)
    state.withLock { $0.id = id }
  }

  func cancel() {
    state.withLock { state in
      guard let id = state.id else { return }
      state = (nil, clock.cancel(id))
    }
  }

  var schedule: TickSchedule? { state.withLock { state in state.id.flatMap(clock.schedule) ?? state.last } }
}

extension DispatchQueue {
  private static let mainKey: DispatchSpecificKey<Bool> = {
    let key = DispatchSpecificKey<Bool>()
    main.setSpecific(key: key, value: true)
    return key
  }()

  /// Whether this is the main queue. `DispatchQueue.main` may return a different object at each call.
  fileprivate var isMain: Bool { getSpecific(key: Self.mainKey) == true }
}
