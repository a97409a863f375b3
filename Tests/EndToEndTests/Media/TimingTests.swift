import BroadcastTesting
import Foundation
import Platform
import ScreenBroadcast
import SharedMemory
import SoundFormats
import TestSupport
import Testing

extension EndToEndTests {
  /// Rates over seconds, never single ticks. The bounds hold on two cores, with debug builds of the programs.
  @MainActor @Suite struct TimingTests {
    let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    /// The frames, at 60 fps, over which the rates are measured.
    private static let frames: UInt64 = 270

    /// One broadcast with audio. A polling app and two that a new frame wakes see all of it; another one joins.
    @Test(.quietMachine) func eachAppGetsTheFramesAndTheAudioOfABroadcastOnTime() async throws {
      let pace = PaceMeter(allowing: .milliseconds(8))
      let audioPace = PaceMeter(allowing: .milliseconds(20))
      let wav = sandbox.folder.appending(path: "app.wav")
      let polling = try await sandbox.readyWatcher(
        "--verify", "--once", "--status-interval", "0.05", "--wav", wav.path)
      var woken: [LaunchedProgram] = []
      for _ in 1...2 { woken.append(try await sandbox.readyWatcher("--verify", "--once", "--wake")) }
      let producer = try sandbox.producer("--pattern", "proof", "--app-audio", "tone", "--mic", "tone")
      try await polling.event("format")
      let seen = try await framesSeen(beside: try Latecomer(sandbox))
      try await producer.endsInOrder()
      let end = try await producer.broadcastEnd()

      try await expectRates(of: end, seen.frames, pace)
      try await expectEachPolledFrame(polling, of: end, pace)
      for watcher in woken { try await expectEachWokenFrame(watcher, of: end, pace) }
      try await expectAudio(of: polling, in: Recording(wav), audioPace)
      try seen.latecomer.expectFilesStartTogether(seen.frames, audioPace)
    }

    /// 60 frames per second are produced, without drift.
    private func expectRates(of end: BroadcastEnd, _ frames: [SeenFrame], _ pace: PaceMeter) async throws {
      #expect(end.seconds > 4)
      let marks = try [15, 15 + Self.frames / 2, 15 + Self.frames].map { number in
        try #require(frames.first { $0.number >= number })
      }
      try pace.expect {
        #expect((59.4...60.6).contains(Double(end.framesProduced) / end.seconds))
        // The producer's own figure could be wrong; the capture times also show each half.
        #expect((59.4...60.6).contains(rate(marks[0], marks[2])))
        #expect(abs(rate(marks[0], marks[1]) - rate(marks[1], marks[2])) < 0.6)
      }
    }

    /// A consumer that polls 30 times per second gets a frame with each poll, without drift.
    private func expectEachPolledFrame(
      _ watcher: LaunchedProgram, of end: BroadcastEnd, _ pace: PaceMeter
    ) async throws {
      let summary = try await wholeSummary(of: watcher, pace)
      // The watcher counts each frame after its first one as delivered or as skipped.
      let seen = summary.framesDelivered + summary.framesSkipped
      #expect(seen <= end.framesProduced)
      // The rate is zero when the broadcast has ended, and its flag has not been polled yet.
      let out = try watcher.events("stats").dropFirst().filter { $0.text("phase") == "live" }
        .compactMap { $0.number("framesPerSecondOut") }
      try pace.expect {
        #expect((29.7...30.3).contains(summary.pollsPerSecond))
        #expect((29...30.5).contains(summary.framesPerSecond))
        #expect(out.count >= 3)
        #expect(abs((out.first ?? 0) - (out.last ?? .infinity)) < 2)
        #expect(seen + 30 >= end.framesProduced)
      }
    }

    /// A consumer that a new frame wakes gets every frame.
    private func expectEachWokenFrame(
      _ watcher: LaunchedProgram, of end: BroadcastEnd, _ pace: PaceMeter
    ) async throws {
      let summary = try await wholeSummary(of: watcher, pace)
      try pace.expect {
        #expect(summary.framesDelivered + 10 >= end.framesProduced)
        #expect(summary.framesDelivered + summary.framesSkipped + 5 >= end.framesProduced)
      }
    }

