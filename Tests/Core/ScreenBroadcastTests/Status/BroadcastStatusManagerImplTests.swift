import ScreenBroadcast
import SharedMemory
import TestSupport

@Suite struct BroadcastStatusManagerImplTests {
  private let home = TestContainer()
  private var container: AppGroupContainer { home.container }
  private let timer = ManualTimer()
  private let app: BroadcastStatusManagerImpl
  private let other: BroadcastStatusManagerImpl
  private let observer = StatusObserver()

  init() {
    app = BroadcastStatusManagerImpl(defaults: KeyValueFile(container: home.container), timer: timer)
    other = BroadcastStatusManagerImpl(
      defaults: KeyValueFile(container: home.container), timer: ManualTimer())
  }

  @Test func startingAndStoppingSetTheFlagForBothSides() throws {
    #expect(try !app.status)
    try other.start()
    #expect(try app.status)
    try app.stop()
    #expect(try !other.status)
  }

  @Test(arguments: [false, true]) func theValueAtTheSubscriptionIsNotReported(value: Bool) throws {
    if value { try other.start() }
    app.subscribe(observer)
    #expect(app.lastStatus == value)
    for _ in 0..<3 { timer.tick() }
    #expect(observer.changes.values == [])
  }

  @Test func onlyAChangeIsReportedAndOnce() throws {
    app.subscribe(observer)
    try other.start()
    #expect(observer.changes.values == [])
    for _ in 0..<3 { timer.tick() }
    #expect(observer.changes.values == [true])
    try other.start()
    timer.tick()
    try other.stop()
    for _ in 0..<3 { timer.tick() }
    #expect(observer.changes.values == [true, false])
    // On and off between two polls is not a change.
    try other.start()
    try other.stop()
    timer.tick()
    #expect(observer.changes.values == [true, false])
  }

  @Test func twoPollsAtOnceReportNoChangeThatWasNotMade() throws {
    let (app, other) = (app, other)
    app.subscribe(observer)
    let isOver = Recorder<Bool>()
    let polling = DispatchGroup()
    for _ in 0..<2 {
      Thread.detach(in: polling) { while isOver.values.isEmpty { app.poll() } }
    }
    var toggles = 0
    for _ in 0..<200 {
      try other.start()
      try other.stop()
      toggles += 2
    }
    isOver.add(true)
    #expect(polling.wait(timeout: .now() + 60) == .success)
    #expect((1...toggles).contains(observer.changes.values.count))
  }

  @Test func theFlagIsPolledTwicePerSecond() {
    #expect(timer.interval == nil)
    app.subscribe(observer)
    #expect(timer.interval == .milliseconds(500))
    app.unsubscribe()
    #expect(timer.interval == nil)
  }

  @Test func theSubscriberIsHeldWeaklyAndIsTheOnlyOne() throws {
    let second = StatusObserver()
    weak var gone: StatusObserver?
    do {
      let first = StatusObserver()
      gone = first
      app.subscribe(first)
      app.subscribe(second)
      try other.start()
      timer.tick()
      #expect(first.changes.values == [])
    }
    #expect(gone == nil)
    #expect(second.changes.values == [true])
  }

  @Test func itPollsOnWithoutASubscriberAndKeepsNone() throws {
    weak var released: StatusObserver?
    do {
      let observer = StatusObserver()
      released = observer
      app.subscribe(observer)
    }
    #expect(released == nil)
    try other.start()
    timer.tick()
    #expect(app.lastStatus)
  }

  @Test func nothingIsReportedAfterUnsubscribing() throws {
    app.subscribe(observer)
    app.unsubscribe()
    try other.start()
    app.poll()
    #expect(observer.changes.values == [])
  }

  @Test func anUnreadableFileKeepsTheValueAndIsReportedOnce() throws {
    try other.start()
    app.subscribe(observer)
    try PlainFile.replace(container.preferencesFile, with: Array("rubbish".utf8))
    for _ in 0..<3 { timer.tick() }
    #expect(observer.changes.values == [] && observer.recoveries.values.isEmpty && app.lastStatus)
    #expect(observer.failures.values == [FileError(.notAPropertyList, container.preferencesFile)])
    try other.start()
    for _ in 0..<3 { timer.tick() }
    #expect(observer.changes.values == [] && observer.recoveries.values.count == 1)
    try PlainFile.replace(container.preferencesFile, with: [])
    timer.tick()
    #expect(observer.failures.values.count == 2)
  }

  @Test func aRemovedFileIsAFlagThatIsOff() throws {
    try other.start()
    app.subscribe(observer)
    try FileManager.default.removeItem(atPath: container.preferencesFile)
    timer.tick()
    #expect(observer.changes.values == [false] && observer.failures.values == [])
  }

  @Test func aReleasedManagerStopsItsTimer() throws {
    let timer = ManualTimer()
    do {
      let manager = BroadcastStatusManagerImpl(defaults: KeyValueFile(container: container), timer: timer)
      manager.subscribe(observer)
      #expect(timer.interval != nil)
    }
    #expect(timer.interval == nil)
  }
}
