import Foundation
import ScreenBroadcast
import SharedMemory
import TestSupport
import Testing

extension EndToEndTests {
  /// Either program crashes or is suspended, and the other one continues.
  @MainActor @Suite struct CrashTests {
    let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    /// The seconds between two status polls, and a margin for a busy machine.
    private static let onePoll = 0.5 + 0.25

    @Test func aKilledProducerIsReportedWithinOnePollAndNoFrameFollows() async throws {
      let pace = PaceMeter(allowing: .milliseconds(20))
      let (watcher, producer) = try await livePair()
      let ring = try sandbox.ring()
      let time = Date()
      producer.send(SIGKILL)
      let crashed = try await watcher.event("crashed")
      #expect(crashed.integer("pid") == Int(producer.pid))
      // The watcher prints nothing after the crash, so the time of its last output is that of the report.
      let latency = try watcher.timeOfLastOutput().timeIntervalSince(time)
      #expect(try sandbox.flag() == true)
      #expect(try sandbox.holder() == .died(pid: producer.pid))

      let stop = try await sandbox.consumer("stop")
      #expect(stop.exitCode == 75)
      #expect(try sandbox.flag() == false)
      try await watcher.endOfBroadcast()
      let summary = try await end(watcher)
      let delivered = try #require(summary.integer("framesDelivered"))
      #expect(delivered + (try #require(summary.integer("framesSkipped"))) <= ring.framesPublished)
      // The watcher continued to poll while the flag was true.
      #expect(try #require(summary.integer("polls")) > delivered)
      try expectComplete(summary)
      try pace.expect { #expect(latency < Self.onePoll) }
    }

    @Test func aWatchWithOnceEndsWhenTheProducerCrashes() async throws {
      let watcher = try sandbox.watcher("--once")
      let producer = try sandbox.producer()
      try await watcher.event("format")
      producer.send(SIGKILL)
      #expect(try await watcher.exitCode() == 75)
      #expect(watcher.errors.contains("\(producer.pid)"))
      #expect(try await sandbox.consumer("status").exitCode == 75)
    }

    @Test func aNewProducerTakesOverFromAKilledOneAndTheWatcherContinues() async throws {
      let (watcher, first) = try await livePair()
      first.send(SIGKILL)
      try await watcher.event("crashed")
      let second = try sandbox.producer("--pattern", "proof", "--size", "176x144")
      let format = try await watcher.nextEvent("format")
      #expect(format.integer("width") == 176)
      try await sandbox.framesPass(20)
      #expect(try await sandbox.consumer("stop").exitCode == 0)
      #expect(try await second.exitCode() == 0)
      try await watcher.endOfBroadcast()
      try expectComplete(try await end(watcher))
      #expect(try watcher.events("crashed").count == 1)
    }

    @Test func repeatedKillsOfTheProducerDoNotAffectTheWatcher() async throws {
      let watcher = try sandbox.watcher("--verify", "--status-interval", "0.05")
      for frames in [1, 7, 2, 12, 4] as [UInt64] {
        let producer = try sandbox.producer("--pattern", "proof", "--fps", "120")
        try await producer.event("started")
        try await eventually("\(frames) frames") { try sandbox.ring().framesPublished >= frames }
        producer.send(SIGKILL)
        try await watcher.event("crashed") { $0.integer("pid") == Int(producer.pid) }
      }
      try sandbox.setFlag(false)
      try await watcher.endOfBroadcast()
      try expectComplete(try await end(watcher))
    }

    @Test func aKilledConsumerDoesNotAffectTheProducerOrTheNextConsumer() async throws {
      let (watcher, producer) = try await livePair()
      watcher.send(SIGKILL)
      try await eventually("the end of the consumer") { !watcher.isRunning }
      #expect(watcher.endingSignal == SIGKILL)
      try await sandbox.framesPass(10)
      let next = try sandbox.watcher("--verify", "--frames", "10")
      #expect(try await next.exitCode() == 0)
      try expectComplete(try await next.event("summary"))
      #expect(producer.isRunning)
    }

    @Test func aSuspendedProducerResumesWithoutABurst() async throws {
      let pace = PaceMeter(allowing: .milliseconds(40))
      let (watcher, producer) = try await livePair()
      producer.send(SIGSTOP)
      #expect(try await watcher.event("suspended").integer("pid") == Int(producer.pid))
      try await watcher.nextEvent("stats") { $0.number("framesPerSecondOut") == 0 }
      #expect(try watcher.events("crashed").isEmpty)
      let status = try await sandbox.consumer("status")
      #expect(status.exitCode == 0)
      producer.send(SIGCONT)
      #expect(try await watcher.event("resumed").integer("pid") == Int(producer.pid))
      try await watcher.nextEvent("stats") { $0.number("framesPerSecondOut") ?? 0 > 0 }
      producer.send(SIGTERM)
      #expect(try await producer.exitCode() == 0)
      let finished = try await producer.event("finished")
      let produced = try #require(finished.integer("framesProduced"))
      let dropped = try #require(finished.integer("framesDropped"))
      let seconds = try #require(finished.number("seconds"))
      #expect(dropped >= 30)
      try expectComplete(try await end(watcher))
      try pace.expect { #expect(abs(Double(produced + dropped) - 60 * seconds) < 5) }
    }

    @Test func aSuspendedConsumerResumesWithoutABurst() async throws {
      let (watcher, producer) = try await livePair()
      watcher.send(SIGSTOP)
      try await sandbox.framesPass(200)
      watcher.send(SIGCONT)
      #expect(try #require(try await watcher.event("appSuspended").number("seconds")) > 2)
      try await watcher.nextEvent("stats") { $0.number("framesPerSecondOut") ?? 0 > 0 }
      let summary = try await end(watcher)
      #expect(try #require(summary.integer("missedTicks")) >= 20)
      #expect(try #require(summary.number("pollsPerSecond")) < 30)
      try expectComplete(summary)
      #expect(producer.isRunning)
      try await sandbox.framesPass(3)
    }

    /// A producer of verifiable frames, and a watcher that has received some.
    private func livePair() async throws -> (watcher: RunningProgram, producer: RunningProgram) {
      let watcher = try sandbox.watcher("--verify")
      let producer = try sandbox.producer("--pattern", "proof")
      try await watcher.event("format")
      try await sandbox.framesPass(10)
      return (watcher, producer)
    }

    private func end(_ watcher: RunningProgram) async throws -> ProgramEvent {
      watcher.send(SIGTERM)
      #expect(try await watcher.exitCode() == 0, "\(watcher.errors)")
      return try await watcher.event("summary")
    }

    private func expectComplete(_ summary: ProgramEvent) throws {
      #expect(try #require(summary.integer("framesDelivered")) > 0)
      #expect(summary.integer("framesVerified") == summary.integer("framesDelivered"))
      #expect(summary.integer("framesRepeated") == 0)
      #expect(summary.integer("framesTorn") == 0)
    }
  }
}
