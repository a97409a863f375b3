import Dispatch
import Foundation
import Platform
import ScreenBroadcast
import SharedMemory
import TestSupport
import Testing

@Suite struct KeyValueFileSignalTests {
  /// A clock of a test, at which a timer looks each millisecond.
  private struct CheckedClock: MonotonicClock {
    let time = TestClock()
    var now: MonotonicTime { time.now }
    var minimumResolution: Duration { time.minimumResolution }
    func wait(until deadline: MonotonicTime) { time.wait(until: deadline) }
    func sleep(until deadline: MonotonicTime, tolerance: Duration?) async throws {
      try await time.sleep(until: deadline, tolerance: tolerance)
    }
    func systemTime(of deadline: MonotonicTime) -> MonotonicTime { SystemClock().now + .milliseconds(1) }
  }

  private let home = TestContainer()
  private var container: AppGroupContainer { home.container }
  private let queue = DispatchQueue(label: "signal")

  @Test func aChangeIsReportedLongBeforeThePoll() throws {
    let observer = StatusObserver()
    let manager = BroadcastStatusManagerImpl(
      defaults: KeyValueFile(container: container),
      timer: KeyValueFileSignal(container: container, queue: queue), interval: .seconds(3600))
    manager.subscribe(observer)
    let other = BroadcastStatusManagerImpl(defaults: KeyValueFile(container: container), timer: ManualTimer())
    for count in 1...6 {
      if count % 2 == 1 { try other.start() } else { try other.stop() }
      #expect(holds { observer.changes.values.count == count })
    }
    manager.unsubscribe()
    try other.start()
    // A call after the cancel would have run on the same queue by now.
    queue.sync {}
    #expect(observer.changes.values.count == 6)
  }

  @Test func aProgramThatWritesInPlaceIsHeardTooAndSoIsTheEndOfTheFile() throws {
    let watch = try FileWatch(path: container.preferencesFile)
    #expect(!watch.takeChanges())
    let url = URL(fileURLWithPath: container.preferencesFile)
    try Data("<plist/>".utf8).write(to: url)
    #expect(holds { watch.takeChanges() })
    #expect(!watch.takeChanges())
    try Data("other".utf8).write(to: URL(fileURLWithPath: container.preferencesFolder + "/other"))
    #expect(!watch.takeChanges())
    try FileManager.default.removeItem(at: url)
    #expect(holds { watch.takeChanges() })
  }

  @Test func thePollContinues() throws {
    let ticks = Recorder<Bool>()
    let signal = KeyValueFileSignal(container: container, queue: queue)
    signal.start(every: .milliseconds(1)) { ticks.add(true) }
    #expect(holds { ticks.values.count >= 3 })
    signal.cancel()
  }

  @Test func aMissingFolderIsPolled() throws {
    let ticks = Recorder<Bool>()
    let missing = try AppGroupContainer(root: home.folder("missing"), group: AppGroupContainer.testGroup)
    let signal = KeyValueFileSignal(container: missing, queue: queue)
    signal.start(every: .milliseconds(1)) { ticks.add(true) }
    #expect(holds { ticks.values.count >= 3 })
    signal.cancel()
  }

  @Test func aFolderThatAppearsLaterIsWatchedFromTheNextPollOn() throws {
    let late = try AppGroupContainer(root: home.folder("late"), group: AppGroupContainer.testGroup)
    let (clock, ticks) = (CheckedClock(), Recorder<Bool>())
    let signal = KeyValueFileSignal(container: late, queue: queue, clock: clock)
    signal.start(every: .seconds(3600)) { ticks.add(true) }
    // Twice: a folder that is removed ends its watch.
    for earlier in [0, 3] {
      try late.prepare()
      clock.time.advance(by: .seconds(3600))
      #expect(holds { ticks.values.count == earlier + 1 })
      try Data("<plist/>".utf8).write(to: URL(fileURLWithPath: late.preferencesFile))
      #expect(holds { ticks.values.count == earlier + 2 })
      try FileManager.default.removeItem(atPath: late.preferencesFolder)
      #expect(holds { ticks.values.count == earlier + 3 })
    }
    signal.cancel()
  }

  @Test func startsAndCancelsOnTwoThreadsLeaveNothingBehind() throws {
    let signal = KeyValueFileSignal(container: container, queue: queue)
    let ticks = Recorder<Bool>()
    DispatchQueue.concurrentPerform(iterations: 2) { thread in
      for _ in 0..<50 {
        if thread == 0 { signal.start(every: .seconds(3600)) { ticks.add(true) } } else { signal.cancel() }
      }
    }
    signal.cancel()
    let watch = try FileWatch(path: container.preferencesFile)
    try Data("<plist/>".utf8).write(to: URL(fileURLWithPath: container.preferencesFile))
    #expect(holds { watch.takeChanges() })
    // A call for the same change would have run on the queue by now.
    queue.sync {}
    #expect(ticks.values.isEmpty)
  }
}
