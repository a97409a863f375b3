import BroadcastTesting
import Foundation
import TestSupport
import Testing

extension EndToEndTests {
  /// A trace that the real program replays, records and compares.
  @MainActor @Suite struct TraceTests {
    let sandbox: Sandbox
    private let phone = Document.package.appending(path: "Tests/Fuzzing/Seeds/trace/phone.jsonl").path

    init() throws { sandbox = try Sandbox() }

    private func file(_ name: String) -> String { sandbox.folder.appending(path: name).path }

    /// The lines of a trace without arrivals, and with times from the start.
    private func calls(_ path: String) throws -> [NSDictionary] {
      var start: Int?
      return try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map { line in
        var values = try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        let arrival = try #require(values.removeValue(forKey: "arrival") as? Int)
        start = start ?? arrival
        if let time = values["presentation"] as? Int { values["presentation"] = time - (start ?? 0) }
        return values as NSDictionary
      }
    }

    @Test func aTraceThatIsRecordedReplaysToTheSameTrace() async throws {
      let (first, second) = (file("first.jsonl"), file("second.jsonl"))
      for (trace, recording) in [(phone, first), (first, second)] {
        let producer = try sandbox.producer(
          "--trace", trace, "--record-trace", recording, "--expect-trace", trace)
        #expect(try await producer.exitCode() == 0, "\(producer.errors)")
        #expect(
          try producer.events().map(\.name).filter { $0 != "second" } == [
            "started", "paused", "resumed", "trace", "finished",
          ])
        let event = try await producer.event("trace")
        #expect(event.integer("lines") == 15 && event.integer("differences") == 0)
        #expect(event.text("expected") == trace)
        try EventDocument().expect([event], of: "producer")
        let end = try await producer.broadcastEnd()
        #expect(end.reason == "stoppedBySystem" && end.framesProduced == 6)
        #expect(try calls(recording) == calls(phone))
      }
    }

    @Test func aHandlerGetsTheCallsOfTheTraceAtTheirTimes() async throws {
      let record = file("calls")
      let plist = try sandbox.infoPlist(principalClass: "ProbeExtension.RecordingHandler")
      let pace = PaceMeter(allowing: .milliseconds(8))
      let probe = try sandbox.launch(
        BuiltPrograms.probeExtension,
        [
          "--json", "--container", sandbox.root, "--info-plist", plist.path, "--setup-info",
          "record=\(record)",
          "--trace", phone,
        ])
      #expect(try await probe.exitCode() == 0, "\(probe.errors)")
      let given = try CallRecord(path: record)
      #expect(
        given.calls == [
          "broadcastStarted", "broadcastAnnotated com.example.game", "broadcastPaused", "broadcastResumed",
          "broadcastFinished",
        ])
      #expect(given.samplesAfterCalls == [3, 2, 0, 5, 0])
      let times = given.frames.map { Int((1000 * ($0.time - given.frames[0].time)).rounded()) }
      #expect(times == [0, 40, 320, 340, 360, 380])
      try pace.expect {
        let arrivals = given.frames.map { $0.arrival - given.frames[0].arrival }
        for (arrival, time) in zip(arrivals, times) { #expect(abs(1000 * arrival - Double(time)) < 17) }
      }
    }

    @Test func theAppGetsTheFramesOfATraceWhole() async throws {
      // The article's handler leaves out other audio than interleaved packets of 16 bits, which the app reports.
      var lines = try String(contentsOfFile: phone, encoding: .utf8).split(separator: "\n")
        .filter { !$0.contains("Flags") || $0.contains(#""formatFlags":14"#) }
      // A broadcast of half a second may end between two polls of the flag: this one ends three seconds later.
      #expect(lines.removeLast().contains(#""arrival":86400000520000011,"kind":"broadcastFinished""#))
      lines.append(#"{"arrival":86400003520000011,"kind":"broadcastFinished"}"#)
      let trace = file("trace.jsonl")
      try (lines.joined(separator: "\n") + "\n").write(toFile: trace, atomically: true, encoding: .utf8)
      let watcher = try await sandbox.readyWatcher("--verify", "--once")
      let producer = try sandbox.producer("--trace", trace, "--pattern", "proof")
      #expect(try await producer.exitCode() == 0, "\(producer.errors)")
      #expect(try await watcher.exitCode() == 0, "\(watcher.errors)")
      let summary = try await watcher.summary()
      #expect(summary.framesVerified >= 1)
    }

    @Test func aCallThatDiffersIsListedAndExitsWith65() async throws {
      var lines = try String(contentsOfFile: phone, encoding: .utf8).split(separator: "\n")
      lines.remove(at: 3)
      let expected = file("expected.jsonl")
      try (lines.joined(separator: "\n") + "\n").write(toFile: expected, atomically: true, encoding: .utf8)
      let producer = try sandbox.producer("--trace", phone, "--expect-trace", expected)
      #expect(try await producer.exitCode() == 65)
      #expect(producer.errors.contains("\(expected):4: Before this line came {\"arrival\":"))
      #expect(producer.errors.contains("The handler's calls differ from \(expected) in 1 place."))
      #expect(try await producer.event("trace").integer("differences") == 1)
    }

    @Test func aBadFileIsRefusedBeforeTheBroadcast() async throws {
      let bad = file("bad.jsonl")
      try "{\"kind\":\"broadcastStarted\",\"arrival\":1}\nfalse\n"
        .write(toFile: bad, atomically: true, encoding: .utf8)
      let missing = file("none/recorded.jsonl")
      for (option, path, code, text) in [
        ("--trace", bad, 65, "\(bad):2: This is not a JSON object "),
        ("--expect-trace", bad, 65, "\(bad):2: This is not a JSON object "),
        ("--trace", missing, 74, missing), ("--record-trace", missing, 74, missing),
      ] {
        let producer = try sandbox.producer(option, path, "--duration", "0.1")
        #expect(try await producer.exitCode() == code && producer.errors.contains(text), "\(producer.errors)")
        #expect(try producer.events().isEmpty)
      }
    }
  }
}
