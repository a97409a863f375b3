import CommandLineSupport
import Foundation
import Platform
import ReplayKit
import ScreenBroadcast
import SoundFormats
import TestSupport
import Testing
import WebRTC

@testable import ContainingApp

@MainActor @Suite struct WAVEOutputTests {
  private let temporary = TemporaryFolder.ofSuite()
  private var folder: URL { temporary.url }

  init() { SignalSources.ignoreBrokenPipes() }

  /// Audio on one channel at 1 kHz, whose frames are milliseconds.
  private func run(
    _ samples: [Int16], at milliseconds: UInt64, index: UInt64, stream: BroadcastAudioStream = .app,
    rate: Double = 1_000, session: UInt64 = 1
  ) -> BroadcastAudio {
    BroadcastAudio(
      stream: stream, sampleRate: rate, channelCount: 1, samples: samples,
      time: .zero + .milliseconds(milliseconds),
      index: index, session: session)
  }

  /// `frames` frames of silence on one channel at 1 kHz, recorded `time` nanoseconds after the start of the clock.
  private func audio(_ frames: Int, at time: UInt64, index: UInt64) -> BroadcastAudio {
    BroadcastAudio(
      stream: .app, sampleRate: 1_000, channelCount: 1, samples: silence(frames),
      time: MonotonicTime(nanoseconds: time), index: index, session: 1)
  }

  private func written(
    _ runs: [BroadcastAudio], start: RecordingStart? = nil, between: (Int) -> Void = { _ in }
  ) throws -> [Int16] {
    try withFolder { folder in
      let path = folder.appending(path: "out.wav").path
      let output = try WAVEOutput(path: path, stream: .app, start: start)
      for (index, run) in runs.enumerated() {
        output.receive(run)
        between(index)
      }
      try output.finish()
      #expect(output.notice == nil && output.failure == nil)
      let reader = try WAVEReader(path: path)
      #expect(reader.format == WAVEFormat(sampleRate: 1_000, channelCount: 1))
      var samples: [Int16] = []
      while samples.count < reader.frameCount {
        samples += try reader.read(from: samples.count, count: reader.frameCount)
      }
      return samples
    }
  }

  private func silence(_ count: Int) -> [Int16] { [Int16](repeating: 0, count: count) }

  @Test func audioIsWrittenUnchanged() throws {
    let samples = try written([
      run([1, 2, 3], at: 500, index: 0), run([9], at: 500, index: 0, stream: .microphone),
      run([4, 5], at: 503, index: 3), run([6], at: 505, index: 5),
    ])
    #expect(samples == [1, 2, 3, 4, 5, 6])
  }

