import BroadcastTesting
import ScreenBroadcast
import SharedMemory
import TestSupport

extension EndToEndTests {
  /// Rates over seconds, never single ticks. The bounds hold on two cores, with debug builds of the programs.
  @MainActor @Suite struct TimingTests {
    let sandbox = Sandbox.ofSuite()

    /// The frames, at 60 fps, over which the rates are measured.
    private static let frames: UInt64 = 270

    /// A broadcast with audio for a polling app, and for two apps that new frames wake.
    @Test(.quietMachine) func eachAppGetsTheFramesAndTheAudioOfABroadcastOnTime() async throws {
      let pace = PaceMeter(allowing: .milliseconds(8))
      let audioPace = PaceMeter(allowing: .milliseconds(20))
      let polling = try await sandbox.readyWatcher("--verify", "--once", "--status-interval", "0.05")
      var woken: [LaunchedProgram] = []
      for _ in 1...2 {
        woken.append(
          try await sandbox.readyWatcher("--verify", "--once", "--wake", "--status-interval", "0.05"))
      }
      let producer = try sandbox.producer("--pattern", "proof", "--app-audio", "tone", "--mic", "tone")
      try await polling.event("format")
      let frames = try await framesSeen()
      try await producer.endsInOrder()
      let end = try await producer.broadcastEnd()

      try await expectRates(of: end, frames, pace)
      try await expectEachPolledFrame(polling, of: end, pace)
      for watcher in woken { try await expectEachWokenFrame(watcher, of: end, pace) }
      try await expectAudio(of: polling, audioPace)
    }

    /// 60 frames per second are produced, without drift.
    private func expectRates(of end: BroadcastEnd, _ frames: [SeenFrame], _ pace: PaceMeter) async throws {
      #expect(end.seconds > 4)
      let marks = try [15, 15 + Self.frames / 2, 15 + Self.frames].map { number in
        try #require(frames.first { $0.number >= number })
      }
      try pace.expect {
        #expect((59.4...60.6).contains(Double(end.framesProduced) / end.seconds))
        // The producer's value could be incorrect. The capture times also show the rate of each half.
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
      // The rate is zero once the broadcast has ended and the flag has not been polled yet.
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
    private func expectAudio(of watcher: LaunchedProgram, _ pace: PaceMeter) async throws {
      let summary = try await watcher.summary()
      let (appAudio, microphone) = (try #require(summary.appAudio), try #require(summary.microphone))
      for stream in [appAudio, microphone] {
        #expect(stream.markOffsetMs < 0.03)
        #expect(abs(stream.peakDb + 6) < 0.1)
      }
      // A producer that is starved of CPU cannot deliver the audio in time.
      try pace.expect {
        for (stream, rate) in [(appAudio, 44_100.0), (microphone, 48_000)] {
          // The watcher also receives the audio from before it saw the flag.
          #expect(Double(stream.framesReceived) > 4 * rate)
          #expect(stream.gaps == 0 && stream.framesLost == 0 && stream.packetsDropped == 0)
          #expect(stream.marks >= 3 && stream.driftMs < 1)
        }
        #expect(abs(summary.avOffsetMs?.p50 ?? .infinity) < 60)
      }
    }

    /// Returns the summary of a watch that has exited normally. Each of its frames must be intact and new.
    private func wholeSummary(of watcher: LaunchedProgram, _ pace: PaceMeter) async throws -> AppSummary {
      let code = try await watcher.exitCode()
      let summary = try await watcher.summary()
      #expect(summary.framesRepeated == 0 && summary.framesTorn == 0)
      #expect(summary.framesVerified == summary.framesDelivered)
      // Audio that a late producer skips is a fault too.
      try pace.expect { #expect(code == 0, "\(watcher.errors)") }
      return summary
    }

    /// Reads frames from the ring until all frames of the measurement were published.
    private func framesSeen() async throws -> [SeenFrame] {
      let ring = try sandbox.ring()
      var frames: [SeenFrame] = []
      try await eventually("frame \(15 + Self.frames)", every: .milliseconds(5)) {
        let frame = try ring.next { stamp, _ in SeenFrame(number: stamp.number, time: stamp.captureTime) }
        if let frame { frames.append(frame) }
        return (frames.last?.number ?? 0) >= 15 + Self.frames
      }
      return frames
    }

    private func rate(_ first: SeenFrame, _ last: SeenFrame) -> Double {
      Double(last.number - first.number) / ((last.time - first.time) / .seconds(1))
    }

    private struct SeenFrame {
      var number: UInt64
      /// The capture time.
      var time: MonotonicTime
    }
  }
}
