import Causes
import TestSupport

@testable import EmulatedSystem

@Suite struct CallWatchdogTests {
  /// The inputs of the watch, and a record of its reports.
  private final class Rig: Sendable {
    let clock = TestClock()
    let call = Mutex<OpenCall?>(OpenCall(id: 1, name: "broadcastFinished", thread: 1))
    let work = Mutex(HandlerWork.Second(runTime: .zero, isBusy: false))
    let hasLimit = Atomic(false)
    let runTime = Mutex(Duration.seconds(40))
    let stacks = Recorder<Int32>()
    let events = Recorder<CallEvent>()

    /// Runs the checks of `seconds` seconds, a hundred per second.
    func watch(for seconds: Int, _ watch: CallWatchdog) {
      for _ in 0..<(100 * seconds) {
        clock.advance(by: .milliseconds(10))
        watch.check()
      }
    }

    func makeWatch() -> CallWatchdog {
      let watch = CallWatchdog(clock: clock) { [self] in
        call.withLock(\.self)
      } work: { [self] in
        work.withLock(\.self)
      } hasLimit: { [self] _ in
        hasLimit.load(ordering: .relaxed)
      } stack: { [self] call in
        stacks.add(call.thread)
        return ["Handler.broadcastFinished", "wait"]
      } cpuTime: { [self] _ in
        runTime.withLock(\.self)
      } report: { [self] in
        events.add($0)
      }
      watch.check()
      return watch
    }

    var lines: [String] { events.values.map { "\(Int($0.openSeconds)) \($0.isBlocked)" } }
  }

  private let rig = Rig()

