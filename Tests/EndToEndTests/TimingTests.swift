import Foundation
import Platform
import ScreenBroadcast
import SharedMemory
import Testing

extension EndToEndTests {
  /// Rates over seconds, never single ticks. The bounds hold on two cores, with programs built for debugging.
  @MainActor @Suite struct TimingTests {
    let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    /// How long the rates are taken over, in frames at 60 a second.
    private static let frames: UInt64 = 270

    @Test func sixtyFramesASecondGoInAndThirtyComeOutWithoutDrift() async throws {
      try await waitForIdleMachine()
      let watcher = try await sandbox.readyWatcher("--verify", "--status-interval", "0.05")
      let producer = try sandbox.producer("--pattern", "proof")
      try await watcher.event("format")
      let marks = try await captureTimes(ofFrames: [15, 15 + Self.frames / 2, 15 + Self.frames])
      producer.send(SIGTERM)
      #expect(try await producer.exitCode() == 0)
      try await watcher.endOfBroadcast()
      watcher.send(SIGTERM)
      #expect(try await watcher.exitCode() == 0, "\(watcher.errors)")

      // In: by the producer's own account, and by the capture times of its frames, which tell halves apart.
      let finished = try await producer.event("finished")
      let produced = try #require(finished.number("framesProduced"))
      let seconds = try #require(finished.number("seconds"))
      #expect(seconds > 4)
      #expect((59.4...60.6).contains(produced / seconds))
      #expect((59.4...60.6).contains(rate(marks[0], marks[2])))
      #expect(abs(rate(marks[0], marks[1]) - rate(marks[1], marks[2])) < 0.6)

      // Out.
      let summary = try await watcher.event("summary")
      #expect((29.7...30.3).contains(try #require(summary.number("pollsPerSecond"))))
      #expect((29...30.5).contains(try #require(summary.number("framesPerSecond"))))
      let out = try watcher.events("stats").dropFirst().compactMap { $0.number("framesPerSecondOut") }
      #expect(out.count >= 3)
      #expect(abs(try #require(out.first) - (try #require(out.last))) < 2)
      #expect(summary.integer("framesRepeated") == 0)
      #expect(summary.integer("framesTorn") == 0)
      #expect(summary.integer("framesVerified") == summary.integer("framesDelivered"))
      // From the first frame it met on, every frame that was not delivered is counted as skipped.
      let seen = try #require(summary.integer("framesDelivered")) + #require(summary.integer("framesSkipped"))
      #expect((Int(produced) - 30...Int(produced)).contains(seen))
    }

    /// Every frame, as it comes, by a consumer that sleeps until then and holds it in place.
    @Test(arguments: [["--wake"], ["--wake=early"], ["--wake", "--lease"]])
    func aConsumerThatIsWokenGetsEveryFrame(options: [String]) async throws {
      try await waitForIdleMachine()
      let watcher = try await sandbox.readyWatcher(["--verify"] + options)
      let producer = try sandbox.producer("--pattern", "proof", "--frames", "180")
      #expect(try await producer.exitCode() == 0)
      try await watcher.endOfBroadcast()
      watcher.send(SIGTERM)
      #expect(try await watcher.exitCode() == 0, "\(watcher.errors)")
      let summary = try await watcher.event("summary")
      let delivered = try #require(summary.integer("framesDelivered"))
      #expect(delivered >= 170)
      #expect(delivered + (try #require(summary.integer("framesSkipped"))) >= 175)
      #expect(summary.integer("framesVerified") == delivered)
      #expect(summary.integer("framesTorn") == 0 && summary.integer("framesRepeated") == 0)
      #expect(summary.integer("framesTakenBack") == 0)
    }

    @Test func aChangeOfTheFlagIsSeenWithinAPoll() async throws {
      try await waitForIdleMachine()
      let watcher = try await sandbox.readyWatcher()
      for change in 1...5 {
        let isActive = change % 2 == 1
        let time = SystemClock().now.nanoseconds
        try sandbox.setFlag(isActive)
        try await eventually("change \(change)") { try watcher.events("status").count == change + 1 }
        let status = try #require(try watcher.events("status").last)
        #expect(status.boolean("active") == isActive)
        let latency = Double(try #require(status.integer("atNs")) - Int(time)) / 1e9
        #expect((0..<0.6).contains(latency))
      }
    }

    @Test func theProducerEndsWithinAPollOfTheFlag() async throws {
      try await waitForIdleMachine()
      for _ in 1...2 {
        let producer = try sandbox.producer()
        try await producer.event("started")
        let time = Date()
        try sandbox.setFlag(false)
        #expect(try await producer.exitCode() == 0)
        #expect(try producer.timeOfLastOutput().timeIntervalSince(time) < 0.6)
      }
    }

    /// A frame, and when it was captured.
    private struct Mark {
      var number: UInt64
      var time: UInt64
    }

    /// The capture times of the first frames met from each of `numbers` on.
    private func captureTimes(ofFrames numbers: [UInt64]) async throws -> [Mark] {
      let ring = try sandbox.ring()
      var marks: [Mark] = []
      for number in numbers {
        marks.append(
          try await eventually("frame \(number)") {
            guard ring.framesPublished >= number else { return nil }
            return try ring.next { stamp, _ in Mark(number: stamp.number, time: stamp.captureTime.nanoseconds)
            }
          })
      }
      return marks
    }

    private func rate(_ first: Mark, _ last: Mark) -> Double {
      Double(last.number - first.number) / (Double(last.time - first.time) / 1e9)
    }
  }
}
