import Foundation
import TestSupport
import Testing

extension EndToEndTests {
  /// The reports of both programs after a broadcast with faults.
  @MainActor @Suite struct ReportTests {
    let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    private func text(_ name: String) throws -> String {
      try String(contentsOf: sandbox.folder.appending(path: name), encoding: .utf8)
    }

    private func path(_ name: String) -> String { sandbox.folder.appending(path: name).path }

    @Test func aBroadcastWithFaultsLeavesReportsThatNameThem() async throws {
      let pace = PaceMeter(allowing: .milliseconds(50))
      let consumer = try await sandbox.readyWatcher(
        "--once", "--verify", "--report", path("app.html"), "--junit", path("app.xml"))
      // The handler holds a frame for half a second, and the bars are not the pattern that --verify expects.
      let producer = try sandbox.producer(
        "--pattern", "bars", "--at", "0.5s", "rotate:left", "--at", "0.6s", "slow:0.5", "--at", "1.8s",
        "slow:0", "--ios", "17.4.1", "--memory-limit", "200", "--duration", "2", "--report",
        path("extension.html"), "--junit", path("extension.xml"))
      #expect(try await producer.exitCode(within: .seconds(60)) == 0)
      #expect(try await consumer.exitCode(within: .seconds(60)) == 65)
      let app = try text("app.html")
      #expect(app.contains("<tr class=\"failed\"><td>torn</td>"))
      #expect(app.contains("Frames: 160x120, 420f, orientation left."))
      #expect(app.contains(" without the proof pattern<br>"))
      // The app knows the phone by its file.
      let device = "iphone-15 with iOS 17.4.1, extensions up to 200 MiB"
      #expect(app.contains(device))
      let `extension` = try text("extension.html")
      // What was asked for fails no check.
      #expect(`extension`.contains("<tr class=\"not-judged\"><td>frames</td>"))
      #expect(`extension`.contains(">rotate:left.</td>") && `extension`.contains(device))
      #expect(try text("app.xml").contains("<failure message="))
      #expect(try text("extension.xml").contains("<skipped message="))
      for name in ["app.xml", "extension.xml"] { #expect(try text(name).hasSuffix("</testsuite>\n")) }
      // A late machine is the cause of the frames that it costs.
      try pace.expect { #expect(`extension`.contains("As asked (slow:0.5): ")) }
    }

    @Test func aReportThatCannotBeWrittenIsRefusedBeforeTheBroadcast() async throws {
      for (path, reason) in [
        ("/nowhere/report.html", "its folder does not exist"), (sandbox.folder.path, "it is a folder"),
      ] {
        for program in [
          try sandbox.producer("--report", path), try sandbox.producer("--record-trace", path),
          try sandbox.watcher("--report", path), try sandbox.watcher("--junit", path),
        ] {
          #expect(try await program.exitCode(within: .seconds(60)) == 74)
          #expect(program.errors.contains("\(path) cannot be written: \(reason)"))
        }
      }
    }
  }
}
