import PixelAccess
import ReplayKit
import ScreenBroadcast
import SharedMemory
import TestSupport

@Suite struct BroadcastBufferContextTests {
  private let home = TestContainer()
  private var container: AppGroupContainer { home.container }
  private let timer = ManualTimer()
  private let context: BroadcastBufferContext
  private let observer = FrameObserver()

  init() {
    context = BroadcastBufferContext(
      container: home.container, framePollTimer: timer, clock: TestClock(at: 6))
    context.subscribe(observer)
  }

  /// Publishes a frame and polls.
  private func deliver(_ picture: CVPixelBuffer? = nil, to ring: FrameRingWriter) throws {
    try ring.publish(try picture ?? makePicture())
    context.poll()
  }

  private func polledRing() throws -> FrameRingWriter {
    let ring = try container.makeRing()
    try deliver(to: ring)
    return ring
  }

  @Test func framesArePolledThirtyTimesPerSecond() {
    #expect(timer.interval == .seconds(1) / 30)
    context.unsubscribe()
    #expect(timer.interval == nil)
  }

  @Test func withoutABroadcastNeitherFramesNorFailuresAreReported() {
    for _ in 0..<3 { timer.tick() }
    #expect(observer.numbers == [] && observer.failures.values == [])
    #expect(context.session == nil && context.statistics.polls == 3)
  }

  @Test func aLoopGetsTheNewestFrameUntilItIsCancelled() async throws {
    let ring = try container.makeRing()
    let frames = context.frames
    for seed in UInt8(1)...3 { try deliver(try makePicture(seed: seed), to: ring) }
    var iterator = frames.makeAsyncIterator()
    #expect(await iterator.next()?.id.number == 3 && observer.numbers == [])
    try deliver(to: ring)
    #expect(await iterator.next()?.id.number == 4 && timer.interval != nil)
    let loop = Task { [frames = context.frames] in for await _ in frames {} }
    loop.cancel()
    await loop.value
    #expect(timer.interval == nil)
  }

  @Test func theEndOfALoopDoesNotStopALaterSubscriber() async {
    let loop = Task { [frames = context.frames] in for await _ in frames {} }
    context.subscribe(observer)
    loop.cancel()
    await loop.value
    #expect(timer.interval != nil)
  }

