import BroadcastTesting
import ScreenBroadcast
import TestSupport

extension EndToEndTests {
  /// Broadcasts that start and end, by the consumer's subcommands or by the producer, in either order.
  @MainActor @Suite struct StartStopCycleTests {
    let sandbox = Sandbox.ofSuite()

    @Test func cyclesOfStartStatusAndStopLeaveNoFlagAndNoRing() async throws {
      for cycle in 1...2 {
        // The JSON goes into the log of the producer, which is a file of the container.
        let started = try await sandbox.consumer("start", "--", "--size", "160x120", "--json")
        #expect(try sandbox.flag() == true && sandbox.hasRing)
        let holder = try sandbox.holder()
        guard case .alive = holder else {
          Issue.record("cycle \(cycle): the holder of the broadcast after 'start' is \(holder)")
          return
        }

        let status = try await sandbox.consumer("status")
        let stopped = try await sandbox.consumer("stop")
        for (subcommand, isActive) in [(started, true), (status, true), (stopped, false)] {
          #expect(subcommand.exitCode == 0 && subcommand.errors.isEmpty, "\(cycle): \(subcommand.errors)")
          let events = try subcommand.program.events()
          #expect(events.map(\.name) == ["status"] && events.first?.boolean("active") == isActive)
          try EventDocument().expect(events, of: "consumer")
        }
        #expect(try (sandbox.flag(), sandbox.holder(), sandbox.hasRing) == (false, .unheld, false))
      }
    }

    @Test func aWatcherReportsTwoBroadcastsOneAfterTheOther() async throws {
      let watcher = try await sandbox.readyWatcher("--verify")
      for _ in 1...2 {
        let before = try watcher.events().count
        let producer = try sandbox.producer("--pattern", "proof")
        try await watcher.event("status", after: before) { $0.boolean("active") == true }
        try await watcher.event("stats", after: before) { $0.number("framesPerSecondOut") ?? 0 > 0 }
        try await producer.endsInOrder()
        try await watcher.event("status", after: before) { $0.boolean("active") == false }
      }
      try await watcher.endsInOrder()
      let summary = try await watcher.summary()
      // Two changes per broadcast, but the first poll may already find the first broadcast active.
      #expect((3...4).contains(summary.statusChanges))
      #expect(summary.framesDelivered >= 2 && summary.framesRepeated == 0 && summary.framesTorn == 0)
    }

    @Test func oneOfTwoSimultaneousStartsIsRefusedWithAReason() async throws {
      for _ in 1...2 {
        let starts = try (1...2).map { _ in
          try sandbox.launch(
            BuiltPrograms.consumer,
            ["start", "--container", sandbox.root, "--wait", "60", "--", "--size", "160x120"])
        }
        var refusals: [String] = []
        for start in starts {
          let code = try await start.exitCode()
          #expect([0, 73].contains(code))
          if code != 0 { refusals.append(start.errors) }
        }
        #expect(refusals.count == 1)
        #expect(refusals.allSatisfy { $0.contains("already running in this app group") }, "\(refusals)")
        #expect(try await sandbox.consumer("stop").exitCode == 0)
      }
    }
  }
}
