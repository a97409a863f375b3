import BroadcastTesting
import ScreenBroadcast
import TestSupport

extension EndToEndTests {
  /// Events that affect a broadcast: scheduled on the command line, or sent by the subcommand `control`.
  @MainActor @Suite struct EventsTests {
    let sandbox = Sandbox.ofSuite()

    @Test func rotationsAndNewSizesReachTheConsumerWithoutATornFrame() async throws {
      // Each format is shown for 0.3 s.
      let pace = PaceMeter(allowing: .milliseconds(50))
      let watcher = try await sandbox.readyWatcher(
        "--verify", "--once", "--wake", "--status-interval", "0.05")
      let producer = try sandbox.producer(
        "--pattern", "proof", "--size", "160x120", "--at", "0.5s", "rotate:left", "--at", "0.8s",
        "resize:320x240",
        "--at", "1.1s rotate:up", "--at", "1.4s", "resize:64x48", "--at", "1.7s", "resize:640x480",
        "--duration", "2")
      #expect(try await producer.exitCode() == 0)
      #expect(try await watcher.exitCode() == 0)
      let formats = try watcher.events("format").map { event in
        "\(event.integer("width") ?? 0)x\(event.integer("height") ?? 0) \(event.integer("orientation") ?? 0)"
      }
      let expected = ["160x120 1", "160x120 8", "320x240 8", "320x240 1", "64x48 1", "640x480 1"]
      #expect(Set(formats).isSubset(of: expected))
      let summary = try await watcher.summary()
      #expect((summary.framesTorn, summary.framesRepeated) == (0, 0))
      let produced = try await producer.broadcastEnd().framesProduced
      try pace.expect {
        #expect(formats == expected)
        #expect(3 * summary.framesVerified > 2 * produced)
      }
    }

    @Test func controlSendsEventsToARunningBroadcast() async throws {
      let producer = try await sandbox.startedProducer()
      #expect(try await control("rotate:right").exitCode == 0)
      #expect(try await producer.event("happened").text("what") == "rotate:right")
      #expect(try await control("pause").exitCode == 0)
      try await producer.event("paused")
      let refused = try await control("pause")
      #expect((refused.exitCode, refused.errors) == (78, "producer: The broadcast is paused already.\n"))
      #expect(try await (control("resume").exitCode, control("stop").exitCode) == (0, 0))
      #expect(try await producer.exitCode() == 0)
      for event in ["stop", "crash"] {
        let late = try await control(event)
        #expect((late.exitCode, late.errors.contains("No broadcast runs")) == (69, true))
      }
      #expect(!FileManager.default.fileExists(atPath: sandbox.container.broadcastFolder + "/control"))
    }

    @Test func anErrorOfReplayKitIsAnOrdinaryEndForTheApp() async throws {
      let watcher = try await sandbox.readyWatcher("--once", "--status-interval", "0.1")
      let producer = try sandbox.producer()
      try await watcher.event("format")
      #expect(try await control("error:interrupted").exitCode == 0)
      #expect(try await producer.exitCode() == 76)
      let end = try await producer.broadcastEnd()
      #expect((end.error?.domain, end.error?.code) == ("com.apple.ReplayKit.RPRecordingErrorDomain", -5806))
      #expect(try sandbox.flag() == false && !sandbox.hasRing)
      #expect(try await watcher.exitCode() == 0)
    }

    private func control(_ event: String) async throws -> Sandbox.Finished {
      try await sandbox.run(
        BuiltPrograms.producer, ["control", event, "--container", sandbox.root, "--quiet"])
    }
  }
}
