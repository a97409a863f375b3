import EmulatedSystem
import Foundation
import LivePage
import TestSupport
import Testing

/// The controls of the page, in its own scripts.
@MainActor @Suite struct ControlsTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../Sources/App/LivePage/Page")

  private struct Form: Encodable {
    var usage: String
    var expects: String
  }

  private static let forms =
    DeviceEvent.forms.map { Form(usage: $0.usage, expects: $0.expectation ?? "") }
    + ContentCapture.eventForms.map { Form(usage: $0.usage, expects: $0.expectation ?? "") }
    + InAppCapture.eventForms.map { Form(usage: $0.usage, expects: $0.expectation ?? "") }

  @Test func theGroupsNameEventsThatExist() throws {
    let script = try String(contentsOf: Self.folder.appending(path: "controls.js"), encoding: .utf8)
    let groups = try #require(script.firstMatch(of: #/const groups = \[\n(.*?)\n\];/#.dotMatchesNewlines())).1
    let words = groups.matches(of: #/\["[^"]+", \[(.*?)\]\]/#).flatMap {
      $0.1.matches(of: #/"([^"]+)"/#).map(\.1)
    }
    #expect(words.count > 20)
    let known = Set(Self.forms.map { $0.usage.prefix { $0 != ":" } } + ["consumer stop"])
    #expect(words.filter { !known.contains($0) } == [])
  }

  @Test(.needs(.node))
  func anEmptyFieldSendsAnEvent() async throws {
    let forms = Self.forms.filter { !$0.expects.isEmpty && !$0.expects.hasPrefix("one of ") }
    let values = try await run(
      """
      import { example } from "./controls.js";
      for (const { usage, expects } of input) {
        const [word, placeholder] = usage.split(":");
        console.log(`${word}:${example(expects, placeholder)}`);
      }
      """, forms)
    #expect(values.count == forms.count)
    #expect(values.contains("socket:latency,latency=300"))
    for text in values {
      #expect(throws: Never.self, "\(text)") {
        do { _ = try DeviceEvent(text: text) } catch { _ = try SystemEvent<ContentCapture>(text: text) }
      }
    }
  }

  /// The lines that a script writes with the page's controls beside it.
  private func run(_ script: String, _ input: some Encodable) async throws -> [String] {
    try await withFolder { folder in
      for name in ["controls.js", "events.js"] {
        try FileManager.default.copyItem(
          at: Self.folder.appending(path: name), to: folder.appending(path: name))
      }
      try Data(#"{"type": "module"}"#.utf8).write(to: folder.appending(path: "package.json"))
      try JSONEncoder().encode(input).write(to: folder.appending(path: "input.json"))
      let start = """
        import { readFileSync } from "node:fs";
        const input = JSON.parse(readFileSync("input.json"));

        """
      try Data((start + script).utf8).write(to: folder.appending(path: "run.mjs"))
      let run = try await FinishedProgram(
        try OptionalTool.node.required(), ["run.mjs"], in: folder.path)
      #expect(run.exitCode == 0, "\(run.errors)")
      return run.output.split(separator: "\n").map(String.init)
    }
  }
}
