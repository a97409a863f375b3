import ScreenBroadcast
import SharedMemory
import TestSupport

@Suite struct BroadcastCrashDetectorTests {
  private let home = TestContainer()
  private var container: AppGroupContainer { home.container }
  private let status: BroadcastStatusManagerImpl
  private let timer = ManualTimer()
  private let observer = CrashObserver()
  private let detector: BroadcastCrashDetector
  private let pid = getpid()

  init() {
    status = BroadcastStatusManagerImpl(
      defaults: KeyValueFile(container: home.container), timer: ManualTimer())
    detector = BroadcastCrashDetector(container: home.container, status: status, timer: timer)
  }

  /// Simulates a producer that crashes: the lock is dropped without a release.
  private func die() throws { _ = try ProcessLock(path: container.producerLockFile) }

  @Test func flagAndLockTogetherGiveTheVerdict() throws {
    #expect(try detector.verdict() == .inactive)
    try status.start()
    #expect(try detector.verdict() == .unclaimed)
    let lock = try ProcessLock(path: container.producerLockFile)
    #expect(try detector.verdict() == .active(pid: pid))
    try status.stop()
    #expect(try detector.verdict() == .changing(pid: pid))
    try lock.release()
    #expect(try detector.verdict() == .inactive)
    try die()
    #expect(try detector.verdict() == .inactive)
    try status.start()
    #expect(try detector.verdict() == .crashed(pid: pid))
  }

  @Test func aCrashIsReportedOnce() throws {
    detector.subscribe(observer)
    timer.tick()
    #expect(observer.crashes.values == [])
    for crash in 1...2 {
      try status.start()
      do {
        let lock = try ProcessLock(path: container.producerLockFile)
        timer.tick()
        #expect(try ProcessLock.holder(at: container.producerLockFile) == .alive(pid: pid))
        withExtendedLifetime(lock) {}
      }
      for _ in 0..<3 { timer.tick() }
      #expect(observer.crashes.values.count == crash)
    }
    #expect(observer.crashes.values == [pid, pid])
  }

  @Test func startsAndStopsInOrderAreNeverTakenForACrash() throws {
    let (container, status) = (container, status)
    let isOver = Recorder<Bool>()
    Thread.detachNewThread {
      do {
        for _ in 0..<150 {
          let lock = try ProcessLock(path: container.producerLockFile)
          try status.start()
          try status.stop()
          try lock.release()
        }
      } catch {
        Issue.record(error)
      }
      isOver.add(true)
    }
    let verdicts = Recorder<BroadcastCrashDetector.Verdict>()
    #expect(
      try holds(within: .seconds(60)) {
        verdicts.add(try detector.verdict())
        return !isOver.values.isEmpty
      })
    #expect(!verdicts.values.contains { if case .crashed = $0 { true } else { false } })
  }

  @Test func itPollsAsOftenAsTheStatusIsPolled() {
    detector.subscribe(observer)
    #expect(timer.interval == .milliseconds(500))
    detector.unsubscribe()
    #expect(timer.interval == nil)
  }

  @Test func anUnreadableLockIsReportedOnceAndUntilItCanBeRead() throws {
    detector.subscribe(observer)
    try status.start()
    try makeFile(of: S_IFDIR, at: container.producerLockFile)
    for _ in 0..<3 { timer.tick() }
    #expect(observer.lockFailures.values == [FileError(.notAPlainFile, container.producerLockFile)])
    try FileManager.default.removeItem(atPath: container.producerLockFile)
    for _ in 0..<3 { timer.tick() }
    #expect(observer.lockFailures.values == [FileError(.notAPlainFile, container.producerLockFile), nil])
  }

  @Test func anUnreadableFlagGivesNoVerdict() throws {
    detector.subscribe(observer)
    try die()
    try PlainFile.replace(container.preferencesFile, with: Array("rubbish".utf8))
    timer.tick()
    #expect(observer.crashes.values == [])
    #expect(throws: FileError(.notAPropertyList, container.preferencesFile)) { try detector.verdict() }
  }
}
