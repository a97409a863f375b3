import BroadcastTesting
import TestSupport

extension EndToEndTests {
  /// The built program replays and records a trace.
  @MainActor @Suite struct TraceTests {
    let sandbox = Sandbox.ofSuite()
    private let phone = Document.package.appending(path: "Tests/Fuzzing/Seeds/trace/phone.jsonl").path

    private func file(_ name: String) -> String { sandbox.folder.appending(path: name).path }

    /// Returns the lines of a trace with times from its start: the arrivals in nanoseconds, and the other values.
    private func calls(_ path: String) throws -> (arrivals: [Int], rest: [NSDictionary]) {
      var start: Int?
      var arrivals: [Int] = []
      let rest = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map { line in
        var values = try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        let arrival = try #require(values.removeValue(forKey: "arrival") as? Int)
        start = start ?? arrival
        arrivals.append(arrival - (start ?? 0))
        if let time = values["presentation"] as? Int { values["presentation"] = time - (start ?? 0) }
        return values as NSDictionary
      }
      return (arrivals, rest)
    }

    @Test func aTraceThatIsRecordedReplaysToTheSameTrace() async throws {
      let (first, second) = (file("first.jsonl"), file("second.jsonl"))
      // A call waits for a tick of the screen, at most 17 ms, and for a thread that may be late by the allowance.
      let allowance = Duration.milliseconds(8)
      let (pace, latest) = (PaceMeter(allowing: allowance), .milliseconds(17) + allowance)
      for (trace, recording) in [(phone, first), (first, second)] {
        let producer = try sandbox.producer("--trace", trace, "--record-trace", recording)
        #expect(try await producer.exitCode() == 0, "\(producer.errors)")
        // On an overloaded host, a call may be open for a second, and is then an event.
        #expect(
          try producer.events().map(\.name).filter { !["second", "memory", "call"].contains($0) } == [
            "started", "paused", "resumed", "finished",
          ])
        let end = try await producer.broadcastEnd()
        try pace.expect { #expect(end.framesDropped == 0) }
        #expect(end.reason == "stoppedBySystem" && end.framesProduced == 6)
        let (expected, recorded) = (try calls(phone), try calls(recording))
        #expect(recorded.rest == expected.rest)
        try pace.expect {
          for (one, other) in zip(recorded.arrivals, expected.arrivals) {
            #expect(.nanoseconds(abs(one - other)) <= latest)
          }
        }
      }
    }

    @Test func aBadFileIsRefusedBeforeTheBroadcast() async throws {
      try Data("{\"kind\":\"broadcastStarted\",\"arrival\":1}\nfalse\n".utf8).write(
        to: URL(filePath: file("bad")))
      let producer = try sandbox.producer("--trace", file("bad"), "--duration", "0.1")
      #expect(try await producer.exitCode() == 65 && producer.events().isEmpty)
      #expect(producer.errors.contains("bad:2: This is not a JSON object "), "\(producer.errors)")
    }
  }
}
