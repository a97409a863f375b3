import BroadcastTesting
import TestSupport

extension EndToEndTests {
  /// The phone leads the app: events of the producer that affect the consumer.
  @MainActor @Suite(.sharedMachineFirst) struct AppLifeTests {
    let sandbox = Sandbox.ofSuite()

    private func control(_ event: String) async throws -> Sandbox.Finished {
      try await sandbox.run(BuiltPrograms.producer, ["control", event, "--container", sandbox.root])
    }

    @Test(.endsOtherSockets) func thePhoneSuspendsTheAppAndBringsItBackWithItsPage() async throws {
      let app = try await sandbox.readyWatcher("--verify", "--serve")
      let page = try #require(try await app.event("serving").text("address").flatMap(URL.init))
      let port = try #require(page.port.flatMap(UInt16.init(exactly:)))
      let producer = try sandbox.producer("--pattern", "proof")
      try await app.event("format")

      let viewer = try HTTPTestClient(port)
      #expect(try await control("app:background").exitCode == 0)
      let background = try await app.event("app")
      #expect((background.text("change"), background.integer("state")) == ("background", 3))
      // On an overloaded host, five seconds in the background may be over by now, and the app is suspended already.
      let suspension = try await control("app:suspend")
      #expect(suspension.exitCode == 0 || suspension.errors.contains("suspended already"))
      #expect(ProcessState.isStopped(app.pid))
      // The app's sockets are reclaimed: open connections end, and new ones fail.
      #expect(viewer.isClosed())
      #expect(throws: (any Error).self) { _ = try HTTPTestClient(port) }
      try await sandbox.framesPass(20)

      #expect(try await control("app:foreground").exitCode == 0)
      try await app.event("app") { $0.text("change") == "foreground" && $0.integer("state") == 4 }
      try await app.nextEvent("stats") { $0.number("framesPerSecondOut") ?? 0 > 0 }
      let returned = try await eventually("the page of the app") { try? HTTPTestClient(port) }
      returned.send("GET / HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n")
      #expect(returned.gets("200 OK"))

      try await producer.endsInOrder()
      #expect(
        try producer.events("happened").map { $0.text("what") }
          == ["app:background", "app:suspend", "app:foreground"])
      try await app.endOfBroadcast()
      try await app.endsInOrder()
      #expect(try await app.summary().framesTorn == 0)
    }

    @Test func anAppInTheBackgroundIsSuspendedByItself() async throws {
      let app = try await sandbox.readyWatcher()
      let producer = try sandbox.producer("--at", "0.3s", "app:background")
      try await producer.event("happened") { $0.text("what") == "app:suspend" }
      #expect(ProcessState.isStopped(app.pid))
      // The end of the broadcast does not resume the app. The app reports a suspension of more than two seconds.
      try await sandbox.framesPass(150)
      try await producer.endsInOrder()
      #expect(ProcessState.isStopped(app.pid))
      app.send(SIGCONT)
      try await app.event("appSuspended")
    }

    @Test func theAppIsWarnedAndSwipedAwayAndTheNextOneIsFound() async throws {
      let first = try await sandbox.readyWatcher()
      let second = try await sandbox.readyWatcher()
      _ = try await sandbox.startedProducer()
      #expect(try await control("app:memory-warning").exitCode == 0)
      #expect(try await first.event("app").text("change") == "memoryWarning")
      #expect(try await control("app:kill").exitCode == 0)
      #expect(try await first.end() == .signal(SIGKILL))
      #expect(second.isRunning)
      let none = try await control("app:kill")
      #expect((none.exitCode, none.errors.contains("No app runs in")) == (78, true))
      let third = try await sandbox.readyWatcher()
      #expect(try await control("app:memory-warning").exitCode == 0)
      try await third.event("app")
      #expect(try second.events("app").isEmpty)
    }
  }
}
