import Foundation
import Testing

extension EndToEndTests {
  /// Which calls an extension's handler gets, in which order and with what, when things happen to its broadcast.
  @MainActor @Suite struct DeliveredCallsTests {
    let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    private var recordFile: String { sandbox.folder.appending(path: "calls").path }

    private func start(_ arguments: [String]) throws -> RunningProgram {
      try sandbox.probeExtension("RecordingHandler", ["--setup-info", "record=\(recordFile)"] + arguments)
    }

    private func record() throws -> CallRecord { try CallRecord(path: recordFile) }

    /// The middle one of some numbers.
    private func median(_ numbers: some Collection<Double>) throws -> Double {
      try #require(numbers.isEmpty ? nil : numbers.sorted()[numbers.count / 2])
    }

    @Test func setupInfoAndTheNameOfTheAppReachTheHandler() async throws {
      let probe = try start(
        [
          "--setup-info", "room=42", "--setup-info", "note=a = b", "--at", "0.2s",
          "annotate:com.example.game",
        ]
          + ["--duration", "0.5"])
      #expect(try await probe.exitCode() == 0, "\(probe.errors)")
      #expect(
        try record().calls == [
          "broadcastStarted note=a = b room=42", "broadcastAnnotated com.example.game", "broadcastFinished",
        ])
    }

    @Test func theRedMarkThatIsTappedInErrorPausesForASecond() async throws {
      let probe = try start(["--at", "0.3s", "indicator:cancel", "--duration", "2.5"])
      #expect(try await probe.exitCode() == 0, "\(probe.errors)")
      #expect(
        try probe.events().map(\.name) == ["started", "paused", "happened", "resumed", "finished"])
      #expect(try await probe.event("finished").text("reason") == "duration")
      let record = try record()
      #expect(
        record.calls == ["broadcastStarted", "broadcastPaused", "broadcastResumed", "broadcastFinished"])
      #expect(record.samplesAfterCalls[1] == 0 && record.samplesAfterCalls[2] > 10)
      #expect((0.9...1.9).contains(record.gaps.max() ?? 0))
    }

    /// Events, and how long the pause is that comes of them, in seconds.
    nonisolated static let locks: [(events: [String], pause: Double)] = [
      (["0.3s lock", "0.9s unlock"], 0.6),
      // Samples come again when no reason for a pause is left.
      (["0.3s pause", "0.5s lock", "0.7s unlock", "1.1s resume"], 0.8),
      (["0.3s lock", "0.5s pause", "0.7s resume", "1.1s unlock"], 0.8),
    ]

    @Test(arguments: locks)
    func aLockedDevicePausesUntilNothingElseDoes(events: [String], pause: Double) async throws {
      let probe = try start(
        ["--app-audio", "silence", "--duration", "2"] + events.flatMap { ["--at", $0] })
      #expect(try await probe.exitCode() == 0, "\(probe.errors)")
      #expect(try probe.events("paused").count == 1 && probe.events("resumed").count == 1)
      let record = try record()
      #expect(
        record.calls == ["broadcastStarted", "broadcastPaused", "broadcastResumed", "broadcastFinished"])
      #expect(record.samplesAfterCalls[1] == 0 && record.samplesAfterCalls[2] > 5)
      #expect((pause - 0.1...pause + 0.8).contains(record.gaps.max() ?? 0))
    }

    @Test func aScreenThatStandsStillGivesNoPictures() async throws {
      let probe = try start(["--at", "0.3s", "still:1", "--duration", "2"])
      #expect(try await probe.exitCode() == 0, "\(probe.errors)")
      let record = try record()
      #expect(record.calls == ["broadcastStarted", "broadcastFinished"])
      #expect(record.gaps.count { $0 > 0.9 } == 1)
      #expect((0.9...1.7).contains(record.gaps.max() ?? 0))
      // What did not change was not dropped: the pictures that came are those of the other second.
      #expect((10...75).contains(record.pictures.count))
    }

    @Test func theRateOfTheScreenChanges() async throws {
      try await waitForIdleMachine()
      let probe = try start(["--at", "0.7s", "rate:120", "--at", "1.4s", "rate:20", "--duration", "2.4"])
      #expect(try await probe.exitCode() == 0, "\(probe.errors)")
      let pictures = try record().pictures
      let first = try #require(pictures.first).time
      for (from, to, rate) in [(0.0, 0.6, 60.0), (0.8, 1.3, 120), (1.5, 2.3, 20)] {
        let times = pictures.map { $0.time - first }.filter { from <= $0 && $0 < to }
        // The middle gap, as some pictures are left out where the machine has no time.
        let gap = try median(zip(times, times.dropFirst()).map { $1 - $0 })
        #expect((0.9...1.1).contains(gap * rate), "\(gap) s at \(rate) a second")
      }
    }

    @Test func aBurstComesAllAtOnceAsLateAsItsLast() async throws {
      try await waitForIdleMachine()
      let probe = try start(["--at", "0.5s", "burst:6", "--duration", "1.2"])
      #expect(try await probe.exitCode() == 0, "\(probe.errors)")
      let pictures = try record().pictures
      let bursts = pictures.indices.dropFirst().dropLast(5).filter { start in
        let (first, last) = (pictures[start], pictures[start + 5])
        // Taken a frame apart from each other, and come together after as long a wait.
        return last.time - first.time > 0.07 && last.arrival - first.arrival < 0.04
          && first.arrival - pictures[start - 1].arrival > 0.07
      }
      #expect(bursts.count == 1)
    }

    @Test func skippedPicturesAreMissingAndCounted() async throws {
      let probe = try start(["--at", "0.4s", "skip:20", "--duration", "2"])
      #expect(try await probe.exitCode() == 0, "\(probe.errors)")
      // A third of a second at least: ticks that are missed themselves make it longer.
      #expect((0.3...1.2).contains(try record().gaps.max() ?? 0))
      #expect(try #require(try await probe.event("finished").integer("framesDropped")) >= 20)
    }

    @Test(arguments: ["0s", "0.1s"])
    func anErrorBeforeOrDuringTheStartEndsTheBroadcastWithoutAnyOtherCall(time: String) async throws {
      let probe = try start(
        ["--at", "0s", "slow:0.3", "--at", time, "error:interrupted", "--duration", "5"])
      #expect(try await probe.exitCode() == 76, "\(probe.errors)")
      #expect(try await probe.event("finished").integer("errorCode") == -5806)
      #expect(try probe.events("started").isEmpty)
      // It is not told of an end that it made itself.
      let calls = FileManager.default.fileExists(atPath: recordFile) ? try record().calls : []
      #expect(calls == ["broadcastStarted"] || calls == [])
    }
  }
}