  @Test func aCallForWhichNothingWorksIsBlockedAfterFiveSeconds() throws {
    let watch = rig.makeWatch()
    rig.watch(for: 11, watch)
    #expect(rig.lines == ["1 false", "5 true", "10 true"])
    #expect(!rig.events.values.contains { $0.works })
    #expect(rig.events.values.map(\.stack?.count) == [nil, 2, 2] && rig.stacks.values == [1])
    #expect(
      try #require(rig.events.values.last).text
        == "broadcastFinished has not returned for 10 s: it waits in Handler.broadcastFinished -> wait.")
  }

  @Test func aCallForWhichAThreadRunsIsNotBlocked() {
    let watch = rig.makeWatch()
    rig.work.withLock { $0.runTime = .milliseconds(6) }
    rig.watch(for: 11, watch)
    #expect(rig.lines == ["1 false", "5 false", "10 false"] && rig.events.values.allSatisfy { $0.works })
    #expect(rig.events.values[1].text == "broadcastFinished has not returned for 5 s, and still works.")
    // At 12 s the last four seconds contain the work of only two seconds (12 ms), so the call counts as blocked.
    rig.work.withLock { $0.runTime = .zero }
    rig.watch(for: 5, watch)
    #expect(rig.lines.dropFirst(3) == ["12 true", "15 true"])
  }

  /// Other work on the main thread may wait for it. A thread that has no CPU time is not blocked.
  @Test(arguments: [true, false]) func theMainThreadMayNotComputeForTwoSecondsOfItsTime(isMain: Bool) throws {
    rig.call.withLock { $0?.isOfMainThread = isMain }
    rig.work.withLock { $0 = HandlerWork.Second(runTime: .milliseconds(900), isBusy: true) }
    let watch = rig.makeWatch()
    rig.watch(for: 6, watch)
    rig.runTime.withLock { $0 += .seconds(1.9) }
    rig.watch(for: 4, watch)
    #expect(rig.lines == ["1 false", "5 false", "10 false"])
    rig.runTime.withLock { $0 += .seconds(0.2) }
    rig.watch(for: 2, watch)
    #expect(rig.lines.dropFirst(3) == (isMain ? ["11 true"] : []))
    let end = isMain ? ": it computes in Handler.broadcastFinished -> wait." : ", and still works."
    #expect(try #require(rig.events.values.last).text.hasSuffix(end))
  }

  @Test func aThreadThatWantsToRunAllTheTimeIsNotBlocked() {
    let watch = rig.makeWatch()
    rig.work.withLock { $0.isBusy = true }
    rig.watch(for: 5, watch)
    #expect(rig.lines == ["1 false", "5 false"])
  }

  @Test(arguments: [("broadcastStarted", "5 false"), ("broadcastFinished", "5 true")])
  func aWaitWithALimitIsNotBlockedBeforeTheEnd(call: String, line: String) {
    rig.call.withLock { $0?.name = call }
    rig.hasLimit.store(true, ordering: .relaxed)
    rig.watch(for: 6, rig.makeWatch())
    #expect(rig.lines == ["1 false", line])
  }

  @Test func aWaitWithALimitMayBeFollowedByOneWithout() {
    rig.call.withLock { $0?.name = "broadcastStarted" }
    let watch = rig.makeWatch()
    rig.hasLimit.store(true, ordering: .relaxed)
    rig.watch(for: 11, watch)
    #expect(rig.lines == ["1 false", "5 false", "10 false"])
    rig.hasLimit.store(false, ordering: .relaxed)
    rig.watch(for: 1, watch)
    #expect(rig.lines.last == "12 true")
  }

  /// The waits, whether each has a timeout, and the call that a signal would interrupt with an error.
  static let waits: [(name: String, hasLimit: Bool, call: String?)] = [
    ("semaphore", false, nil), ("semaphore, limited", true, nil), ("recv", false, nil),
    ("recv, limited", true, "recv"), ("poll", false, "poll"), ("poll, limited", true, "poll"),
    ("select, limited", true, "select"), ("sleep", false, "sleep"), ("sleep, limited", true, "sleep"),
    ("run loop", true, "RunLoop.run"),
  ]

  @Test(arguments: 0..<10) func theSystemSaysHowAThreadWaits(_ index: Int) async {
    let (name, hasLimit, call) = Self.waits[index]
    var sockets: [Int32] = [0, 0]
    // UNSAFE: the call fills both numbers.
    unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &sockets)
    let (semaphore, socket, other) = (DispatchSemaphore(value: 0), sockets[0], sockets[1])
    let numbers = AsyncStream.makeStream(of: Int32.self)
    let hasEnded = Atomic(false)
    Thread.detachNewThread {
      numbers.continuation.yield(CallStack.currentThread)
      Self.wait(name, semaphore, socket)
      hasEnded.store(true, ordering: .relaxed)
    }
    let thread = await numbers.stream.first { _ in true } ?? 0
    let isThere = await eventually {
      let wait = CallStack.wait(of: thread)
      return Thread.isWaiting("\(thread)") && wait.hasLimit == hasLimit && wait.call == call
    }
    #expect(isThere, "\(name): \(CallStack.wait(of: thread))")
    if let call {
      let functions = CallStack.functions(of: thread)
      #expect(functions.last == call)
      // A sleep that is one of many may be between two others. Foundation's run loop hides who runs it.
      if !hasEnded.load(ordering: .relaxed), !["sleep, limited", "run loop"].contains(name) {
        #expect(functions.contains("CallWatchdogTests.wait"), "\(functions)")
      }
    }
    let stillWaits = await eventually { Thread.isWaiting("\(thread)") }
    #expect(stillWaits && !hasEnded.load(ordering: .relaxed))
    semaphore.signal()
    close(other)
  }

  private static func wait(_ name: String, _ semaphore: DispatchSemaphore, _ socket: Int32) {
    let isLimited = name.hasSuffix("limited")
    // While all other tests run, it may take a minute until the test observes the wait.
    let seconds = 600
    var (limit, byte) = (timeval(tv_sec: seconds, tv_usec: 0), UInt8(0))
    // UNSAFE: the calls read and fill local variables.
    switch name.prefix(4) {
    case "sema":
      if isLimited { _ = semaphore.wait(timeout: .now() + .seconds(seconds)) } else { semaphore.wait() }
    case "recv":
      let size = socklen_t(MemoryLayout<timeval>.size)
      if isLimited { unsafe setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, size) }
      _ = unsafe recv(socket, &byte, 1, 0)
    case "poll":
      var entry = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
      _ = unsafe poll(&entry, 1, isLimited ? Int32(seconds) * 1000 : -1)
    case "sele": _ = unsafe select(0, nil, nil, nil, &limit)
    case "slee":
      for _ in 1...(isLimited ? 200 : 1) { Thread.sleep(forTimeInterval: isLimited ? 3 : Double(seconds)) }
    default:
      let timer = Timer.scheduledTimer(withTimeInterval: Double(seconds), repeats: true) { _ in }
      RunLoop.current.run(until: Date(timeIntervalSinceNow: Double(seconds)))
      timer.invalidate()
    }
  }

  @Test func theTimeInWhichTheProcessWasStoppedDoesNotCount() {
    let watch = rig.makeWatch()
    rig.watch(for: 2, watch)
    rig.clock.advance(by: .seconds(6))
    rig.watch(for: 2, watch)
    #expect(rig.lines == ["1 false"])
  }

  @Test func anotherCallBeginsAnew() {
    let watch = rig.makeWatch()
    rig.watch(for: 4, watch)
    rig.call.withLock { $0?.id = 2 }
    rig.watch(for: 4, watch)
    rig.call.withLock { $0 = nil }
    rig.watch(for: 9, watch)
    #expect(rig.lines == ["1 false", "1 false"])
  }

  @Test func theTimeThatAPersonAskedForIsNoHang() {
    let watch = rig.makeWatch()
    rig.call.withLock { $0?.delay = .seconds(20) }
    rig.watch(for: 24, watch)
    #expect(rig.lines == ["1 false", "5 false", "10 false", "15 false", "20 false"])
    rig.watch(for: 2, watch)
    #expect(rig.lines.last == "25 true")
  }
}
