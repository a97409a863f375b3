import BroadcastTesting
import Foundation
import TestSupport
import Testing

extension EndToEndTests {
  /// The calls that an extension's handler gets, with their order and arguments, when an event affects its broadcast.
  @MainActor @Suite struct DeliveredCallsTests {
    let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    private var recordFile: String { sandbox.folder.appending(path: "calls").path }

    private func start(_ arguments: [String]) throws -> LaunchedProgram {
      try sandbox.probeExtension("RecordingHandler", ["--setup-info", "record=\(recordFile)"] + arguments)
    }

    /// The calls of a broadcast with one pause.
    private static let callsOfAPause = [
      "broadcastStarted", "broadcastPaused", "broadcastResumed", "broadcastFinished",
    ]

    /// Expects that samples came outside the pause only, if there was one, and no calls but those of a broadcast.
    private func expectNoSamplesInThePause(_ record: CallRecord) {
      if record.calls == Self.callsOfAPause {
        #expect(record.samplesAfterCalls[1] == 0)
      } else {
        #expect(record.calls == ["broadcastStarted", "broadcastFinished"])
      }
    }

    private func record() throws -> CallRecord { try CallRecord(path: recordFile) }

    private func median(_ numbers: some Collection<Double>) throws -> Double {
      try #require(numbers.isEmpty ? nil : numbers.sorted()[numbers.count / 2])
    }

    @Test func setupInfoAndTheNameOfTheAppReachTheHandler() async throws {
      let probe = try start(
        [
          "--setup-info", "room=42", "--setup-info", "note=a = b", "--at", "0.2s",
          "annotate:com.example.game", "--duration", "0.5",
        ])
      #expect(try await probe.exitCode() == 0, "\(probe.errors)")
      #expect(
        try record().calls == [
          "broadcastStarted note=a = b room=42", "broadcastAnnotated com.example.game", "broadcastFinished",
        ])
    }

    @Test func whatAHandlerPrintsIsOnStandardErrorAndNotBetweenTheEvents() async throws {
      let probe = try sandbox.probeExtension("PrintingHandler", ["--frames", "20", "--memory-report"])
      #expect(try await probe.exitCode() == 0, "\(probe.errors)")
      // Each line is an event.
      #expect(try probe.events().map(\.name) == ["started", "memory", "finished"])
      let lines = probe.errors.split(separator: "\n")
      #expect(lines.count { $0 == "part 99 part 0" } == 19, "\(lines.first ?? "")")
    }

