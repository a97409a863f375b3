import CPhone
import Causes
import Dispatch
import Foundation
import Platform
import Synchronization
import TestSupport
import Testing

@testable import EmulatedSystem

@Suite struct CallWatchTests {
  /// What the watch asks, and what it reports.
  private final class Rig: Sendable {
    let clock = TestClock()
    let call = Mutex<OpenCall?>(OpenCall(id: 1, name: "broadcastFinished", thread: 1))
    let work = Mutex(HandlerWork.Second(runTime: .zero, isBusy: false))
    let hasLimit = Atomic(false)
    let stacks = Recorder<Int32>()
    let events = Recorder<CallEvent>()

    /// Checks a hundred times a second for a time.
    func watch(for seconds: Int, _ watch: CallWatch) {
      for _ in 0..<(100 * seconds) {
        clock.advance(by: .milliseconds(10))
        watch.check()
      }
    }

    func makeWatch() -> CallWatch {
      let watch = CallWatch(clock: clock) { [self] in
        call.withLock(\.self)
      } work: { [self] in
        work.withLock(\.self)
      } hasLimit: { [self] _ in
        hasLimit.load(ordering: .relaxed)
      } stack: { [self] call in
        stacks.add(call.thread)
        return ["Handler.broadcastFinished", "wait"]
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
    // The last four seconds have work of two then: 12 ms.
    rig.work.withLock { $0.runTime = .zero }
    rig.watch(for: 5, watch)
    #expect(rig.lines.dropFirst(3) == ["12 true", "15 true"])
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

  @Test(arguments: [true, false]) func theSystemSaysWhetherAWaitHasALimit(_ hasLimit: Bool) async {
    @Sendable func isWaiting(_ thread: Int32) -> Bool {
      // A thread without a file has ended.
      do { return try ProcessFiles.text("/proc/self/task/\(thread)/stat").contains(") S ") } catch {
        return false
      }
    }
    let semaphore = DispatchSemaphore(value: 0)
    let numbers = AsyncStream.makeStream(of: Int32.self)
    Thread.detachNewThread {
      numbers.continuation.yield(thread_id())
      if hasLimit { _ = semaphore.wait(timeout: .now() + 60) } else { semaphore.wait() }
    }
    let thread = await numbers.stream.first { _ in true } ?? 0
    if hasLimit {
      #expect(await eventually { thread_waits_with_limit(thread) })
    } else {
      #expect(await eventually { isWaiting(thread) })
      #expect(!thread_waits_with_limit(thread))
    }
    semaphore.signal()
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
