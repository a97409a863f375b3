import Foundation
import TestSupport
import Testing

/// The run as the page knows it, by the events that it takes.
@MainActor @Suite(.sharedMachine) struct RunTests {
  private let temporary = TemporaryFolder.ofSuite()

  /// What a script prints that has a run.
  private func output(of script: String) async throws -> [String] {
    let page = URL(filePath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../../Sources/App/LivePage/Page")
    for name in ["run.js", "events.js"] {
      try FileManager.default.copyItem(
        at: page.appendingPathComponent(name), to: temporary.url.appendingPathComponent(name))
    }
    try Data(#"{"type":"module"}"#.utf8).write(to: temporary.url.appendingPathComponent("package.json"))
    let start = """
      import { Run } from "./run.js";
      import { shownName } from "./events.js";
      const run = new Run();
      run.begin({ startNs: 0, run: {} });
      const take = (second, event) => run.take(event, second * 1e9);

      """
    try Data((start + script).utf8).write(to: temporary.url.appendingPathComponent("script.js"))
    let program = try await FinishedProgram(
      try OptionalTool.node.required(), ["script.js"], in: temporary.url.path)
    #expect(program.exitCode == 0, "\(program.errors)")
    return program.output.split(separator: "\n").map { "\($0)" }
  }

  @Test(.needs(.node)) func aDeviceHasTheNameThatPeopleKnow() async throws {
    let names = ["iphone-15", "iphone-xs-max", "iphone-se", "ipad-pro-11", "iphone-12-mini", "multi-camera"]
    let lines = try await output(of: "for (const name of \(names)) console.log(shownName(name));")
    #expect(
      lines == ["iPhone 15", "iPhone XS Max", "iPhone SE", "iPad Pro 11", "iPhone 12 mini", "multi-camera"])
  }
}
