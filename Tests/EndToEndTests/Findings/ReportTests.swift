import TestSupport

extension EndToEndTests {
  /// The report that both programs write about a broadcast with faults.
  @MainActor @Suite struct ReportTests {
    let sandbox = Sandbox.ofSuite()

    private func text(_ name: String) throws -> String {
      try String(contentsOf: sandbox.folder.appending(path: name), encoding: .utf8)
    }

    private func path(_ name: String) -> String { sandbox.folder.appending(path: name).path }

    @Test func bothProgramsWriteOneReportThatNamesTheFaults() async throws {
      let pace = PaceMeter(allowing: .milliseconds(50))
      let consumer = try await sandbox.readyWatcher(
        "--once", "--verify", "--report", path("run.html"), "--junit", path("app.xml"))
      // The handler holds a frame for half a second, and the bars are not the pattern that --verify expects.
      let producer = try sandbox.producer(
        "--pattern", "bars", "--at", "0.5s", "rotate:left", "--at", "0.6s", "slow:0.5", "--at", "1.8s",
        "slow:0", "--ios", "17.4.1", "--memory-limit", "200", "--duration", "2", "--report",
        path("run.html"), "--junit", path("extension.xml"))
      let code = try await producer.exitCode(within: .seconds(60))
      #expect(try await consumer.exitCode(within: .seconds(60)) == 65)
      let page = try text("run.html")
      #expect(code == (page.contains("class=\"doubtful\"") ? 66 : 0))
      #expect(page.contains("<h1>consumer watch, producer</h1>"))
      #expect(page.contains("<tr class=\"failed\"><td>torn</td>"))
      #expect(page.contains("Frames: 160x120, 420f, orientation left."))
      #expect(page.contains(" without the proof pattern<br>"))
      // The app knows the phone from the phone's file.
      let device = "iphone-15 with iOS 17.4.1, extensions up to 200 MiB"
      #expect(page.ranges(of: "<td>\(device)</td>").count == 2)
      // A requested event fails no check.
      #expect(page.contains("<tr class=\"not-judged\"><td>frames</td>"))
      #expect(page.contains(">rotate:left.</td>"))
      #expect(try text("app.xml").contains("<failure message="))
      #expect(try text("extension.xml").contains("<skipped message="))
      for name in ["app.xml", "extension.xml"] { #expect(try text(name).hasSuffix("</testsuite>\n")) }
      // On an overloaded host, the cause of missing frames is the host load.
      try pace.expect { #expect(page.contains("As requested (slow:0.5): ")) }
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
