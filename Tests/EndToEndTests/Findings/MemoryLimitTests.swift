import Causes
import PhoneLink
import ScreenBroadcast
import SharedMemory
import TestSupport

extension EndToEndTests {
  /// A producer above its memory limit is killed as on a device, and the consumer reports the reason.
  @MainActor @Suite struct MemoryLimitTests {
    let sandbox = Sandbox.ofSuite()

    /// The limit in megabytes: less than any Swift program uses.
    private static let limit = "1"

    private func record(of pid: Int32) -> MemoryKill? { FactsFile.memoryKill(of: pid, in: sandbox.container) }

    @Test func theAppLearnsTheFootprintWithoutTheEmulatedSystem() async throws {
      let producer = try await sandbox.startedProducer("--device", "ipad-pro-13", "--memory-limit", "120")
      let app = try sandbox.watcher()
      let stats = try await app.event("stats", where: { $0.number("footprintBytes") != nil })
      let process = try ProcessMemory.measure(pid: producer.pid).anonymous
      let footprint = try #require(stats.number("footprintBytes"))
      #expect(footprint > 0 && footprint < Double(process))
      #expect(stats.integer("limitBytes") == 120 << 20)
    }

    @Test func aHandlerLearnsItsMemoryAndWhatIsLeftOfItsLimit() async throws {
      let pace = PaceMeter(allowing: .milliseconds(100))
      let handler = try sandbox.probeExtension(
        "AskingHandler",
        ["--memory-limit", "300", "--at", "0.6s", "allocate:60", "--frames", "240", "--app-audio", "off"])
      #expect(try await handler.exitCode() == 0, "\(handler.errors)")
      let answers = try handler.events("log").compactMap { $0.text("text") }.filter {
        $0.hasPrefix("memory ")
      }
      .map { $0.split(separator: " ").compactMap { Int($0) } }
      try #require(answers.count == 24 && answers.allSatisfy { $0.count == 3 })
      for (answer, next) in zip(answers, answers.dropFirst() + answers.suffix(1)) {
        #expect(answer[0] > 0 && answer[0] + answer[1] == 300 << 20)
        // The two queries follow each other, and memory may be allocated in between.
        #expect(answer[2] < answer[1] + (2 << 20) && answer[2] > next[1] - (2 << 20))
      }
      // The memory is filled in parallel with the frames, and on an overloaded host not before the last one. The memory of the
      // start may be released before.
      let footprints = answers.map { $0[0] }
      let growth = try #require(footprints.max()) - #require(footprints.min())
      try pace.expect { #expect(growth >= 60 << 20) }
    }

    @Test func aProducerAboveItsLimitIsKilledWithTheTextsOfADeviceAndLeavesARecord() async throws {
      let producer = try sandbox.producer("--memory-limit", Self.limit, "--device", "iphone-13")
      try await eventually("the end of the producer") { !producer.isRunning }
      #expect(try await producer.end() == .signal(SIGKILL))
      #expect(
        producer.errors.contains("producer[\(producer.pid)] exceeded mem limit: ActiveHard 1 MB (fatal)"))
      #expect(producer.errors.contains("Attempted to start an invalid broadcast session"))
      #expect(try producer.events("finished").isEmpty)
      let kill = try #require(record(of: producer.pid))
      #expect(kill.pid == producer.pid && kill.limitBytes == 1 << 20 && kill.footprintBytes > 1 << 20)
      #expect(
        kill.pixelBufferBytes + kill.heapBytes + kill.stackBytes + kill.otherBytes == kill.footprintBytes)
      #expect(try FileStatus.read(at: sandbox.container.factsFile)?.permissions == 0o600)

      // The next producer removes the record.
      let next = try sandbox.producer("--frames", "3", "--memory-limit", "off")
      #expect(try await next.exitCode() == 0)
      #expect(record(of: producer.pid) == nil)
    }

    @Test func aHandlerThatAllocatesTooMuchIsKilledDuringTheBroadcastAndTheConsumerReportsIt() async throws {
      let watcher = try sandbox.watcher("--once")
      let producer = try sandbox.producer("--memory-limit", "40")
      // A watch that has received no frame waits for the next broadcast.
      try await watcher.event("format")
      let control = try sandbox.launch(
        BuiltPrograms.producer, ["control", "allocate:200", "--container", sandbox.root])
      let crashed = try await watcher.event("crashed")
      #expect(crashed.integer("pid") == Int(producer.pid))
      #expect(crashed.text("reason") == "memoryLimit" && crashed.integer("limitBytes") == 40 << 20)
      let footprint = try #require(crashed.integer("footprintBytes"))
      #expect(footprint > 40 << 20 && footprint < 240 << 20)
      // The frames are small, so that most of the footprint is the handler's allocation.
      #expect(try #require(crashed.integer("heapBytes")) > 30 << 20)
      #expect(try await producer.end() == .signal(SIGKILL))
      // The broadcast may be over before the command gets its answer.
      try await control.exitCode()
      #expect(try producer.events("finished").isEmpty)
      let kill = try #require(record(of: producer.pid))
      #expect(try kill.session == String(sandbox.ring().session.id, radix: 16))
      #expect(kill.sharedFileBytes.keys.contains("frames.ring"))
      #expect(try await watcher.exitCode() == 75)
    }
  }
}
