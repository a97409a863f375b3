import TestSupport

extension EndToEndTests {
  /// A capture inside the app: one process, no extension.
  @MainActor @Suite(.sharedMachineFirst) struct CaptureTests {
    let sandbox = Sandbox.ofSuite()

    private func capture(_ arguments: String...) throws -> LaunchedProgram {
      try sandbox.launch(
        BuiltPrograms.capturer, ["--json", "--size", "160x120", "--output-size", "native"] + arguments)
    }

    @Test func theCallReceives24FramesPerSecondOfA60HzScreenAndVerifiesEachFrame() async throws {
      let pace = PaceMeter(allowing: .milliseconds(40))
      let program = try capture("--pattern", "proof", "--verify", "--frames", "44")
      #expect(try await program.exitCode() == 0, "\(program.errors)")
      let events = try program.events()
      try EventDocument().expect(events, of: "consumer")
      #expect(events.first?.name == "capture" && events.first?.text("change") == "started")
      #expect(try program.events("format").map { $0.integer("orientation") } == [1])
      let summary = try #require(events.last)
      let delivered = try #require(summary.integer("framesDelivered"))
      let rate = try #require(summary.number("framesPerSecond"))
      let samples = try #require(summary.number("pollsPerSecond"))
      // If the first or the last sample is late, the time between them is shorter: one more sample is allowed for each.
      let seconds = try #require(summary.number("secondsActive"))
      let polls = try #require(summary.integer("polls"))
      #expect(Double(delivered) <= 24 * seconds + 2 && Double(polls) <= 60 * seconds + 2)
      #expect(delivered == 44 && summary.integer("framesVerified") == 44)
      #expect(summary.integer("framesTorn") == 0 && summary.integer("framesRepeated") == 0)
      try pace.expect { #expect(rate > 20 && samples > 45) }
    }

    @Test func aSnapshotGoesToStandardOutput() async throws {
      let program = try sandbox.launch(
        BuiltPrograms.capturer, ["--size", "160x120", "--frames", "2", "--snapshot", "-"])
      #expect(try await program.exitCode() == 0, "\(program.errors)")
      #expect(program.output.starts(with: [0x89] + Data("PNG\r\n".utf8)))
      #expect(program.errors.contains("2 frames"))
    }

    @Test(arguments: [
      ("denied", 77, -5801), ("disabled", 77, -5802), ("call", 77, -5811), ("fails", 76, -5833),
      ("unanswered", 69, nil),
    ])
    func whatTheSystemAnswersToAStartHasAnExitCode(answer: String, exitCode: Int32, code: Int?) async throws {
      let program = try capture("--permission", answer, "--duration", "0.5")
      #expect(try await program.exitCode() == exitCode)
      let events = try program.events().filter { $0.name != "stats" }
      try EventDocument().expect(events, of: "consumer")
      #expect(events.map(\.name) == (code == nil ? ["summary"] : ["capture", "summary"]))
      guard let code else { return }
      #expect(events[0].text("change") == "refused" && events[0].integer("errorCode") == code)
      #expect(events[0].text("errorDomain") == "com.apple.ReplayKit.RPRecordingErrorDomain")
      #expect(program.errors.hasPrefix("capturer: The capture was refused ("))
    }

    @Test func theCapturePausesInTheBackgroundAndResumesInTheForeground() async throws {
      let program = try capture("--pattern", "proof", "--verify", "--at", "0.3s background")
      try await program.event("capture") { $0.text("change") == "background" }
      program.send(SIGUSR2)
      try await program.event("capture") { $0.text("change") == "foreground" }
      // Without a frame, a capture in the background is not reported as paused.
      try await program.event("format")
      let start = try program.events().count
      program.send(SIGUSR1)
      try await program.event("capture", after: start) { $0.text("change") == "background" }
      try await program.event("stats", after: start) {
        $0.text("phase") == "paused" && $0.number("framesPerSecondIn") == 0
      }
      let before = try program.events().count
      program.send(SIGUSR2)
      try await program.event("capture", after: before) { $0.text("change") == "foreground" }
      try await program.event("stats", after: before) { $0.text("phase") == "live" }
      program.send(SIGUSR1)
      try await program.event("capture", after: before) { $0.text("change") == "background" }
      try await program.endsInOrder(by: SIGINT)
      #expect(try program.events().last?.integer("framesTorn") == 0)
    }

    @Test func theVideoStatesTheRateOfTheCall() async throws {
      let program = try sandbox.launch(
        BuiltPrograms.capturer,
        ["--size", "160x120", "--output-size", "80x60", "--y4m", "-", "--frames", "6"])
      #expect(try await program.exitCode() == 0, "\(program.errors)")
      let video = program.output
      #expect(try Clip(parsing: video) == Clip(width: 80, height: 60, frameCount: 6))
      #expect(String(decoding: video.prefix(60), as: UTF8.self).contains(" F24:1"))
    }
  }
}
