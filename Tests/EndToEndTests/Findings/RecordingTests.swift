import EmulatedSystem
import ScreenBroadcast
import TestSupport

extension EndToEndTests {
  /// The files that a handler leaves in its data container, and their faults.
  @MainActor @Suite struct RecordingTests {
    let sandbox = Sandbox.ofSuite()
    private let pace = PaceMeter.ofCheck

    private func film(_ form: String, lasting seconds: String = "3.5") async throws -> LaunchedProgram {
      let program = try sandbox.probeExtension(
        "FilmHandler",
        [
          "--setup-info", "form=\(form)", "--pattern", "bars", "--fps", "30", "--at", "1s pause", "--at",
          "2s resume", "--duration", seconds,
        ])
      #expect(try await program.exitCode() == 0, "\(program.errors)")
      return program
    }

    @Test(.needs(.ffmpeg)) func anExtensionHasFoldersOfItsOwnThatStay() async throws {
      let first = try await film("silent", lasting: "0.5")
      let folder = "\(sandbox.root)/Data/\(sandbox.container.group)"
      #expect(try await first.event("wrote").text("file") == "\(folder)/Documents/film1.mp4")
      let second = try await film("late", lasting: "0.5")
      #expect(try await second.event("wrote").text("file") == "\(folder)/Documents/film1.mp4")
      #expect(FileManager.default.fileExists(atPath: "\(folder)/tmp"))
    }

    /// The arguments are a form of `FilmHandler`, a scenario, the result of its verdict, and a part of the verdict's text.
    @Test(
      .needs(.ffmpeg),
      arguments: [
        ("kept", "finish-without-error", "passed", ""), ("cut", "pause-resume", "passed", ""),
        ("segments", "pause-resume", "passed", ""), ("lapse", "start-finish", "passed", ""),
        ("clip", "finish-without-error", "passed", ""),
        ("unwaited", "start-finish", "failed", "film1.mp4 is lost: finishWriting had not finished"),
        ("black", "start-finish", "passed", "film1.mp4 is black for its first 1.0 s"),
        ("late", "after-the-end", "passed", "result.json was written 0.3 s after"),
      ])
    func aCheckJudgesRecordings(form: String, scenario: String, result: String, what: String) async throws {
      let verdict = try await verdict(on: form, scenario)
      #expect(verdict.text("verdict") == result, "\(verdict.said)")
      let said = verdict.text(result == "passed" ? "figures" : "what") ?? ""
      #expect(what.isEmpty || said.contains(what), "\(said)")
    }

    @Test(.needs(.ffmpeg)) func aRecordingThatTheDesignLeavesNeedNotBeWhole() async throws {
      let design = sandbox.folder.appending(path: "check.json")
      try Data(#"{"leftoverFiles": ["film*.mp4"]}"#.utf8).write(to: design)
      let verdict = try await verdict(on: "unwaited", "start-finish", ["--design", design.path])
      #expect(verdict.text("verdict") == "passed", "\(verdict.said)")
    }

    /// Returns the verdict on the handler that records in this form.
    private func verdict(
      on form: String, _ scenario: String, _ arguments: [String] = []
    ) async throws -> ProgramEvent {
      let plist = try sandbox.infoPlist(principalClass: "ProbeExtension.FilmHandler")
      let check = try await sandbox.run(
        BuiltPrograms.broadcast,
        [
          "check", BuiltPrograms.probeExtension.path, "--json", "--only", scenario, "--info-plist",
          plist.path, "--setup-info", "form=\(form)", "--container", sandbox.folder.path,
        ] + arguments)
      try check.program.expectJudged(pace)
      return try #require(try check.program.events("verdict").first)
    }

    nonisolated static let forms: [(String, RecordingFault.Rule?)] = [
      ("kept", nil), ("cut", nil), ("segments", nil), ("lapse", nil), ("clip", nil), ("silent", nil),
      ("black", .blackBeginning), ("unfinished", .notWhole), ("unwaited", .notWhole), ("apart", .tracksApart),
      ("twice", .writerFailed), ("gaps", .soundLost),
    ]

    @Test(.needs(.ffmpeg), arguments: forms)
    func aRecordingIsJudged(form: String, rule: RecordingFault.Rule?) async throws {
      let recordings = try await film(form).events(RecordingEvent.event)
        .map { try $0.decoded(as: RecordingEvent.self) }
      try pace.expect { #expect(recordings.count == (form == "segments" ? 2 : 1)) }
      let found = recordings.flatMap { RecordingFault.all(of: $0) }
      #expect(found.map(\.rule) == (rule.map { [$0] } ?? []), "\(found)")
    }
  }
}
