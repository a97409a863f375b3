import BroadcastTesting
import TestSupport

extension EndToEndTests {
  /// The subcommand `check` fails no correct handler. `LONG_TESTS=1` runs all scenarios.
  @MainActor @Suite struct RightHandlerTests {
    let sandbox = Sandbox.ofSuite()

    @Test(
      .endsOtherSockets, .needs(.libjpeg),
      arguments: [
        ("JPEGSocketHandler", ["app-dies", "socket-reset", "pictures"]),
        ("TimerHandler", ["app-dies", "pace", "pictures"]),
        ("CombineHandler", ["socket-reset", "pictures"]),
        ("PictureFileHandler", ["annotation", "resize", "pictures", "storage"]),
      ])
    func noScenarioFailsAHandlerOfPictures(handler: String, scenarios: [String]) async throws {
      try await expectNoFailure(of: handler, scenarios)
    }

    @Test(
      .needs(.ffmpeg),
      arguments: [
        ("TCPHandler", ["socket-reset"]), ("MovieHandler", ["lock", "resize"]), ("HEVCHandler", ["call"]),
      ])
    func noScenarioFailsAHandlerOfFilms(handler: String, scenarios: [String]) async throws {
      try await expectNoFailure(of: handler, scenarios)
    }

    @Test(
      .endsOtherSockets,
      arguments: [("PoolHandler", ["resize"]), ("MainQueueHandler", ["orientations"])])
    func noScenarioFailsAnotherHandler(handler: String, scenarios: [String]) async throws {
      try await expectNoFailure(of: handler, scenarios)
    }

    @Test(
      .needs(.libjpeg),
      arguments: [
        ("TimerHandler", "kB a second in the meantime"), ("JPEGSocketHandler", "the handler sends nothing"),
      ])
    func aLongRestTellsWhatTheFarEndGets(handler: String, says: String) async throws {
      let pace = PaceMeter.ofCheck
      let check = try await sandbox.checkRightHandler(handler, ["idle-screen"], withApp: true)
      try check.program.expectJudged(pace)
      let verdict = try #require(try check.program.events("verdict").first)
      #expect(check.exitCode == 0, "\(verdict.said)")
      // If the screen is starved of CPU, its idle time is split into pieces.
      try pace.expect { #expect(verdict.text("figures")?.contains(says) == true, "\(verdict)") }
    }

    @Test(
      .machineAlone, .needs(.ffmpeg, .libjpeg),
      arguments: runsLongTests ? [2, 6] : [2], ["JPEGSocketHandler", "HEVCHandler"])
    func noScenarioFailsARightHandlerBesideBusyLoops(loops: Int, handler: String) async throws {
      try sandbox.startBusyLoops(loops)
      let scenarios = runsLongTests ? ["life", "time"] : ["lock", "handler-time"]
      let check = try await sandbox.checkRightHandler(handler, scenarios, withApp: true)
      try expectNoFailure(of: handler, check)
    }

    private func expectNoFailure(of handler: String, _ scenarios: [String]) async throws {
      let common = ["start-finish", "pause-resume", "lock-pause", "misuse"]
      let check = try await sandbox.checkRightHandler(
        handler, runsLongTests ? [] : common + scenarios, withApp: true)
      try expectNoFailure(of: handler, check)
    }

    /// On an overloaded host, no scenario may be judged: then the exit code is 66, and the test is skipped with the reason.
    private func expectNoFailure(of handler: String, _ check: Sandbox.Finished) throws {
      for verdict in try check.program.events("verdict") where verdict.text("verdict") == "failed" {
        Issue.record("\(handler), \(verdict.text("scenario") ?? ""): \(verdict.said)")
      }
      if check.exitCode == 66 { try check.program.expectJudged(.ofCheck) }
      #expect(check.exitCode == 0, "\(handler): \(check.errors)")
    }
  }
}
