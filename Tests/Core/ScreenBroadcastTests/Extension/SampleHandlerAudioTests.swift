import ReplayKit
import SharedMemory
import TestSupport

@testable import ScreenBroadcast

/// Tests the path of audio from the extension's handler to the app's contexts, in one process.
@Suite struct SampleHandlerAudioTests {
  private let folder = TemporaryFolder.ofSuite()
  private let container: AppGroupContainer
  private let reports = Recorder<String>()
  private let ends = Recorder<NSError>()
  private let observers = BroadcastAudioStream.allCases.map { _ in AudioRecorder() }
  private let contexts: [AudioBufferContext]

  private final class AudioRecorder: AudioBufferContextSubscriber {
    let audio = Recorder<BroadcastAudio>()
    func onAudio(_ audio: BroadcastAudio) { self.audio.add(audio) }
    func onAudioFailure(_ failure: FileError) { Issue.record(failure) }
  }

  init() throws {
    let container = try AppGroupContainer(in: folder)
    self.container = container
    contexts = BroadcastAudioStream.allCases.map { stream in
      AudioBufferContext(
        container: container, stream: stream, pollTimer: ManualTimer(),
        clock: TestClock(at: TestAudio.app.captureTime(0)))
    }
    for (context, observer) in zip(contexts, observers) { context.subscribe(observer) }
  }

  private func start(layout: BroadcastLayout = .ring) -> SampleHandler {
    let handler = SampleHandler(
      configuration: BroadcastConfiguration(
        container: container, screenWidth: 8, screenHeight: 6, layout: layout, statusTimer: ManualTimer(),
        report: { [reports] in reports.add($0) }))
    handler.onFinish { [ends] in if let error = $0 { ends.add(error as NSError) } }
    handler.broadcastStarted(withSetupInfo: nil)
    return handler
  }

  private func poll() { for context in contexts { context.poll() } }
  private var heard: [[BroadcastAudio]] { observers.map(\.audio.values) }
  private var files: [Bool] {
    BroadcastAudioStream.allCases.map { FileManager.default.fileExists(atPath: container.audioFile(for: $0)) }
  }

  @Test(arguments: [BroadcastLayout.ring, .article])
  func bothStreamsReachTheAppBesideTheFrames(layout: BroadcastLayout) throws {
    let handler = start(layout: layout)
    #expect(files == [false, false])
    handler.processSampleBuffer(try TestAudio.app.packet(0..<1024), with: .audioApp)
    #expect(files == [true, false])
    handler.processSampleBuffer(try TestAudio.microphone.packet(0..<960), with: .audioMic)
    handler.processSampleBuffer(try makeSample(try makePicture()), with: .video)
    handler.processSampleBuffer(try TestAudio.app.packet(1024..<2048), with: .audioApp)
    poll()
    #expect(heard.map { $0.map(\.frames) } == [[0..<2048], [0..<960]])
    #expect(TestAudio.app.isRight(heard[0][0]) && TestAudio.microphone.isRight(heard[1][0]))
    #expect(heard.map { $0[0].session } == [handler.session?.id, handler.session?.id])
    handler.processSampleBuffer(try TestAudio.app.packet(2048..<3072), with: .audioApp)
    handler.broadcastFinished()
    #expect(files == [false, false])
    poll()
    #expect(heard[0].last?.frames == 2048..<3072)
    #expect(reports.values == [] && ends.values == [])
  }

