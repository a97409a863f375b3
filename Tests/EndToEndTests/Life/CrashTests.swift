import BroadcastTesting
import ScreenBroadcast
import SharedMemory
import TestSupport

extension EndToEndTests {
  /// If either program crashes or is suspended, the other one continues.
  @MainActor @Suite struct CrashTests {
    let sandbox = Sandbox.ofSuite()

    /// The time between two status polls, and a margin for host load.
    private static let onePoll = Duration.seconds(0.5 + 0.25)

    @Test func aKilledProducerIsReportedWithinOnePollAndNoFrameFollows() async throws {
      let pace = PaceMeter(allowing: .milliseconds(20))
      let (watcher, producer) = try await livePair()
      let ring = try sandbox.ring()
      try sandbox.perform(.kill(.extension))
      // The time counts from the release of the lock, because ending a process can take long on an overloaded host. It is
      // not measured on the main thread, which another test may occupy.
      let lockFile = sandbox.container.producerLockFile
      let time = try await Task.detached {
        var time = SystemClock().now
        let hasEnded = try holds {
          let now = SystemClock().now
          guard case .alive = try ProcessLock.holder(at: lockFile) else { return true }
          time = now
          return false
        }
        try #require(hasEnded)
        return time
      }.value
      let crashed = try await watcher.event("crashed")
      #expect(crashed.integer("pid") == Int(producer.pid))
      let latency = crashed.arrival - time
      #expect(try (sandbox.flag(), sandbox.holder()) == (true, .died(pid: producer.pid)))

      let stop = try await sandbox.consumer("stop")
      #expect(stop.exitCode == 75)
      #expect(try sandbox.flag() == false)
      try await watcher.endOfBroadcast()
      let summary = try await figures(of: watcher)
      #expect(summary.framesDelivered + summary.framesSkipped <= ring.framesPublished)
      // The watcher continued to poll while the flag was true.
      #expect(summary.polls > summary.framesDelivered && summary.isWhole)
      try pace.expect { #expect(latency < Self.onePoll) }
    }

    /// During such a start, the handler has neither set the flag nor taken the lock.
    @Test func anEventReachesAStartThatHasNotReturnedAndItsCrashHasACause() async throws {
      let watcher = try await sandbox.readyWatcher()
      let producer = try sandbox.producer("--at", "0s", "slow:60")
      #expect(try await watcher.event("begun").text("line")?.hasSuffix("--at 0s slow:60") == true)
      let pause = try await sandbox.finished(sandbox.start(BuiltPrograms.producer, ["control", "pause"]))
      #expect(pause.errors.contains("The broadcast has not started yet."), "\(pause.errors)")
      let crash = try await sandbox.finished(sandbox.start(BuiltPrograms.producer, ["control", "crash"]))
      #expect(crash.exitCode == 0, "\(crash.errors)")
      #expect(try await producer.end() == .signal(SIGKILL))
      let cause = try await watcher.event("cause") { $0.text("kind") == "crashed" }
      #expect(
        cause.text("text")?.hasSuffix("died while it started.") == true && cause.text("request") == "crash")
      #expect(try await watcher.event("finished").text("how") == "crashed")
    }

    @Test func aNewProducerTakesOverFromAKilledOneAndTheWatcherContinues() async throws {
      let (watcher, _) = try await livePair()
      try sandbox.perform(.kill(.extension))
      try await watcher.event("crashed")
      let second = try sandbox.producer("--pattern", "proof", "--size", "176x144")
      let format = try await watcher.nextEvent("format")
      #expect(format.integer("width") == 176)
      try await sandbox.framesPass(20)
      #expect(try await sandbox.consumer("stop").exitCode == 0)
      #expect(try await second.exitCode() == 0)
      try await watcher.endOfBroadcast()
      #expect(try await figures(of: watcher).isWhole)
      #expect(try watcher.events("crashed").count == 1)
    }

    @Test func aKilledConsumerDoesNotAffectTheProducerOrTheNextConsumer() async throws {
      let (watcher, producer) = try await livePair()
      try sandbox.perform(.kill(.app))
      #expect(try await watcher.end() == .signal(SIGKILL))
      try await sandbox.framesPass(10)
      let next = try sandbox.watcher("--verify", "--frames", "10")
      #expect(try await (next.exitCode(), next.summary().isWhole) == (0, true))
      #expect(producer.isRunning)
    }

    @Test func aSuspendedProducerResumesWithoutABurst() async throws {
      let pace = PaceMeter(allowing: .milliseconds(40))
      let (watcher, producer) = try await livePair()
      try sandbox.perform(.suspend(.extension))
      #expect(try await watcher.event("suspended").integer("pid") == Int(producer.pid))
      try await watcher.nextEvent("stats") { $0.number("framesPerSecondOut") == 0 }
      #expect(try watcher.events("crashed").isEmpty)
      let status = try await sandbox.consumer("status")
      #expect(status.exitCode == 0)
      try sandbox.perform(.resume(.extension))
      #expect(try await watcher.event("resumed").integer("pid") == Int(producer.pid))
      try await watcher.nextEvent("stats") { $0.number("framesPerSecondOut") ?? 0 > 0 }
      try await producer.endsInOrder()
      let end = try await producer.broadcastEnd()
      #expect(end.framesDropped >= 30)
      #expect(try await figures(of: watcher).isWhole)
      try EventDocument().expect(watcher.events(), of: "consumer")
      try pace.expect { #expect(abs(Double(end.framesProduced + end.framesDropped) - 60 * end.seconds) < 5) }
    }

    @Test(.sharedMachineFirst) func aSuspendedConsumerResumesWithoutABurst() async throws {
      let (watcher, producer) = try await livePair()
      try sandbox.perform(.suspend(.app))
      try await sandbox.framesPass(200)
      try sandbox.perform(.resume(.app))
      #expect(try #require(try await watcher.event("appSuspended").number("seconds")) > 2)
      try await watcher.nextEvent("stats") { $0.number("framesPerSecondOut") ?? 0 > 0 }
      let summary = try await figures(of: watcher)
      #expect(summary.missedTicks >= 20 && summary.pollsPerSecond < 30 && summary.isWhole)
      #expect(producer.isRunning)
      try await sandbox.framesPass(3)
    }

    /// A producer of verifiable frames, and a watcher that has received some.
    private func livePair() async throws -> (watcher: LaunchedProgram, producer: LaunchedProgram) {
      let watcher = try sandbox.watcher("--verify")
      let producer = try sandbox.producer("--pattern", "proof")
      try await watcher.event("format")
      try await sandbox.framesPass(10)
      return (watcher, producer)
    }

    private func figures(of watcher: LaunchedProgram) async throws -> AppSummary {
      try await watcher.endsInOrder()
      return try await watcher.summary()
    }
  }
}
