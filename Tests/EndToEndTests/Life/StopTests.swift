import BroadcastTesting
import ScreenBroadcast
import SharedMemory
import TestSupport

extension EndToEndTests {
  /// The ends of a broadcast: by the app, by the system, with its source, or after a duration.
  @MainActor @Suite struct StopTests {
    let sandbox = Sandbox.ofSuite()

    @Test func theFlagEndsTheBroadcastWithTheErrorOfTheArticle() async throws {
      let producer = try await sandbox.startedProducer()
      try sandbox.setFlag(false)
      #expect(try await producer.exitCode() == 0)
      let end = try await producer.broadcastEnd()
      #expect(
        (end.reason, end.error?.domain, end.error?.code, end.error?.text)
          == ("stoppedByApp", "ScreenShareBroadcastExtension", 1, "Broadcast completed"))
      #expect(try (sandbox.holder(), sandbox.hasRing) == (.unheld, false))
    }

    @Test(.needs(.python)) func aProgramInAnotherLanguageReadsAndChangesTheFlag() async throws {
      let producer = try await sandbox.startedProducer()
      let script = """
        import plistlib, sys
        path = sys.argv[1]
        with open(path, 'rb') as file: values = plistlib.load(file)
        assert values['broadcastIsActive'] is True, values
        values['broadcastIsActive'] = False
        values['somethingElse'] = 'kept'
        with open(path, 'wb') as file: plistlib.dump(values, file, fmt=plistlib.FMT_BINARY)
        """
      let python = try sandbox.launch(
        try OptionalTool.python.required(), ["-c", script, sandbox.container.preferencesFile])
      #expect(try await python.exitCode() == 0, "\(python.errors)")
      #expect(try await (producer.exitCode(), producer.broadcastEnd().reason) == (0, "stoppedByApp"))

      let next = try sandbox.producer("--frames", "1")
      #expect(try await next.exitCode() == 0)
      let data = try Data(contentsOf: URL(filePath: sandbox.container.preferencesFile))
      #expect(String(decoding: data, as: UTF8.self).contains("kept"))
    }

    @Test(arguments: SignalSources.requestsToEnd)
    func aSignalEndsTheBroadcastAsTheSystemDoes(signal: Int32) async throws {
      let producer = try await sandbox.startedProducer()
      producer.send(signal)
      #expect(try await producer.exitCode() == 0)
      let end = try await producer.broadcastEnd()
      #expect((end.reason, end.error?.domain) == ("stoppedBySystem", nil))
      #expect(try (sandbox.flag(), sandbox.holder(), sandbox.hasRing) == (false, .unheld, false))
    }

    /// `nohup` starts programs like this.
    @Test func aProducerThatIgnoresTheEndOfItsTerminalContinues() async throws {
      let script = "trap '' HUP; exec \"$0\" --container \"$1\" --json --size 160x120"
      let producer = try sandbox.launch(
        URL(filePath: "/bin/sh"), ["-c", script, BuiltPrograms.producer.path, sandbox.root])
      try await producer.event("started")
      producer.send(SIGHUP)
      let stop = try await sandbox.consumer("stop")
      #expect(stop.exitCode == 0, "\(stop.errors)")
      #expect(try await producer.exitCode() == 0, "\(producer.errors)")
      #expect(try await producer.broadcastEnd().reason == "stoppedByApp")
    }

    @Test func twoSignalsAtOnceAreOneRequest() async throws {
      let producer = try await sandbox.startedProducer()
      producer.send(SIGINT)
      try await producer.endsInOrder()
      #expect(try await producer.broadcastEnd().reason == "stoppedBySystem")
      #expect(try sandbox.flag() == false)
    }

    @Test func aSecondSignalEndsAProducerWhoseHandlerDoesNotReturn() async throws {
      let junit = sandbox.folder.appending(path: "run.xml")
      let producer = try sandbox.producer("--at", "0.2s", "slow:60", "--junit", junit.path)
      try await producer.event("happened")
      producer.send(SIGTERM)
      try await eventually("the line about the handler") { producer.errors.contains("has not returned") }
      try await eventually("the end") {
        producer.send(SIGTERM)
        return !producer.isRunning
      }
      #expect(try await (producer.exitCode(), producer.errors.contains("does not return")) == (76, true))
      #expect(try String(contentsOf: junit, encoding: .utf8).contains("76: Give each wait in"))
    }

    @Test func theProducerAcceptsALinkToTheInfoPlistOfAnExtension() async throws {
      let plist = try sandbox.infoPlist(principalClass: "$(PRODUCT_MODULE_NAME).SampleHandler")
      let link = sandbox.folder.appending(path: "Link.plist")
      try FileManager.default.createSymbolicLink(at: link, withDestinationURL: plist)
      let producer = try sandbox.producer("--frames", "2", "--info-plist", link.path)
      #expect(try await producer.exitCode() == 0)
      #expect(!producer.errors.contains("Bundle.main has no values"))
      #expect(try await producer.event("started").text("session") != nil)
      #expect(try await producer.broadcastEnd().framesProduced == 2)
    }

    @Test func aClipOnStandardInputIsBroadcastToItsEnd() async throws {
      let pipe = ProcessLauncher.makePipe()
      let producer = try sandbox.producer("--source", "y4m:-", input: pipe.fileHandleForReading)
      try pipe.fileHandleForReading.close()
      try pipe.fileHandleForWriting.write(contentsOf: Clip(frameCount: 8).data())
      try pipe.fileHandleForWriting.close()
      #expect(try await producer.exitCode() == 0)
      let end = try await producer.broadcastEnd()
      #expect(end.reason == "endOfSource" && end.framesProduced == 8)
    }

    @Test func aPauseDeliversNoFramesUntilItEnds() async throws {
      let pace = PaceMeter(allowing: .milliseconds(40))
      let watcher = try sandbox.watcher()
      let producer = try await sandbox.startedProducer()
      try await sandbox.framesPass(5)
      producer.send(SIGUSR1)
      try await producer.event("paused")
      let ring = try sandbox.ring()
      // Waiting samples are delivered before the handler is paused. The watcher reports the pause.
      try await watcher.event("stats") { $0.text("phase") == "paused" }
      let published = ring.framesPublished
      try await watcher.nextEvent("stats") { $0.text("phase") == "paused" }
      #expect(ring.framesPublished == published)

      producer.send(SIGUSR2)
      try await producer.event("resumed")
      try await sandbox.framesPass(5)
      try await watcher.nextEvent("stats") { $0.text("phase") == "live" }
      try await producer.endsInOrder()
      // On an overloaded host, a call may be open for a second, and is then an event.
      let kinds = try producer.events().map(\.name).filter { !["second", "call"].contains($0) }
      #expect(kinds == ["started", "paused", "resumed", "memory", "finished"])
      try EventDocument().expect(producer.events(), of: "producer")
      // The frames of the pause are neither delivered late nor counted as dropped. The pause is much longer than the few
      // frames that an overloaded host drops.
      let end = try await producer.broadcastEnd()
      try pace.expect { #expect(end.framesDropped < 10) }
    }
  }
}
