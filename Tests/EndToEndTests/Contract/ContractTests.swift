import Foundation
import Platform
import ScreenBroadcast
import TestSupport
import Testing

extension EndToEndTests {
  /// The interface that other programs depend on: JSON lines, streams, files and exit codes.
  @MainActor @Suite struct ContractTests {
    let sandbox: Sandbox
    let document: EventDocument

    init() throws {
      sandbox = try Sandbox()
      document = try EventDocument()
    }

    @Test func theProducersEventsHaveTheDocumentedKeys() async throws {
      let producer = try await sandbox.startedProducer("--memory-report", "--at", "0.1s", "rotate:left")
      producer.send(SIGUSR1)
      try await producer.event("paused")
      producer.send(SIGUSR2)
      try await producer.event("resumed")
      try sandbox.setFlag(false)
      #expect(try await producer.exitCode() == 0)
      #expect(producer.errors.isEmpty)
      let misuser = try sandbox.probeExtension("KeepingHandler", [])
      try await misuser.event("misuse")
      try await misuser.endsInOrder()
      let list = try sandbox.launch(BuiltPrograms.producer, ["check", "--json", "--list"])
      #expect(try await list.exitCode() == 0)
      let pace = PaceMeter.ofCheck
      let check = try sandbox.launch(BuiltPrograms.producer, ["check", "--json", "--only", "annotation"])
      let code = try await check.exitCode()
      let events = try producer.events() + misuser.events() + list.events() + check.events()
      document.expect(events, of: "producer")
      // The event of a trace is in TraceTests, "call" in HangTests, the others of a handler's files in RecordingTests. The keys of 'socket' and 'notification' are compared with
      // the code in DocumentationTests.
      #expect(
        Set(events.map(\.name))
          == document.eventNames(of: "producer").subtracting([
            "trace", "socket", "notification", "call", "recording", "wrote",
          ]))

      let other = try sandbox.producer("--frames", "1")
      #expect(try await other.exitCode() == 0)
      document.expect(try other.events(), of: "producer")
      // The last, because it may skip the rest.
      try check.expectNoFailure(pace)
      #expect(code == 0)
    }

    @Test func theStartedEventStatesTheFormatAndBitRateOfTheVideo() async throws {
      let producer = try sandbox.producer(
        "--size", "330x240", "--fps", "50", "--format", "420v", "--frames", "1")
      let started = try await producer.event("started")
      #expect(started.integer("pid") == Int(producer.pid))
      #expect(started.text("container") == sandbox.container.folder)
      #expect(started.integer("width") == 330)
      #expect(started.integer("height") == 240)
      #expect(started.text("pixelFormat") == "420v")
      #expect(started.integer("bytesPerRow") == 384)
      #expect(started.number("fps") == 50)
      #expect(started.number("bitRate") == 47_520_000.0)
    }