    @Test func aTapOnTheIndicatorThatThePersonCancelsPausesTheBroadcastForASecond() async throws {
      let pace = PaceMeter(allowing: .milliseconds(100))
      let probe = try start(["--at", "0.8s", "indicator:cancel", "--duration", "3"])
      #expect(try await probe.exitCode() == 0, "\(probe.errors)")
      #expect(try await probe.broadcastEnd().reason == "duration")
      let record = try record()
      expectNoSamplesInThePause(record)
      // An event before the end of the start is refused, as it may be on a slow machine.
      try pace.expect {
        #expect(
          try probe.events().map(\.name) == ["started", "paused", "happened", "resumed", "finished"])
        try #require(record.calls == Self.callsOfAPause)
        #expect(record.samplesAfterCalls[2] > 10)
        #expect((0.9...1.9).contains(record.gaps.max() ?? 0))
      }
    }

    /// Events, and the length in seconds of the pause that they cause.
    nonisolated static let locks: [(events: [String], pause: Double)] = [
      (["0.8s lock:pause", "1.4s unlock"], 0.6),
      // Samples arrive again when no reason for a pause is left.
      (["0.8s pause", "1s lock:pause", "1.2s unlock", "1.6s resume"], 0.8),
      (["0.8s lock:pause", "1s pause", "1.2s resume", "1.6s unlock"], 0.8),
    ]

    @Test(arguments: locks)
    func aLockedDevicePausesTheBroadcastUntilNoReasonIsLeft(events: [String], pause: Double) async throws {
      let pace = PaceMeter(allowing: .milliseconds(100))
      let probe = try start(
        ["--app-audio", "silence", "--duration", "2.5"] + events.flatMap { ["--at", $0] })
      #expect(try await probe.exitCode() == 0, "\(probe.errors)")
      let record = try record()
      expectNoSamplesInThePause(record)
      try pace.expect {
        #expect(try probe.events("paused").count == 1 && probe.events("resumed").count == 1)
        try #require(record.calls == Self.callsOfAPause)
        #expect(record.samplesAfterCalls[2] > 5)
        #expect((pause - 0.1...pause + 0.8).contains(record.gaps.max() ?? 0))
      }
    }

    @Test func anUnchangedScreenDeliversNoFrames() async throws {
      let pace = PaceMeter(allowing: .milliseconds(100))
      let probe = try start(["--at", "0.3s", "still:1", "--duration", "2"])
      #expect(try await probe.exitCode() == 0, "\(probe.errors)")
      let record = try record()
      #expect(record.calls == ["broadcastStarted", "broadcastFinished"])
      try pace.expect {
        // The frames that arrived are those of the other second.
        #expect(record.frames.count <= 75)
        #expect(record.gaps.count { $0 > 0.9 } == 1)
        #expect((0.9...1.7).contains(record.gaps.max() ?? 0))
        #expect(record.frames.count >= 10)
      }
    }

    @Test(.quietMachine) func theFramesOfABurstArriveTogetherAndAnEventChangesTheRate() async throws {
      let pace = PaceMeter(allowing: .milliseconds(4))
      let burstPace = PaceMeter(allowing: .milliseconds(8))
      let probe = try start(
        ["--at", "0.6s", "burst:6", "--at", "1s", "rate:120", "--at", "1.6s", "rate:20", "--duration", "2.5"])
      #expect(try await probe.exitCode() == 0, "\(probe.errors)")
      let frames = try record().frames
      let bursts = frames.indices.dropFirst().dropLast(5).filter { start in
        let (first, last) = (frames[start], frames[start + 5])
        // Captured at the usual intervals, delivered together when the last is due, after a gap of the same length.
        return last.time - first.time > 0.07 && last.arrival - first.arrival < 0.04
          && first.arrival - frames[start - 1].arrival > 0.07
      }
      try burstPace.expect { #expect(bursts.count == 1) }
      let first = try #require(frames.first).time
      for (from, to, rate) in [(0.0, 0.5, 60.0), (1.1, 1.5, 120), (1.7, 2.4, 20)] {
        let times = frames.map { $0.time - first }.filter { from <= $0 && $0 < to }
        // The median is not affected by single frames that the machine was too slow for.
        try pace.expect {
          let gap = try median(zip(times, times.dropFirst()).map { $1 - $0 })
          #expect((0.9...1.1).contains(gap * rate), "\(gap) s at \(rate) fps")
        }
      }
    }

    @Test func skippedFramesAreMissingAndCountedAsDropped() async throws {
      let pace = PaceMeter(allowing: .milliseconds(100))
      let probe = try start(["--at", "0.4s", "skip:20", "--duration", "2"])
      #expect(try await probe.exitCode() == 0, "\(probe.errors)")
      // At least a third of a second; ticks that the producer misses make the gap longer.
      let longest = try record().gaps.max() ?? 0
      #expect(try await probe.broadcastEnd().framesDropped >= 20)
      try pace.expect { #expect((0.3...1.2).contains(longest)) }
    }

    @Test(arguments: ["0s", "0.1s"])
    func anErrorBeforeOrDuringTheStartEndsTheBroadcastWithoutAnotherCall(time: String) async throws {
      let probe = try start(
        ["--at", "0s", "slow:1", "--at", time, "error:interrupted", "--duration", "5"])
      #expect(try await probe.exitCode() == 76, "\(probe.errors)")
      #expect(try await probe.broadcastEnd().error?.code == -5806)
      #expect(try probe.events("started").isEmpty)
      // A handler that ends the broadcast itself gets no call of the end.
      let calls = FileManager.default.fileExists(atPath: recordFile) ? try record().calls : []
      #expect(calls == ["broadcastStarted"] || calls == [])
    }
  }
}
