import Causes
import ReplayKit
import RunReports
import ScreenBroadcast
import TestSupport

@testable import ContainingApp

@MainActor @Suite struct TerminalWatchViewTests {
  private func text(drawsLive: Bool = false, _ outputs: [WatchMessage]) throws -> String {
    let stream = CollectedStream()
    let view = TerminalWatchView(
      console: Console(messages: stream.stream, errors: stream.stream, drawsLive: drawsLive))
    for output in outputs { view.show(output) }
    return try stream.text()
  }

  @Test func messagesAreSentences() throws {
    let format = FrameFormat(try makeBroadcastFrame(width: 32, height: 16, orientation: .left))
    let text = try text([
      .notice("Waiting."), .status(isActive: true, time: 5), .format(format), .crashed(pid: 7),
      .cause(Cause(.crashed, from: 7, "It died."), isNew: true),
      .cause(Cause(.idleScreen, from: 8, "It rests."), isNew: true),
      .status(isActive: false, time: 6),
    ])
    #expect(
      text == """
        Waiting.
        Status: active.
        Frames: 32x16, 420f, orientation left.
        It died.
        Status: not active.

        """)
  }

  @Test func theSummaryHasTheLastWordsOfACauseThatGrewAndALateMachine() throws {
    func cause(_ kind: Cause.Kind, _ text: String, frames: UInt64 = 0, isNew: Bool = true) -> WatchMessage {
      var cause = Cause(kind, from: 7, text)
      cause.frames = frames
      return .cause(cause, isNew: isNew)
    }
    let summary = AppSummary(makeState { ($0.frames.framesDelivered, $0.framesMissed) = (100, 300) })
    let lines = try text([
      cause(.slow, "12 were dropped."), cause(.leak, "It grows."), cause(.late, "Late.", frames: 50),
      cause(.slow, "101 were dropped.", isNew: false), cause(.late, "Late.", frames: 301, isNew: false),
      .summary(summary),
    ]).split(separator: "\n")
    #expect(
      lines.prefix(4) == [
        "12 were dropped.", "It grows.", "101 were dropped.",
        "The host was overloaded, which cost 301 of 400 frames: run it on a host with less load.",
      ])
  }

  /// Returns the line that a view shows for these statistics.
  private func line(_ stats: WatchStats, memory: UInt64? = nil, width: Int = 79) -> String {
    TerminalWatchView(console: Console(messages: nil, errors: nil))
      .line(stats.with(memory: memory), width: width).text
  }

  @Test func theStateAndFiguresBeyondTheirLimitsHaveColours() throws {
    let view = TerminalWatchView(console: Console(messages: nil, errors: nil))
    func coloured(_ stats: WatchStats, memory: UInt64 = 2 << 20) -> [LivePart] {
      view.line(stats.with(memory: memory)).filter { $0.colour != nil }
    }
    var stats = makeStats(frame: try makeBroadcastFrame())
    #expect(coloured(stats) == [LivePart("live", .green)])
    (stats.framesPerSecondOut, stats.ageMs, stats.framesTorn, stats.framesWithoutProof) = (20, 119, 2, 1)
    #expect(
      coloured(stats, memory: 60 << 20) == [
        LivePart("live", .green), LivePart("20.0/30.0 fps", .red), LivePart("age 119/50 ms", .red),
        LivePart("torn 2", .red), LivePart("memory 60.0/50 MiB", .red),
      ])
    (stats.framesPerSecondIn, stats.framesPerSecondOut) = (0, 0)
    #expect(line(stats).contains("  0.0/30.0 fps  age –/50 ms"))
    #expect(coloured(makeStats(phase: .crashed(pid: 1))) == [LivePart("crashed", .red)])
    #expect(coloured(makeStats(phase: .paused)) == [LivePart("paused", .yellow)])
    #expect(coloured(makeStats(phase: .waiting)).isEmpty)
  }

  @Test func withoutATerminalALineHasAllNumbers() throws {
    let text = try text([.stats(makeStats(frame: makeBroadcastFrame())), .stats(makeStats(phase: .waiting))])
    #expect(
      text == """
        1:05 live  30.0/30.0 fps  age 5/50 ms  torn 0  in 60  1170x2532 up
        1:05 waiting

        """)
  }

  @Test func aStreamThatStoppedIsNamed() throws {
    var stats = makeStats(frame: try makeBroadcastFrame())
    (stats.appLevelDb, stats.micLevelDb, stats.stoppedAudio) = (-18.3, -96, [.microphone: true])
    #expect(line(stats).hasSuffix("torn 0  app ▆  mic stopped  in 60"))
    stats.stoppedAudio = [:]
    #expect(line(stats).hasSuffix("torn 0  app ▆  mic ▁  in 60"))
    for hadSound in [true, false] {
      stats.stoppedAudio = [.microphone: hadSound]
      let part = TerminalWatchView(console: Console(messages: nil, errors: nil))
        .line(stats).first { $0.text == "mic stopped" }
      #expect(part == LivePart("mic stopped", hadSound ? .red : nil))
    }
    var change = AudioChange(stream: .microphone, kind: .format, sampleRate: 24_000, channelCount: 1)
    let sentences = [AudioChange.Kind.format, .stopped, .back].map { kind in
      change.kind = kind
      return TerminalWatchView.sentence(of: .audio(change))
    }
    #expect(
      sentences == [
        "Microphone: 24000 Hz on 1 channel.",
        "Microphone: the audio stopped, and the broadcast continues.", "Microphone: the audio is back.",
      ])
  }

  @Test func theSummaryHasTheAudio() throws {
    var state = BroadcastState()
    state.frames.framesDelivered = 1
    var audio = AudioState()
    (audio.framesReceived, audio.peakDb, audio.marks, audio.markOffsetMs) = (441_000, -6.02, 10, 0.021)
    state.appAudio = audio
    (audio.framesLost, audio.gaps, audio.marks, audio.driftMs) = (1_024, 1, 0, 0.25)
    state.microphone = audio
    var delays = FrameDelays()
    delays.avOffsets.add(.milliseconds(-5))
    #expect(
      TerminalWatchView.text(of: AppSummary(state, delays)).suffix(3) == [
        "app audio: 441000 frames, 0 lost in 0 gaps, peak -6.0 dB, drift 0.00 ms, 10 time marks at most 0.021 ms off",
        "microphone: 441000 frames, 1024 lost in 1 gaps, peak -6.0 dB, drift 0.25 ms",
        "newest audio after newest frame: -5.0 ms at the median, within 5.0 ms at p99",
      ])
  }

  @Test func theLiveLineHasLimitsAndFits80Columns() throws {
    let stats = makeStats(frame: try makeBroadcastFrame())
    let line = line(stats, memory: 2 << 20)
    #expect(line == "1:05 live  30.0/30.0 fps  age 5/50 ms  torn 0  memory 2.0/50 MiB  in 60")
    #expect(
      try text(drawsLive: true, [.stats(stats)])
        == "\r1:05 live  30.0/30.0 fps  age 5/50 ms  torn 0  in 60  1170x2532 up\u{1B}[K")
  }

  /// A slow screen is the limit of the rate.
  @Test func aLayoutWithoutTimesHasNoLimits() throws {
    var stats = makeStats(frame: try makeBroadcastFrame())
    (stats.framesPerSecondIn, stats.framesPerSecondOut, stats.framesPerSecondAsked) = (15, 14.9, 15)
    #expect(line(stats).hasPrefix("1:05 live  14.9/15.0 fps"))
    stats = makeStats(frame: try makeBroadcastFrame())
    (stats.framesPerSecondIn, stats.ageMs) = (0, 0)
    #expect(line(stats) == "1:05 live  30.0 fps  torn 0  1170x2532 up")
  }

  @Test(arguments: [BroadcastState.Phase.waiting, .paused, .suspended(pid: 7), .crashed(pid: 7), .ended(nil)])
  func onlyALiveBroadcastHasFigures(phase: BroadcastState.Phase) throws {
    let stats = makeStats(phase: phase, frame: try makeBroadcastFrame())
    #expect(line(stats, memory: 2 << 20) == "1:05 \(phase.word)")
  }

  @Test(arguments: [79, 60, 40, 12, 1]) func partsThatDoNotFitAreLeftOut(_ width: Int) throws {
    let stats = makeStats(
      seconds: 1_000_000, frame: try makeBroadcastFrame(orientation: .rightMirrored), torn: 30_000_000)
    let line = line(stats, memory: 2 << 20, width: width)
    #expect(line.hasPrefix("16666:40 live") && line.count <= max(width, 13))
    #expect(!line.hasSuffix(" ") && !line.hasSuffix("right"))
  }

  @Test func theSummaryIsThreeLines() throws {
    var state = BroadcastState()
    (state.frames.framesDelivered, state.frames.framesSkipped, state.frames.polls) = (300, 299, 301)
    (state.ticks, state.framesVerified, state.timePolled, state.missedTicks) = (300, 300, .seconds(10), 2)
    var delays = FrameDelays()
    for _ in 0..<100 { delays.ages.add(.milliseconds(5)) }
    delays.handOffs.add(.nanoseconds(16_500))
    #expect(
      try text([.summary(AppSummary(state, delays))]) == """
        300 frames in 10.0 s = 30.00 fps, from 301 polls = 30.00 a second (2 missed)
        299 skipped, 0 dropped, 0 repeated, 0 torn, 300 verified
        age 5.0 ms at the median, 5.0 ms at p99, 5.0 ms at most; seen 0.017 ms after publishing at the median

        """)
  }

  @Test func theSummaryWithoutFramesHasNoRates() throws {
    let summary = AppSummary(BroadcastState())
    #expect(summary.framesPerSecond == 0 && summary.pollsPerSecond == 0 && summary.ageMs.p99 == 0)
  }
}

extension WatchStats {
  fileprivate func with(memory: UInt64?) -> WatchStats {
    var stats = self
    (stats.footprintBytes, stats.limitBytes) = (memory, memory.map { _ in 50 << 20 })
    return stats
  }
}