    /// The audio arrives complete, and in step with the frames.
    private func expectAudio(
      of watcher: LaunchedProgram, in recording: Recording, _ pace: PaceMeter
    ) async throws {
      let summary = try await watcher.summary()
      #expect(recording.format == WAVEFormat(sampleRate: 44_100, channelCount: 2))
      // The start of each mark is rounded to a whole frame.
      recording.expectMarksAtWholeSeconds(tolerance: 1)
      let (appAudio, microphone) = (try #require(summary.appAudio), try #require(summary.microphone))
      for stream in [appAudio, microphone] {
        #expect(stream.markOffsetMs < 0.03)
        #expect(abs(stream.peakDb + 6) < 0.1)
      }
      // A producer that the machine does not run has no time to deliver the audio.
      try pace.expect {
        for (stream, rate) in [(appAudio, 44_100.0), (microphone, 48_000)] {
          // The watcher also gets the audio of the time in which it had not seen the flag yet.
          #expect(Double(stream.framesReceived) > 4 * rate)
          #expect(stream.gaps == 0 && stream.framesLost == 0 && stream.packetsDropped == 0)
          #expect(stream.marks >= 3)
          #expect(stream.driftMs < 1)
        }
        #expect(abs(summary.avOffsetMs?.p50 ?? .infinity) < 60)
        #expect(recording.frameCount == appAudio.framesReceived)
        #expect(recording.marks.count >= 3)
      }
    }

    /// The summary of a watch that has ended in order, in which each frame was whole and new.
    private func wholeSummary(of watcher: LaunchedProgram, _ pace: PaceMeter) async throws -> AppSummary {
      let code = try await watcher.exitCode()
      let summary = try await watcher.summary()
      #expect(summary.framesRepeated == 0 && summary.framesTorn == 0)
      #expect(summary.framesVerified == summary.framesDelivered)
      // Audio that a late producer leaves out is a fault too.
      try pace.expect { #expect(code == 0, "\(watcher.errors)") }
      return summary
    }

    @Test func theConsumerReportsAChangeOfTheFlagWithinOnePoll() async throws {
      let pace = PaceMeter(allowing: .milliseconds(20))
      let watcher = try await sandbox.readyWatcher()
      var delays: [Duration] = []
      for change in 1...5 {
        let isActive = change % 2 == 1
        let time = SystemClock().now
        try sandbox.setFlag(isActive)
        try await eventually("change \(change)") { try watcher.events("status").count == change + 1 }
        let status = try #require(try watcher.events("status").last)
        #expect(status.boolean("active") == isActive)
        let report = MonotonicTime(nanoseconds: UInt64(try #require(status.integer("atNs"))))
        #expect(report >= time)
        delays.append(report - time)
      }
      try pace.expect { #expect(delays.allSatisfy { $0 < .seconds(0.6) }, "\(delays)") }
    }

    @Test func theProducerExitsWithinOnePollAfterTheFlagIsTurnedOff() async throws {
      let pace = PaceMeter(allowing: .milliseconds(20))
      var delays: [Duration] = []
      for _ in 1...2 {
        let producer = try await sandbox.startedProducer()
        let time = SystemClock().now
        try sandbox.setFlag(false)
        #expect(try await producer.exitCode() == 0)
        delays.append(try await producer.event("finished").arrival - time)
      }
      try pace.expect { #expect(delays.allSatisfy { $0 < .seconds(0.6) }, "\(delays)") }
    }

    /// Reads frames from the ring, until all over which the rates are measured were published. A watch joins the broadcast
    /// in between, and has ended.
    private func framesSeen(
      beside join: @autoclosure () throws -> Latecomer
    ) async throws -> (frames: [SeenFrame], latecomer: Latecomer) {
      let ring = try sandbox.ring()
      var frames: [SeenFrame] = []
      var latecomer: Latecomer?
      try await eventually("frame \(15 + Self.frames)", every: .milliseconds(5)) {
        let frame = try ring.next { stamp, bytes in
          SeenFrame(
            number: stamp.number, time: stamp.captureTime,
            start: Data((0..<min(1024, bytes.count)).map { bytes[$0] }))
        }
        if let frame { frames.append(frame) }
        guard ring.framesPublished >= Latecomer.firstFrame else { return false }
        if latecomer == nil { latecomer = try join() }
        return (frames.last?.number ?? 0) >= 15 + Self.frames && latecomer?.watcher.isRunning == false
      }
      return (frames, try #require(latecomer))
    }

    private func rate(_ first: SeenFrame, _ last: SeenFrame) -> Double {
      Double(last.number - first.number) / ((last.time - first.time) / .seconds(1))
    }

    private struct SeenFrame {
      var number: UInt64
      /// The time of its capture.
      var time: MonotonicTime
      /// Its first bytes.
      var start: Data
    }

    /// A watch that joins a broadcast, and writes its frames and its audio to files.
    private struct Latecomer {
      let watcher: LaunchedProgram
      private let video: URL
      private let audio: URL

      /// It joins after this frame: after more than the audio that a watch gets from the time before.
      static let firstFrame: UInt64 = 90

      @MainActor init(_ sandbox: Sandbox) throws {
        video = sandbox.folder.appending(path: "late.y4m")
        audio = sandbox.folder.appending(path: "late.wav")
        watcher = try sandbox.watcher("--duration", "2.5", "--y4m", video.path, "--wav", audio.path)
      }

      /// Both files start at the same moment.
      @MainActor func expectFilesStartTogether(_ frames: [SeenFrame], _ pace: PaceMeter) throws {
        let video = try Data(contentsOf: video)
        let start = try #require(video.range(of: Data("\nFRAME\n".utf8))).upperBound
        let row = video[start..<start + 160]
        let first = frames.first { $0.start.range(of: row) != nil }?.time
        let marks = try Recording(audio).marks
        try pace.expect {
          let mark = try #require(marks.first)
          // A mark begins at a whole second of the clock, and reaches its threshold some samples later.
          let offset = try #require(first) - MonotonicTime.zero + .seconds(Double(mark) / 44_100)
          let distance = offset / .seconds(1) - (offset / .seconds(1)).rounded()
          #expect(abs(distance) < 0.001, "the audio starts \(distance) s apart from the first frame")
        }
      }
    }
  }
}
