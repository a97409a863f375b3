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
      let pace = PaceMeter(allowing: .milliseconds(8))
      for (trace, recording) in [(phone, first), (first, second)] {
        let producer = try sandbox.producer(
          "--trace", trace, "--record-trace", recording, "--expect-trace", trace)
        #expect(try await producer.exitCode() == 0, "\(producer.errors)")
        #expect(
          try producer.events().map(\.name).filter { !["second", "memory"].contains($0) } == [
            "started", "paused", "resumed", "trace", "finished",
          ])
        let event = try await producer.event("trace")
        #expect(event.integer("lines") == 15 && event.integer("differences") == 0)
        #expect(event.text("expected") == trace)
        try EventDocument().expect([event], of: "producer")
        let end = try await producer.broadcastEnd()
        #expect(end.reason == "stoppedBySystem" && end.framesProduced == 6)
        #expect(try calls(recording) == calls(phone))
        try pace.expect { #expect(event.integer("lateArrivals") == 0) }
      }
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