  @Test func aPauseShowsInTheTimesAndTheState() throws {
    let handler = start()
    handler.processSampleBuffer(try TestAudio.app.packet(0..<1024), with: .audioApp)
    handler.broadcastPaused()
    let reader = try AudioRingReader(path: container.audioFile(for: .app))
    #expect(reader.state == .paused)
    handler.processSampleBuffer(try TestAudio.microphone.packet(0..<960), with: .audioMic)
    #expect(try AudioRingReader(path: container.audioFile(for: .microphone)).state == .paused)
    handler.broadcastResumed()
    #expect(reader.state == .live)
    let late = CMTime(value: 3, timescale: 1)
    handler.processSampleBuffer(try TestAudio.app.packet(1024..<2048, late: late), with: .audioApp)
    poll()
    #expect(heard[0].map(\.frames) == [0..<1024, 1024..<2048])
    #expect(
      heard[0].map(\.time) == [TestAudio.app.captureTime(0), TestAudio.app.captureTime(1024) + .seconds(3)])
    handler.broadcastFinished()
  }

  @Test func aPacketThatIsNotPCMIsCountedAndReportedOnce() throws {
    let handler = start()
    var odd = TestAudio.app
    odd.bits = 32
    for _ in 0..<3 { handler.processSampleBuffer(try odd.packet(0..<10), with: .audioApp) }
    // The file exists although all packets were dropped, so the app learns that there is audio.
    #expect(files == [true, false])
    handler.processSampleBuffer(try makeSample(try makePicture()), with: .audioApp)
    handler.processSampleBuffer(try TestAudio.app.packet(0..<100), with: .audioApp)
    handler.processSampleBuffer(try odd.packet(0..<10), with: .audioApp)
    poll()
    #expect(heard[0].map(\.frames) == [0..<100])
    #expect(contexts[0].statistics.packetsDropped == 5)
    #expect(reports.values.count == 3 && reports.values.allSatisfy { $0.hasPrefix("Audio is skipped: ") })
    #expect(reports.values[0].contains("lpcm with 32 bits") && reports.values[1].contains("none with 0 bits"))
    #expect(ends.values == [])
    handler.broadcastFinished()
  }

  @Test func theReasonWhyAudioIsLeftOutIsTheRightOne() throws {
    let handler = start()
    var (four, slow) = (TestAudio.app, TestAudio.app)
    four.channelCount = 4
    slow.sampleRate = 500
    for audio in [four, slow] { handler.processSampleBuffer(try audio.packet(0..<10), with: .audioApp) }
    #expect(reports.values.count == 2)
    #expect(reports.values[0].hasPrefix("Audio is skipped: audio of 4 channels is not supported; use "))
    #expect(reports.values[1].contains(" audio of 500.0 frames per second is not"))
    handler.broadcastFinished()
  }

  @Test func anotherFormatIsFollowed() throws {
    let handler = start()
    handler.processSampleBuffer(try TestAudio.app.packet(0..<100), with: .audioApp)
    poll()
    handler.processSampleBuffer(try TestAudio.microphone.packet(100..<200), with: .audioApp)
    for _ in 0..<2 { poll() }
    #expect(
      heard[0].map(\.frames) == [0..<100, 100..<200] && heard[0].map(\.sampleRate) == [44_100, 48_000])
    handler.broadcastFinished()
    #expect(files == [false, false])
  }

  @Test func orphanedAudioIsRemovedByTheNextExtension() throws {
    let dead = try container.makeAudioRing(pid: 4_194_303)
    try TestAudio.app.publish(0..<100, to: dead)
    try PlainFile.replace(container.producerLockFile, with: Array("4194303\n".utf8))
    let handler = start()
    #expect(files == [false, false])
    poll()
    handler.processSampleBuffer(try TestAudio.app.packet(0..<10), with: .audioApp)
    poll()
    #expect(heard[0].map(\.frames) == [0..<10])
    handler.broadcastFinished()
    #expect(reports.values == [])
  }

  @Test func framesContinueWhenAudioCannotBeWritten() throws {
    try makeFile(of: S_IFDIR, at: container.audioFile(for: .app) + ".new")
    let handler = start()
    for index in 0..<3 {
      handler.processSampleBuffer(try TestAudio.app.packet(index * 10..<index * 10 + 10), with: .audioApp)
      handler.processSampleBuffer(try makeSample(try makePicture()), with: .video)
    }
    #expect(reports.values.count == 1 && ends.values == [])
    #expect(try FrameRingReader(path: container.framesFile).framesPublished == 3)
    handler.broadcastFinished()
  }
}
