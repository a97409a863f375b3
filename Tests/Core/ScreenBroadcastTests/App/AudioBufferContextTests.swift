import ReplayKit
import ScreenBroadcast
import SharedMemory
import TestSupport

private final class AudioObserver: AudioBufferContextSubscriber {
  let audio = Recorder<BroadcastAudio>()
  let failures = Recorder<FileError>()

  var frames: [Range<Int>] { audio.values.map(\.frames) }

  func onAudio(_ audio: BroadcastAudio) { self.audio.add(audio) }
  func onAudioFailure(_ failure: FileError) { failures.add(failure) }
}

@Suite struct AudioBufferContextTests {
  private let home = TestContainer()
  private var container: AppGroupContainer { home.container }
  private let timer = ManualTimer()
  private let clock = TestClock(at: TestAudio.app.captureTime(0))
  private let context: AudioBufferContext
  private let observer = AudioObserver()

  init() {
    context = AudioBufferContext(container: home.container, stream: .app, pollTimer: timer, clock: clock)
    context.subscribe(observer)
  }

  /// Publishes audio and polls.
  private func hear(_ frames: Range<Int>, from ring: AudioRingWriter) throws {
    try TestAudio.app.publish(frames, to: ring)
    context.poll()
  }

  @Test func audioIsPolledAsOftenAsFrames() {
    #expect(timer.interval == BroadcastBufferContext.pollInterval)
    context.unsubscribe()
    #expect(timer.interval == nil)
  }

  @Test func withoutAudioNeitherAudioNorFailuresAreReported() {
    for _ in 0..<3 { timer.tick() }
    #expect(observer.frames == [] && observer.failures.values == [])
    #expect(context.statistics.polls == 3 && context.statistics.framesReceived == 0)
  }

  @Test func aLatePollCountsTheMissingFrames() throws {
    timer.tick()
    let ring = try container.makeAudioRing()
    for packet in 0..<200 { try TestAudio.app.publish(packet * 1024..<(packet + 1) * 1024, to: ring) }
    timer.tick()
    #expect(observer.frames == [72 * 1024..<200 * 1024])
    #expect(TestAudio.app.isRight(try #require(observer.audio.values.first)))
    let statistics = context.statistics
    #expect((statistics.polls, statistics.framesReceived) == (2, 128 * 1024))
    #expect((statistics.gaps, statistics.framesLost) == (1, 72 * 1024))
  }

  @Test func bothStreamsAreReadIndependently() throws {
    let microphone = AudioObserver()
    let other = AudioBufferContext(container: container, stream: .microphone, pollTimer: ManualTimer())
    other.subscribe(microphone)
    let rings = [
      try container.makeAudioRing(), try container.makeAudioRing(.microphone, stream: .microphone),
    ]
    try TestAudio.app.publish(0..<1024, to: rings[0])
    try TestAudio.microphone.publish(0..<480, to: rings[1])
    for context in [context, other] { context.poll() }
    #expect(observer.frames == [0..<1024] && microphone.frames == [0..<480])
    #expect(TestAudio.app.isRight(try #require(observer.audio.values.first)))
    let heard = try #require(microphone.audio.values.first)
    #expect(TestAudio.microphone.isRight(heard) && heard.stream == .microphone)
  }

  @Test func aNewSessionIsPickedUpFromItsStart() throws {
    for session in 1...3 as ClosedRange<UInt64> {
      let ring = try container.makeAudioRing(session: session)
      for packet in 0..<2 { try hear(packet * 100..<(packet + 1) * 100, from: ring) }
      if session == 2 { try ring.finish() }
    }
    #expect(observer.frames == Array(repeating: [0..<100, 100..<200], count: 3).flatMap { $0 })
    #expect(observer.audio.values.map(\.session) == [1, 1, 2, 2, 3, 3])
    #expect(context.statistics.gaps == 0)
  }

