import TestSupport

extension EndToEndTests {
  /// An app that shares the screen with ScreenCaptureKit: its program, and the check of the app.
  @MainActor @Suite(.sharedMachine) struct CaptureAppTests {
    let sandbox = Sandbox.ofSuite()

    private func app(
      _ arguments: [String], faults: String = "", within limit: Duration = ChildProcess.waitLimit
    ) async throws -> (code: Int32?, text: String) {
      let program = try sandbox.launch(
        URL(filePath: "/usr/bin/env"), ["PROBE_FAULTS=\(faults)", BuiltPrograms.probeApp.path] + arguments)
      let code = try await program.exitCode(within: limit)
      return (code, String(decoding: program.output, as: UTF8.self) + program.errors)
    }

    @Test(arguments: [
      (
        "", ["start", "picker-cancel", "user-stop", "second-start", "idle", "background", "lock", "call"],
        "8 passed, 0 failed, 0 not judged"
      ),
      ("audio-alone", ["start", "user-stop", "idle"], "2 passed, 0 failed, 1 not judged"),
    ])
    func aRightAppPasses(faults: String, names: [String], result: String) async throws {
      let pace = PaceMeter.ofCheck
      let (code, text) = try await app(["check"] + names.flatMap { ["--only", $0] }, faults: faults)
      #expect(code == 0, "\(text)")
      try pace.expect { #expect(text.contains(result), "\(text)") }
    }

    @Test func theCheckHasTheEventsAndOptionsOfThatOfAnExtension() async throws {
      let folder = sandbox.folder.appending(path: "kept").path
      let program = try sandbox.launch(
        URL(filePath: "/usr/bin/env"),
        ["PROBE_FAULTS=crashes-on-cancel", BuiltPrograms.probeApp.path, "check", "--json"]
          + ["--only", "picker-cancel", "--keep", folder])
      #expect(try await program.exitCode() == 65)
      let events = try program.events()
      try EventDocument().expect(events, of: "broadcast")
      #expect(events.map(\.name) == ["verdict", "checked"])
      let verdict = try #require(events.first)
      #expect(verdict.boolean("certain") == true && verdict.integer("runs") == 1)
      #expect(verdict.text("repeatCommand")?.hasSuffix("check --only=picker-cancel --seed=1") == true)
      let kept = try #require(verdict.text("kept"))
      #expect(try String(contentsOfFile: "\(kept)/app-1.err", encoding: .utf8).contains("was closed"))
      let list = try await app(["check", "--list", "--only", "capture"])
      #expect(list.code == 0 && list.text.split(separator: "\n").count == 14, "\(list.text)")
    }

    /// The last fault takes 20 s.
    nonisolated static let faults =
      [
        ("expects-a-picture", "idle", "Fatal error: no picture"),
        ("starts-once", "second-start", "The second start led to no stream"),
        ("no-delegate", "system-stop", "was not notified of the end of its stream"),
        ("releases-its-output", "start", "continued without an output"),
        ("crashes-on-cancel", "picker-cancel", "Fatal error: the picker was closed"),
        ("is-slow", "pace", "call with a frame takes longer than the 16.7 ms"),
      ] + (runsLongTests ? [("hangs", "start", "The app has not exited after 20 s")] : [])

    @Test(arguments: faults)
    func aFaultIsFoundAndNamed(fault: String, scenario: String, reason: String) async throws {
      let pace = PaceMeter.ofCheck
      let (code, text) = try await app(["check", "--only", scenario], faults: fault, within: .seconds(120))
      // On an overloaded host, the finding is printed too, but it is not a failure.
      #expect(text.contains(reason), "\(text)")
      // On a host with too few CPUs it is not a failure either, although threads that only wake up are on time.
      if text.contains("were runnable at a time") { try PaceMeter.skip(text) }
      try pace.expect { #expect(code == 65 && text.contains("FAILED"), "\(text)") }
    }

    @Test func anAppWithoutTheBackgroundModeFailsAndLearnsWhatToAdd() async throws {
      let file = sandbox.folder.appending(path: "Info.plist")
      try Data("<plist version=\"1.0\"><dict></dict></plist>".utf8).write(to: file)
      let (code, text) = try await app(["check", "--only", "background", "--info-plist", file.path])
      #expect(code == 65 && text.contains("add screen-capture to UIBackgroundModes"), "\(text)")
    }

    @Test func aMissingInfoPlistIsNoFaultOfTheApp() async throws {
      let (code, text) = try await app(["check", "--info-plist", "missing.plist"])
      #expect(code == 74 && text.contains("missing.plist: no such file"), "\(text)")
      #expect(!text.contains("FAILED"))
    }

    @Test func anAppWithTheRecorderHasAScreenInItsOwnProgram() async throws {
      let (code, text) = try await app(
        ["--framework", "replaykit", "--size", "160x120", "--duration", "3"], faults: "recorder")
      #expect(code == 0, "\(text)")
      #expect(text.split(separator: "\n").filter { $0 == "frame" }.count > 10, "\(text)")
    }

    @Test func anAppWithTheRecorderIsCheckedAndHasFigures() async throws {
      let names = ["start", "declined", "interrupted", "second-start"].flatMap {
        ["--only", "recorder-\($0)"]
      }
      let pace = PaceMeter.ofCheck
      let (code, text) = try await app(["check", "--framework", "replaykit"] + names, faults: "recorder")
      #expect(code == 0, "\(text)")
      try pace.expect { #expect(text.contains("4 passed, 0 failed, 0 not judged"), "\(text)") }
      let (_, lines) = try await app(
        [
          "--framework", "replaykit", "--json", "--size", "160x120", "--at", "0.5s interrupt", "--duration",
          "1",
        ], faults: "recorder")
      #expect(lines.contains("\"kind\":\"asked\"") && lines.contains("\"endingCode\":-5806"), "\(lines)")
      let (_, other) = try await app(["--duration", "0.5"], faults: "recorder")
      #expect(other.contains("No stream started."), "\(other)")
    }

    @Test func anEventOfTheCommandLineReachesTheApp() async throws {
      let (code, text) = try await app(
        ["--size", "160x120", "--at", "0.5s stop", "--at", "0.7s stop", "--duration", "1"])
      #expect(code == 0 && text.contains("the stream ended with -3817"), "\(text)")
      #expect(text.contains("stop: No stream runs."))
    }
  }

  /// `capturer` as an app of ScreenCaptureKit.
  @MainActor @Suite(.sharedMachine) struct StreamCaptureTests {
    let sandbox = Sandbox.ofSuite()

    private func capture(_ arguments: String...) throws -> LaunchedProgram {
      try sandbox.launch(
        BuiltPrograms.capturer,
        ["--framework", "screencapturekit", "--json", "--size", "160x120", "--pattern", "proof"]
          + arguments)
    }

    @Test func framesEnterTheCallWholeAndTurned() async throws {
      let pace = PaceMeter(allowing: .milliseconds(50))
      let program = try capture("--verify", "--at", "0.5s rotate:left", "--frames", "40")
      #expect(try await program.exitCode() == 0, "\(program.errors)")
      let events = try program.events()
      try EventDocument().expect(events, of: "consumer")
      let summary = try #require(events.last)
      #expect((summary.integer("framesTorn"), summary.integer("framesVerified")) == (0, 40))
      let rate = try #require(summary.number("framesPerSecond"))
      try pace.expect {
        #expect(events.filter { $0.name == "format" }.map { $0.integer("orientation") } == [1, 8])
        #expect(rate > 15)
      }
    }

    @Test(arguments: [
      (["--at", "0.5s stop"], 0, -3817), (["--at", "0.5s lock"], 0, -3817),
      (["--at", "0.5s background", "--background-modes", "none"], 76, -3824),
    ]) func theStreamEndsAsAPhoneEndsIt(arguments: [String], exitCode: Int32, code: Int) async throws {
      let program = try sandbox.launch(
        BuiltPrograms.capturer,
        ["--framework", "screencapturekit", "--json", "--size", "160x120"] + arguments)
      #expect(try await program.exitCode() == exitCode, "\(program.errors)")
      let event = try #require(program.events("capture").last)
      #expect(event.text("change") == "interrupted" && event.integer("errorCode") == code)
      #expect(event.text("errorDomain") == "com.apple.ScreenCaptureKit.SCStreamErrorDomain")
    }
  }
}