  @Test func withAStartTheFileBeginsThere() throws {
    let runs = [run([1, 2, 3], at: 500, index: 0), run([4, 5], at: 503, index: 3)]
    // The start is known from the first run, the second run or the end on.
    for turn in [0, 1] {
      let start = RecordingStart()
      #expect(
        try written(runs, start: start) { if $0 == turn { start.note(.zero + .milliseconds(501)) } }
          == [2, 3, 4, 5])
    }
    let early = RecordingStart()
    early.note(.zero + .milliseconds(499))
    early.note(.zero + .milliseconds(503))
    #expect(try written(runs, start: early) == [0, 1, 2, 3, 4, 5])
    let between = RecordingStart()
    between.note(.zero + .microseconds(503_200))
    #expect(try written(runs, start: between) == [4, 5])
    let inside = RecordingStart()
    inside.note(.zero + .microseconds(503_800))
    #expect(try written(runs, start: inside) == [5])
  }

  @Test func audioThatBeginsLaterThanTheFramesHasSilenceBefore() throws {
    let (start, now) = (RecordingStart(), SystemClock().now)
    start.note(now)
    let first = BroadcastAudio(
      stream: .app, sampleRate: 1_000, channelCount: 1, samples: [1],
      time: now + .milliseconds(700), index: 0, session: 1)
    let samples = try written([first], start: start)
    #expect(samples.count == 701 && samples.last == 1 && Set(samples.dropLast()) == [0])
  }

  @Test func withoutAFrameTheLastSecondsAreHeld() throws {
    let start = RecordingStart()
    let runs = (0..<100).map { run([Int16($0)], at: 100 * UInt64($0), index: 100 * UInt64($0)) }
    let samples = try written(runs, start: start) { if $0 == 99 { start.note(.zero) } }
    #expect(samples.first { $0 != 0 } == 79)
  }

  @Test func missingAudioIsSilence() throws {
    // Lost frames advance both times and indexes, a pause only the times.
    let withPause = [[1], silence(100), [2], silence(200), [3]]
    #expect(
      try written([
        run([1], at: 0, index: 0), run([2], at: 101, index: 101), run([3], at: 302, index: 102),
      ]) == Array(withPause.joined()))
    // A few lost frames, shorter than the tolerance of clocks, appear in the indexes.
    let withLoss = [[1], silence(5), [2]]
    #expect(try written([run([1], at: 0, index: 0), run([2], at: 6, index: 6)]) == Array(withLoss.joined()))
  }

  @Test func smallClockDifferencesLeaveNoHoles() throws {
    let runs = (0..<30 as Range<UInt64>).map { run([Int16($0)], at: $0 + $0 / 3, index: $0) }
    #expect(try written(runs) == (0..<30).map { Int16($0) })
    #expect(
      try written([run([1], at: 100, index: 0), run([2], at: 90, index: 1), run([3], at: 102, index: 2)])
        == [1, 2, 3])
  }

  @Test func anEarlierTimeIsTheNewStart() throws {
    #expect(
      try written([
        run([1], at: 100, index: 0), run([2], at: 20, index: 1), run([3], at: 21, index: 2),
        run([4], at: 122, index: 3),
      ]) == [1, 2, 3] + silence(100) + [4])
  }

  @Test func anotherBroadcastFollowsWithoutSilence() throws {
    #expect(
      try written([
        run([1], at: 0, index: 0), run([2], at: 90_000, index: 0, session: 2),
        run([3], at: 90_001, index: 1, session: 2),
      ]) == [1, 2, 3])
  }

  @Test func theSilenceOfAHoleIsLimited() {
    var timeline = AudioTimeline(sampleRate: 1_000)
    var index: UInt64 = 0
    // Each arrives an hour after the one before.
    let hour: UInt64 = 3_600_000_000_000
    let holes = ([0, 1 << 60, (1 << 60) + 1_000_000, 7, .max] as [UInt64]).map { time in
      defer { index += 1 }
      return timeline.silence(
        before: audio(1, at: time, index: index), writtenAs: 1,
        arrival: MonotonicTime(nanoseconds: index * hour))
    }
    #expect(holes[0] == 0 && holes[1] == 600_000 && holes[2...].allSatisfy { 0...600_000 ~= $0 })
    #expect(
      timeline.silence(
        before: audio(1, at: .max, index: 1 << 60), writtenAs: 1, arrival: MonotonicTime(nanoseconds: .max))
        <= 600_000)
  }

  @Test func wrongTimesMakeNoMoreSilenceThanTheTimeThatPassed() {
    var timeline = AudioTimeline(sampleRate: 1_000)
    let second: UInt64 = 1_000_000_000
    var silence = 0
    // The time of each packet is five minutes later than that of the one before; all arrive within ten seconds.
    for packet in 0...100 as ClosedRange<UInt64> {
      silence += timeline.silence(
        before: audio(100, at: packet * 300 * second, index: packet * 100), writtenAs: 100,
        arrival: MonotonicTime(nanoseconds: packet * second / 10))
    }
    #expect((3_000...4_000).contains(silence))
    // A real pause is silent over its full length.
    let time = 100 * 300 * second + 60 * second
    #expect(
      (59_900...60_000).contains(
        timeline.silence(
          before: audio(100, at: time, index: 10_100), writtenAs: 100,
          arrival: MonotonicTime(nanoseconds: 70 * second))))
  }

  @Test func afterAChangeOfTheFormatTheFileGoesOn() throws {
    let path = folder.appending(path: "out.wav").path
    let output = try WAVEOutput(path: path, stream: .app)
    output.receive(run([1, 2], at: 0, index: 0))
    // At twice the rate: two frames become one. The change takes 100 ms.
    output.receive(run([10, 20, 30, 40], at: 102, index: 2, rate: 2_000))
    output.receive(run([50, 60], at: 104, index: 6, rate: 2_000))
    // Back, on two channels.
    var stereo = run([7, 9, 11, 13], at: 105, index: 8)
    stereo.channelCount = 2
    output.receive(stereo)
    try output.finish()
    #expect(
      output.notice
        == "The format of app audio changed: what came with 2000 Hz on 1 channel and 1000 Hz on 2 channels has the "
        + "1000 Hz on 1 channel of the first audio in \(path).")
    let reader = try WAVEReader(path: path)
    #expect(
      try reader.read(from: 0, count: reader.frameCount) == [1, 2] + silence(100) + [15, 35, 55, 8, 12])
  }

  @Test func audioThatStopsBeforeTheFramesIsSilentToTheirEnd() throws {
    let call = VideoCall(outputSize: .native, fit: .crop)
    let (start, now) = (RecordingStart(), SystemClock().now)
    start.follow(call)
    let path = folder.appending(path: "out.wav").path
    let output = try WAVEOutput(path: path, stream: .app, start: start)
    try call.send(makeFilledPicture(32, 16), orientation: .up, time: now)
    start.noteFrame()
    output.receive(
      BroadcastAudio(
        stream: .app, sampleRate: 1_000, channelCount: 1, samples: [1, 2], time: now, index: 0, session: 1))
    try call.send(makeFilledPicture(32, 16), orientation: .up, time: now + .seconds(3))
    try output.finish()
    let reader = try WAVEReader(path: path)
    #expect(reader.frameCount == 3_000)
  }

  @Test func withoutAudioTheFileIsEmptyAndTheNoticeSaysSo() throws {
    let path = folder.appending(path: "out.wav").path
    let output = try WAVEOutput(path: path, stream: .microphone)
    try output.finish()
    #expect(output.notice == "No microphone audio came; \(path) is empty.")
    #expect(try Data(contentsOf: URL(filePath: path)).isEmpty)
  }

  @Test func anUnwritablePathFailsImmediately() throws {
    let failure = #expect(throws: ProgramFailure.self) {
      try WAVEOutput(path: folder.appending(path: "no/out.wav").path, stream: .app)
    }
    #expect(failure?.exitCode == .inputOutput)
  }

  @Test func aPipeWaitsForItsReaderAndFailsWhenTheReaderExits() async throws {
    let path = folder.appending(path: "pipe").path
    try makeFile(of: S_IFIFO, at: path)
    let output = try WAVEOutput(path: path, stream: .app)
    output.receive(run([1, 2], at: 0, index: 0))
    let reader = try FileHandle(forReadingFrom: URL(filePath: path))
    let bytes = try #require(try reader.read(upToCount: 48))
    #expect(bytes.count == 44 || bytes.count == 48)
    try reader.close()
    var index: UInt64 = 2
    while output.failure == nil {
      output.receive(run([3], at: index, index: index))
      index += 1
      await Task.yield()
    }
    #expect(output.failure?.message.contains("has exited") == true)
  }
}