  @Test func aFrameIsReportedOnceWithItsPixelsAndStamp() throws {
    let ring = try container.makeRing()
    let picture = try makePicture(seed: 3)
    context.poll()
    let stamp = try ring.publish(picture, orientation: 6)
    for _ in 0..<3 { context.poll() }
    let frame = try #require(observer.frames.values.first)
    #expect(observer.numbers == [1])
    #expect(pixels(of: frame.pixelBuffer) == pixels(of: picture))
    #expect(
      (frame.orientation, frame.captureTime, frame.publishTime)
        == (.right, stamp.captureTime, stamp.publishTime))
    #expect(frame.id.session == ring.session.id && frame.id.number == 1)
  }

  /// `lock` is the content of the lock file: the ID of a crashed process, or of a process that started another broadcast.
  @Test(arguments: ["4194303\n", "1\n"]) func orphanedDataIsNotReported(lock: String) throws {
    let ring = try container.makeRing()
    try ring.publish(try makePicture(), orientation: 1)
    try PlainFile.replace(container.producerLockFile, with: Array(lock.utf8))
    for _ in 0..<3 { context.poll() }
    #expect(observer.numbers == [] && observer.failures.values == [])
    #expect(context.statistics.framesDelivered == 0)
  }

  @Test func anOrphanedLargerFileIsNotReported() throws {
    let ring = try polledRing()
    try ring.publish(try makePicture())
    try ring.publish(try makePicture(width: 160, height: 120))
    try PlainFile.replace(container.producerLockFile, with: Array("4194303\n".utf8))
    for _ in 0..<3 { context.poll() }
    #expect(observer.numbers == [1])
  }

  @Test func theLockFileIsOpenedForTheFirstFrameAndAfterTheLockIsFree() throws {
    let lock = try ProcessLock(path: container.producerLockFile)
    let context = BroadcastBufferContext(container: container, framePollTimer: ManualTimer())
    context.subscribe(observer)
    let (ring, picture) = (try container.makeRing(), try makePicture())
    func deliver() throws {
      try ring.publish(picture)
      context.poll()
    }
    try deliver()
    // From now on every attempt to open the lock file fails.
    try FileManager.default.removeItem(atPath: container.producerLockFile)
    try makeFile(of: S_IFDIR, at: container.producerLockFile)
    for _ in 0..<3 { try deliver() }
    #expect(observer.numbers == [1, 2, 3, 4] && observer.failures.values == [])
    try lock.release()
    try deliver()
    #expect(observer.numbers == [1, 2, 3, 4] && observer.failures.values.count == 1)
  }

  /// `age` is the age of a frame that an extension published just before it crashed.
  @Test(arguments: [
    (Duration.zero, true), (.microseconds(500), true), (.microseconds(501), false), (.nanoseconds(-1), false),
  ]) func onlyAnAppThatWasJustWokenDoesWithoutTheCheckOfTheExtension(age: Duration, isReported: Bool) throws {
    for isWoken in [true, false] {
      var lock: ProcessLock? = try ProcessLock(path: container.producerLockFile)
      let ring = try container.makeRing()
      let context = BroadcastBufferContext(
        container: container, framePollTimer: timer, isWoken: isWoken, clock: TestClock(at: 1_000_000 + age))
      let published = TestClock(at: 1_000_000)
      try ring.publish(try makePicture(), clock: published)
      context.poll()
      #expect(context.statistics.framesDelivered == 1 && lock != nil)
      try ring.publish(try makePicture(), clock: published)
      // The extension crashes.
      lock = nil
      context.poll()
      #expect(context.statistics.framesDelivered == (isWoken && isReported ? 2 : 1))
      // The first frame of a file is checked at any age, because the app may have been launched after the crash.
      let later = BroadcastBufferContext(
        container: container, framePollTimer: timer, isWoken: isWoken, clock: TestClock(at: 1_000_000 + age))
      later.poll()
      #expect(later.statistics.framesDelivered == 0)
    }
  }

  @Test func anOrphanedRingIsNotReportedWhileTheNextExtensionTakesTheLock() throws {
    let ring = try container.makeRing()
    try ring.publish(try makePicture(), orientation: 1)
    let next = try ProcessLock(path: container.producerLockFile, processID: 4711)
    // Before the next extension writes its ID, the file has the ID of the crashed extension, or nothing.
    for id in ["\(getpid())\n", ""] {
      try Data(id.utf8).write(to: URL(filePath: container.producerLockFile))
      for _ in 0..<3 { context.poll() }
      #expect(observer.numbers == [], "\(id)")
    }
    try next.release()
  }

  @Test func anOrphanedRingIsNotReportedAfterTheNextExtensionHasEnded() throws {
    var lock: ProcessLock? = try ProcessLock(path: container.producerLockFile)
    let ring = try polledRing()
    try ring.publish(try makePicture())
    #expect(lock != nil)
    // The extension crashes; the next one starts and ends before the app polls.
    lock = nil
    let next = try ProcessLock(path: container.producerLockFile)
    try container.makeRing().finish()
    try next.release()
    context.poll()
    #expect(observer.numbers == [1])
  }

  @Test func aFrameThatWasNotReadOfAnEarlierBroadcastIsNotReported() throws {
    for hasNext in [true, false] {
      let ring = try container.makeRing()
      try deliver(to: ring)
      // The app has seen the flag go off; the extension sees it later.
      context.unsubscribe()
      try ring.publish(try makePicture())
      try ring.finish()
      let next = hasNext ? try container.makeRing() : nil
      context.subscribe(observer)
      context.poll()
      #expect(context.session?.id == next?.session.id)
      try next?.publish(try makePicture())
      context.poll()
      #expect(observer.frames.values.last?.id.session == (next ?? ring).session.id)
    }
    #expect(observer.numbers == [1, 1, 1])
  }

  @Test func aFrameOfAFinishedSessionIsNotReportedWhenAnotherOneHasBegun() throws {
    let ring = try container.makeRing()
    context.poll()
    try ring.publish(try makePicture())
    try ring.finish()
    let next = try container.makeRing()
    context.poll()
    try deliver(to: next)
    #expect(observer.frames.values.map(\.id.session) == [next.session.id])
  }

  @Test(arguments: [BroadcastBufferContext.staleAge, BroadcastBufferContext.staleAge + .nanoseconds(1)])
  func aFrameOfAFinishedSessionIsReportedWhileTheAppMayNotHaveSeenTheEnd(age: Duration) throws {
    for isFinished in [true, false] {
      let clock = TestClock(at: 6)
      let context = BroadcastBufferContext(container: container, framePollTimer: timer, clock: clock)
      let ring = try container.makeRing()
      context.poll()
      try ring.publish(try makePicture())
      if isFinished { try ring.finish() }
      clock.advance(by: age)
      context.poll()
      // In a running session an old frame is current, because the screen may not have changed.
      let isStale = isFinished && age > BroadcastBufferContext.staleAge
      #expect(context.statistics.framesDelivered == (isStale ? 0 : 1))
    }
  }

  @Test func anInvalidOrientationCountsAsUp() throws {
    let ring = try container.makeRing()
    for orientation in [0, 9, .max] as [UInt32] {
      try ring.publish(try makePicture(), orientation: orientation)
      context.poll()
    }
    #expect(observer.frames.values.map(\.orientation) == [.up, .up, .up])
  }

  @Test func framesBetweenTwoPollsAreSkippedAndCounted() throws {
    let ring = try container.makeRing()
    let picture = try makePicture()
    for burst in [2, 1, 5] {
      for _ in 0..<burst { try ring.publish(picture) }
      context.poll()
    }
    #expect(observer.numbers == [2, 3, 8])
    let statistics = context.statistics
    #expect(statistics.framesDelivered == 3 && statistics.framesSkipped == 4)
    #expect(statistics.framesRepeated == 0 && statistics.readsOvertaken == 0 && statistics.polls == 3)
  }

  @Test func nothingIsRepeatedAfterTheWriterIsGone() throws {
    do {
      let ring = try container.makeRing()
      try ring.publish(try makePicture())
    }
    for _ in 0..<5 { context.poll() }
    #expect(observer.numbers == [1] && context.session?.state == .live)
    try FileManager.default.removeItem(atPath: container.framesFile)
    for _ in 0..<5 { context.poll() }
    #expect(observer.numbers == [1] && observer.failures.values == [])
  }

  @Test func theLastFrameOfAFinishedSessionIsReported() throws {
    let ring = try container.makeRing()
    context.poll()
    try ring.publish(try makePicture())
    try ring.finish(error: RingSessionError(domain: "d", code: 1, text: "t"))
    for _ in 0..<3 { context.poll() }
    let session = try #require(context.session)
    #expect((session.state, session.framesPublished, observer.numbers) == (.finished, 1, [1]))
    #expect(session.error == RingSessionError(domain: "d", code: 1, text: "t"))
  }

  @Test func aNewSessionIsPickedUp() throws {
    var ids: [UInt64] = []
    for _ in 0..<3 {
      let ring = try container.makeRing()
      ids.append(ring.session.id)
      for _ in 0..<2 { try deliver(to: ring) }
    }
    #expect(observer.numbers == [1, 2, 1, 2, 1, 2])
    #expect(observer.frames.values.map(\.id.session) == ids.flatMap { [$0, $0] })
    #expect(context.statistics.framesSkipped == 0 && context.statistics.framesRepeated == 0)
  }

  @Test func aFrameThatOutgrowsTheFileIsFollowed() throws {
    let ring = try container.makeRing(capacity: 1000)
    let sizes = [(8, 6), (100, 90), (8, 6), (150, 100)]
    for (width, height) in sizes { try deliver(try makePicture(width: width, height: height), to: ring) }
    #expect(observer.numbers == [1, 2, 3, 4])
    #expect(observer.frames.values.map { CVPixelBufferGetWidth($0.pixelBuffer) } == sizes.map(\.0))
    #expect(context.statistics.framesRepeated == 0)
  }

  @Test func aFrameThatIsNotAPixelBufferIsReportedOnceAndTheNextOneIsRead() throws {
    let ring = try polledRing()
    for _ in 0..<3 {
      try ring.publishRubbish()
      context.poll()
      context.poll()
    }
    #expect(observer.failures.values == [.frame(.unsupportedFormat(0xEEEE_EEEE))])
    #expect(context.session?.id == ring.session.id)
    try deliver(to: ring)
    #expect(observer.numbers == [1, 5])
    try ring.publishRubbish()
    context.poll()
    #expect(observer.failures.values.count == 2)
  }

  @Test func anUnreadableRingIsReportedOnceAndItsSuccessorIsRead() throws {
    try PlainFile.replace(container.framesFile, with: Array(repeating: 1, count: 5000))
    for _ in 0..<3 { context.poll() }
    #expect(observer.failures.values == [.file(FileError(.notARing("a frame ring"), container.framesFile))])
    #expect(context.session == nil)
    _ = try polledRing()
    #expect(observer.numbers == [1])
  }

  @Test func aTruncatedRingIsReportedAndNothingIsRepeated() throws {
    let ring = try polledRing()
    setSize(of: container.framesFile, to: 4096)
    try ring.publish(try makePicture())  // Into a new file.
    context.poll()
    for _ in 0..<3 { try deliver(to: ring) }
    #expect(observer.numbers.last == 5)
    #expect(
      observer.numbers == observer.numbers.sorted() && Set(observer.numbers).count == observer.numbers.count)
    #expect(context.statistics.framesRepeated == 0)
  }

  @Test func aRingOpenedAgainAfterDamageDoesNotRepeatItsNewestFrame() throws {
    let ring = try polledRing()
    let good = try PlainFile.read(container.framesFile, limit: 1 << 20)
    try PlainFile.replace(container.framesFile, with: Array(repeating: 1, count: 5000))
    context.poll()
    #expect(observer.failures.values.count == 1)
    try PlainFile.replace(container.framesFile, with: good)
    for _ in 0..<3 { context.poll() }
    #expect(observer.numbers == [1] && context.session?.id == ring.session.id)
  }

  @Test func theSubscriberIsHeldWeakly() throws {
    let ring = try container.makeRing()
    context.subscribe(FrameObserver())
    try ring.publish(try makePicture())
    timer.tick()
    #expect(observer.numbers == [] && context.statistics.framesDelivered == 1)
  }
}
