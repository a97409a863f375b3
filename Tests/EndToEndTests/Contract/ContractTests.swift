import TestSupport

extension EndToEndTests {
  /// The interface that other programs depend on: JSON lines, streams, files and exit codes.
  @MainActor @Suite struct ContractTests {
    let sandbox = Sandbox.ofSuite()

    @Test func standardOutputCarriesOnlyTheVideoIfTheVideoGoesThere() async throws {
      let watcher = try sandbox.launch(
        BuiltPrograms.consumer,
        ["--container", sandbox.root, "--y4m", "-", "--output-size", "native", "--status-interval", "0.02"]
          + ["--frames", "10"])
      _ = try sandbox.producer("--pattern", "noise")
      #expect(try await watcher.exitCode() == 0, "\(watcher.errors)")
      #expect(try Clip(parsing: watcher.output) == Clip(width: 160, height: 120, frameCount: 10))
      #expect(watcher.errors.contains("Status: active."))
    }

    @Test func whatAHandlerPrintsIsOnStandardErrorAndNotBetweenTheEvents() async throws {
      let probe = try sandbox.probeExtension("PrintingHandler", ["--frames", "20", "--app-audio", "off"])
      #expect(try await probe.exitCode() == 0, "\(probe.errors)")
      // Each line is an event. On an overloaded host, a call may be open for a second, and is then an event.
      let kinds = try probe.events().map(\.name).filter { !["second", "call"].contains($0) }
      #expect(kinds == ["started", "memory", "finished"])
      let lines = probe.errors.split(separator: "\n")
      #expect(lines.count { $0 == "part 99 part 0" } == 19, "\(lines.first ?? "")")
    }

    @Test func theConsumerExitsWithAnErrorWhenTheReaderOfItsVideoCloses() async throws {
      let pipe = ProcessLauncher.makePipe()
      let watcher = try sandbox.launch(
        BuiltPrograms.consumer,
        ["--container", sandbox.root, "--y4m", "-", "--output-size", "native", "--quiet"],
        output: pipe.fileHandleForWriting)
      try pipe.fileHandleForWriting.close()
      let producer = try sandbox.producer()
      let start = await withCheckedContinuation { continuation in
        DispatchQueue.global().async { [file = pipe.fileHandleForReading] in
          continuation.resume(returning: try? file.read(upToCount: 9))
        }
      }
      #expect(start == Data("YUV4MPEG2".utf8))
      try pipe.fileHandleForReading.close()
      #expect(try await watcher.exitCode() == 74)
      #expect(watcher.errors == "consumer: The reader of stdout has exited.\n")
      #expect(producer.isRunning)
    }

    @Test func theWatchEndsWhenTheReaderOfItsEventsClosesAndTheBroadcastContinues() async throws {
      let pipe = ProcessLauncher.makePipe()
      let shared = ["--json", "--container", sandbox.root]
      let watcher = try sandbox.launch(
        BuiltPrograms.consumer, shared + ["--output-size", "native"], output: pipe.fileHandleForWriting)
      let producer = try sandbox.launch(
        BuiltPrograms.producer, shared + ["--size", "128x96", "--duration", "1"],
        output: pipe.fileHandleForWriting)
      try pipe.fileHandleForWriting.close()
      try pipe.fileHandleForReading.close()
      #expect(try await watcher.exitCode() == 74)
      #expect(watcher.errors.contains("output cannot be written"))
      #expect(try await (producer.exitCode(), producer.errors.isEmpty) == (0, true))
    }
  }
}