  @Test func audioThatWasNotReadOfAnEarlierBroadcastIsNotReported() throws {
    var ring = try container.makeAudioRing()
    try hear(0..<100, from: ring)
    // The app has seen the flag go off; the extension sees it later.
    context.unsubscribe()
    try TestAudio.app.publish(100..<200, to: ring)
    try ring.finish()
    context.subscribe(observer)
    context.poll()
    #expect(observer.frames == [0..<100])
    ring = try container.makeAudioRing(session: 8)
    try hear(0..<50, from: ring)
    // The app has not seen the end.
    try TestAudio.app.publish(50..<150, to: ring)
    try ring.finish()
    ring = try container.makeAudioRing(session: 9)
    context.poll()
    try hear(0..<80, from: ring)
    #expect(observer.frames == [0..<100, 0..<50, 0..<80])
    try TestAudio.app.publish(80..<180, to: ring)
    try ring.finish()
    clock.advance(by: BroadcastBufferContext.staleAge + .seconds(180 / 44_100.0) + .nanoseconds(100))
    context.poll()
    #expect(observer.frames == [0..<100, 0..<50, 0..<80])
  }

  /// `lock` is the content of the lock file: the ID of a crashed process, or of a process that started another broadcast.
  @Test(arguments: ["4194303\n", "1\n"]) func orphanedDataIsNotReported(lock: String) throws {
    let ring = try container.makeAudioRing()
    try hear(0..<100, from: ring)
    try TestAudio.app.publish(100..<200, to: ring)
    try PlainFile.replace(container.producerLockFile, with: Array(lock.utf8))
    for _ in 0..<3 { context.poll() }
    #expect(observer.frames == [0..<100] && observer.failures.values == [])
    #expect(context.statistics.framesReceived == 100)
    try PlainFile.remove(container.producerLockFile)
    let next = try container.makeAudioRing(session: 8)
    try hear(0..<50, from: next)
    #expect(observer.frames == [0..<100, 0..<50])
  }

  @Test func aNewSubscriberGetsTheLastSecond() throws {
    let ring = try container.makeAudioRing()
    for packet in 0..<100 { try TestAudio.app.publish(packet * 1000..<(packet + 1) * 1000, to: ring) }
    context.poll()
    #expect(observer.frames == [56_000..<100_000])
    context.unsubscribe()
    for packet in 100..<300 { try TestAudio.app.publish(packet * 1000..<(packet + 1) * 1000, to: ring) }
    context.subscribe(observer)
    context.poll()
    #expect(observer.frames.last == 256_000..<300_000)
    #expect(context.statistics.gaps == 0 && context.statistics.framesLost == 0)
  }

  @Test func anUnreadableFileIsReportedOnceAndItsSuccessorIsRead() throws {
    let path = container.audioFile(for: .app)
    try PlainFile.replace(path, with: Array(repeating: 1, count: 5000))
    for _ in 0..<3 { context.poll() }
    #expect(observer.failures.values == [FileError(.notARing("an audio ring"), path)])
    #expect(observer.failures.values[0].code == EINVAL)
    let ring = try container.makeAudioRing()
    try hear(0..<100, from: ring)
    #expect(observer.frames == [0..<100])
  }

  @Test func aTruncatedFileIsReportedOnceAndTheFramesLostWithItAreCounted() throws {
    let path = container.audioFile(for: .app)
    let ring = try container.makeAudioRing()
    try hear(0..<100, from: ring)
    try TestAudio.app.publish(100..<200, to: ring)
    setSize(of: path, to: 4096)  // Removes the packet that was not read yet.
    context.poll()
    #expect(observer.failures.values == [FileError(.cutShort, path)])
    for packet in 2..<4 { try hear(packet * 100..<(packet + 1) * 100, from: ring) }
    #expect(observer.frames == [0..<100, 200..<300, 300..<400])
    #expect(context.statistics.gaps == 1 && context.statistics.framesLost == 100)
  }

  @Test func theSubscriberIsHeldWeakly() throws {
    let ring = try container.makeAudioRing()
    do { context.subscribe(AudioObserver()) }
    try TestAudio.app.publish(0..<100, to: ring)
    timer.tick()
    #expect(observer.frames == [] && context.statistics.framesReceived == 100)
  }
}
