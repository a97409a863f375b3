import Foundation
import Platform
import ScreenBroadcast
import SharedMemory
import TestSupport
import Testing

extension EndToEndTests {
  /// Rates over seconds, never single ticks. The bounds hold on two cores, with debug builds of the programs.
  @MainActor @Suite(.machineAlone) struct TimingTests {
    let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    /// The frames, at 60 fps, over which the rates are measured.
    private static let frames: UInt64 = 270

    @Test func theProducerPublishes60FramesPerSecondAndTheConsumerPolls30TimesWithoutDrift() async throws {
      let pace = PaceMeter(allowing: .milliseconds(8))
      let watcher = try await sandbox.readyWatcher("--verify", "--status-interval", "0.05")
      let producer = try sandbox.producer("--pattern", "proof")
      try await watcher.event("format")
      let marks = try await captureTimes(ofFrames: [15, 15 + Self.frames / 2, 15 + Self.frames])
      producer.send(SIGTERM)
      #expect(try await producer.exitCode() == 0)
      try await watcher.endOfBroadcast()
      watcher.send(SIGTERM)
      #expect(try await watcher.exitCode() == 0, "\(watcher.errors)")

      let finished = try await producer.event("finished")
      let produced = try #require(finished.number("framesProduced"))
      let seconds = try #require(finished.number("seconds"))
      #expect(seconds > 4)
      let summary = try await watcher.event("summary")
      #expect(summary.integer("framesRepeated") == 0)
      #expect(summary.integer("framesTorn") == 0)
      #expect(summary.integer("framesVerified") == summary.integer("framesDelivered"))
      // The watcher counts each frame after its first one as delivered or as skipped.
      let seen = try #require(summary.integer("framesDelivered")) + #require(summary.integer("framesSkipped"))
      #expect(seen <= Int(produced))

      let polls = try #require(summary.number("pollsPerSecond"))
      let delivered = try #require(summary.number("framesPerSecond"))
      let out = try watcher.events("stats").dropFirst().compactMap { $0.number("framesPerSecondOut") }
      try pace.expect {
        #expect((59.4...60.6).contains(produced / seconds))
        // The producer's own figure could be wrong; the capture times also show each half.
        #expect((59.4...60.6).contains(rate(marks[0], marks[2])))
        #expect(abs(rate(marks[0], marks[1]) - rate(marks[1], marks[2])) < 0.6)
        #expect((29.7...30.3).contains(polls))
        #expect((29...30.5).contains(delivered))
        #expect(out.count >= 3)
        #expect(abs((out.first ?? 0) - (out.last ?? .infinity)) < 2)
        #expect(seen >= Int(produced) - 30)
      }
    }

    @Test(arguments: [["--wake"], ["--wake=early"], ["--wake", "--lease"]])
    func aConsumerThatANewFrameWakesGetsEveryFrame(options: [String]) async throws {
      let pace = PaceMeter(allowing: .milliseconds(8))
      let watcher = try await sandbox.readyWatcher(["--verify"] + options)
      let producer = try sandbox.producer("--pattern", "proof", "--frames", "180")
      #expect(try await producer.exitCode() == 0)
      try await watcher.endOfBroadcast()
      watcher.send(SIGTERM)
      #expect(try await watcher.exitCode() == 0, "\(watcher.errors)")
      let summary = try await watcher.event("summary")
      let delivered = try #require(summary.integer("framesDelivered"))
      let skipped = try #require(summary.integer("framesSkipped"))
      #expect(summary.integer("framesVerified") == delivered)
      #expect(summary.integer("framesTorn") == 0 && summary.integer("framesRepeated") == 0)
      try pace.expect {
        #expect(delivered >= 170)
        #expect(delivered + skipped >= 175)
        #expect(summary.integer("framesTakenBack") == 0)
      }
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
      var delays: [TimeInterval] = []
      for _ in 1...2 {
        let producer = try sandbox.producer()
        try await producer.event("started")
        let time = Date()
        try sandbox.setFlag(false)
        #expect(try await producer.exitCode() == 0)
        delays.append(try producer.timeOfLastOutput().timeIntervalSince(time))
      }
      try pace.expect { #expect(delays.allSatisfy { $0 < 0.6 }, "\(delays)") }
    }

    /// The number of a frame, and the time of its capture.
    private struct Mark {
      var number: UInt64
      var time: MonotonicTime
    }

    /// The first frames found that have at least the number of each of `numbers`.
    private func captureTimes(ofFrames numbers: [UInt64]) async throws -> [Mark] {
      let ring = try sandbox.ring()
      var marks: [Mark] = []
      for number in numbers {
        marks.append(
          try await eventually("frame \(number)") {
            guard ring.framesPublished >= number else { return nil }
            return try ring.next { stamp, _ in Mark(number: stamp.number, time: stamp.captureTime)
            }
          })
      }
      return marks
    }

    private func rate(_ first: Mark, _ last: Mark) -> Double {
      Double(last.number - first.number) / ((last.time - first.time) / .seconds(1))
    }
  }
}