    @Test(.sharedMachineFirst) func theConsumersEventsHaveTheDocumentedKeys() async throws {
      let watcher = try sandbox.watcher()
      let producer = try sandbox.producer("--app-audio", "tone")
      try await watcher.event("stats")
      let preferences = try Data(contentsOf: URL(fileURLWithPath: sandbox.container.preferencesFile))
      try sandbox.replace(sandbox.container.preferencesFile, with: Data("rubbish".utf8))
      try await watcher.event("problem")
      try sandbox.replace(sandbox.container.preferencesFile, with: preferences)
      producer.send(SIGSTOP)
      try await watcher.event("suspended")
      producer.send(SIGCONT)
      try await watcher.event("resumed")
      watcher.send(SIGSTOP)
      try await sandbox.framesPass(150)
      watcher.send(SIGCONT)
      try await watcher.event("appSuspended")
      _ = try sandbox.launch(
        BuiltPrograms.producer, ["control", "app:background", "--container", sandbox.root])
      try await watcher.event("app")
      producer.send(SIGKILL)
      try await watcher.event("crashed")
      watcher.send(SIGTERM)
      #expect(try await watcher.exitCode() == 75)
      let events = try watcher.events()
      #expect(events.last?.name == "summary")
      let doctor = try await sandbox.consumer("doctor").program.events()
      #expect(doctor.last?.name == "diagnosis")
      document.expect(events + doctor, of: "consumer")
      // The event of 'inspect' is in LayoutTests, those of 'capture' and 'compare' in Life, that of '--serve' in PageTests.
      #expect(
        Set((events + doctor).map(\.name))
          == document.eventNames(of: "consumer").subtracting([
            "inspected", "capture", "comparison", "serving",
          ]))
    }

    @Test func theConsumersSubcommandsPrintOnlyDocumentedEvents() async throws {
      let start = try await sandbox.consumer("start", "--", "--size", "160x120")
      let status = try await sandbox.consumer("status")
      let stop = try await sandbox.consumer("stop")
      for subcommand in [start, status, stop] {
        #expect(subcommand.exitCode == 0)
        #expect(subcommand.errors.isEmpty)
        let events = try subcommand.program.events()
        #expect(events.map(\.name) == ["status"])
        document.expect(events, of: "consumer")
      }
    }

    @Test(arguments: [("up", 1), ("down", 3), ("right", 6), ("left", 8)])
    func theFramesCarryTheirOrientation(name: String, number: Int) async throws {
      let watcher = try sandbox.watcher("--status-interval", "0.02", "--frames", "2")
      _ = try sandbox.producer("--orientation", name)
      let format = try await watcher.event("format")
      #expect(format.integer("orientation") == number)
      #expect(format.integer("width") == 160)
      #expect(format.integer("height") == 120)
      #expect(format.text("pixelFormat") == "420f")
      #expect(try await watcher.exitCode() == 0)
    }

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

    @Test func theConsumerExitsWithAnErrorWhenTheReaderOfItsVideoCloses() async throws {
      let pipe = Launching.makePipe()
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
      #expect(watcher.errors == "consumer: The reader of standard output has exited.\n")
      #expect(producer.isRunning)
    }

    @Test func theWatchEndsWhenTheReaderOfItsEventsClosesAndTheBroadcastContinues() async throws {
      let pipe = Launching.makePipe()
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
      #expect(try await producer.exitCode() == 0)
      #expect(producer.errors.isEmpty)
    }

    @Test(arguments: [("native", 160, 120), ("80x60", 80, 60)])
    func aSnapshotIsAPNGOfTheSizeThatEntersTheCall(size: String, width: Int, height: Int) async throws {
      let file = sandbox.folder.appending(path: "snapshot.png")
      let watcher = try sandbox.launch(
        BuiltPrograms.consumer,
        ["--container", sandbox.root, "--snapshot", file.path, "--output-size", size, "--frames", "2"]
          + ["--status-interval", "0.02", "--quiet"])
      _ = try sandbox.producer()
      #expect(try await watcher.exitCode() == 0)
      let png = try Data(contentsOf: file)
      #expect(png.prefix(8) == Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]))
      #expect(String(decoding: png[12..<16], as: UTF8.self) == "IHDR")
      func number(at offset: Int) -> Int { png[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) } }
      #expect(number(at: 16) == width)
      #expect(number(at: 20) == height)
      #expect(png.suffix(8).prefix(4) == Data("IEND".utf8))
    }

    @Test func helpAndVersionGoToStandardOutput() async throws {
      for program in [BuiltPrograms.producer, BuiltPrograms.consumer] {
        for option in ["--help", "--version"] {
          let result = try await sandbox.run(program, [option])
          #expect(result.exitCode == 0)
          #expect(String(decoding: result.output, as: UTF8.self).hasPrefix(program.lastPathComponent))
          #expect(result.errors.isEmpty)
        }
      }
    }
  }
}
