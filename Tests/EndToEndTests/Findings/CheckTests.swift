import TestSupport

extension EndToEndTests {
  /// The subcommand `check` finds planted faults, and no fault in the article's handler.
  @MainActor @Suite(.sharedMachineFirst) struct CheckTests {
    let sandbox: Sandbox
    private let programs: TemporaryFolder
    private let pace = PaceMeter.ofCheck

    init() throws { (sandbox, programs) = (try Sandbox(), try .ofPrograms()) }

    /// `.ci/run` runs all scenarios.
    @Test func theArticlesHandlerPassesTheScenariosOfABroadcastsLife() async throws {
      let (report, page) = (
        sandbox.folder.appending(path: "check.xml"), sandbox.folder.appending(path: "check.html")
      )
      let check = try sandbox.launch(
        BuiltPrograms.broadcast,
        [
          "check", BuiltPrograms.producer.path, "--json", "--only", "life", "--junit", report.path,
          "--report", page.path, "--container",
          sandbox.folder.path,
        ])
      let code = try await check.exitCode(within: Self.limit)
      try check.expectNoFailure(pace)
      let verdicts = try check.events("verdict")
      #expect(code == 0)
      #expect(verdicts.count >= 10)
      let checked = try await check.event("checked")
      #expect(checked.integer("passed") == verdicts.count)
      // A frame that arrives during the end is not read.
      let (read, delivered) = (
        try #require(checked.integer("framesRead")), try #require(checked.integer("framesDelivered"))
      )
      #expect(read <= delivered && read > delivered / 2)
      #expect(try String(contentsOf: report, encoding: .utf8).contains("tests=\"\(verdicts.count)\""))
      #expect(try String(contentsOf: page, encoding: .utf8).contains("<tr class=\"passed\"><td>lock</td>"))
      let left = try FileManager.default.contentsOfDirectory(atPath: sandbox.folder.path)
      #expect(left.filter { $0.hasPrefix("producer-check") } == [])
    }

    /// Each scenario, a faulty handler of the probe, and a part of the verdict's text.
    nonisolated static let faults: [(scenario: String, handler: String, what: String)] = [
      ("start-finish", "LeavingHandler", "refused its start 2"),
      ("finish-while-starting", "HurriedHandler", "There was no frame"),
      ("second-start-crash", "StaleHandler", "refused its start 2"),
      ("cycles", "CountingHandler", "refused its start 10"),
      ("cycles", "LingeringHandler", " s: it sleeps in LingeringHandler.broadcastFinished"),
      ("start-finish", "BlockedEndHandler", "BlockedEndHandler.waitForUpload -> DispatchSemaphore.wait."),
      ("start-finish", "MainBlockingHandler", "it waits in MainBlockingHandler.broadcastStarted -> Dispatch"),
      ("start-finish", "MainComputingHandler", "it computes in MainComputingHandler.broadcastStarted"),
      (
        "lock", "SleepingHandler",
        "processSampleBuffer(video) has not returned for 5 s: it sleeps in SleepingH"
      ),
      ("start-finish", "BlockedStartHandler", "broadcastStarted has not returned for "),
      ("cycles", "LitteringHandler", "second broadcast left files"),
      ("cycles", "ListeningHandler", "broadcast left sockets"),
      ("pause-resume", "PauseEndingHandler", "'Paused.'"),
      ("pause-resume", "ResumeEndingHandler", "'Resumed.'"),
      ("pause-resume", "TapEndingHandler", "'Paused for a second.'"),
      ("indicator-stop", "PausedEndHandler", " s: it sleeps in PausedEndHandler.broadcastFinished"),
      ("lock", "LeavingHandler", "refused its start 2"),
      ("lock-pause", "ResumeEndingHandler", "'Resumed.'"),
      ("call", "SilenceHandler", "'Silence.'"), ("call", "PairingHandler", "'There is no audio.'"),
      ("audio-ends", "PairingHandler", "'There is no audio.'"),
      ("route", "FirstFormatHandler", "in its new format does not reach the app"),
      ("orientations", "SidewaysHandler", "after a rotation to upMirrored"),
      ("resize", "FixedSizeHandler", "The size changed"),
      ("shapes", "FullRangeHandler", "'Not in full range.'"),
      ("shapes", "ShearingHandler", "frames with padded rows that are not intact"),
      ("shapes", "ChromaShearingHandler", "frames with padded chroma rows that are not intact"),
      ("pace", "GapHandler", "'Frames are missing.'"), ("pace", "EvenPaceHandler", "'An old frame.'"),
      ("pace", "StillEndingHandler", "'Frames are missing.'"),
      ("overlap", "MixedFrameHandler", "'A frame is mixed.'"),
      (
        "annotation", "AnnotationHandler",
        "An app, in AnnotationHandler.broadcastAnnotated -> _assertionFailure (LifeFaults.swift:"
      ),
      ("misuse", "UnlockingHandler", "that it had not locked"),
      ("misuse", "SuperlessHandler", "without calling super"),
      ("misuse", "HoardingHandler", "with its buffer still locked"),
      ("misuse", "LateHandler", "of a sample that it had released"),
      ("misuse", "KeepingHandler", "no buffer for the next frame"),
      ("audio-packets", "PacketHandler", "The packet's size"),
      ("audio-packets", "ByteOrderHandler", "The app audio is louder than it was played"),
      ("microphone", "NoMicrophoneHandler", "The microphone alone"),
      ("app-dies", "ClingingHandler", "This is another app"),
      ("app-suspended", "WaitingHandler", "blocked while the app was suspended"),
      ("app-stops", "DeafHandler", "has not exited"),
      ("errors", "EndlessHandler", "has not exited"),
      ("finish-without-error", "ExpectantHandler", "There was no end"),
      ("notifications-lost", "HopefulHandler", "'There was no answer.'"),
      ("notifications-lost", "SequenceHandler", "The first is missing"),
      ("notifications-lost", "TallyHandler", "'One of two is missing.'"),
      ("notifications-late", "ImpatientHandler", "'It is too late.'"),
      ("notifications-late", "OnceHandler", "A second answer"),
      ("socket-reset", "UnawareHandler", "neither ended the broadcast nor sent anything"),
      ("socket-reset", "UnawareTCPHandler", "neither ended the broadcast nor sent anything"),
      ("socket-reset", "StuckHandler", "neither ended the broadcast nor sent anything"),
      ("socket-slow", "PatientHandler", "has not exited"),
      ("socket-sliced", "HastyHandler", "The answer is incomplete"),
      ("memory", "GrowingHandler", "killed for its memory"),
      ("storage", "PilingHandler", "a file for every few frames"),
      ("storage", "RawHandler", "grows with each frame"),
    ]

    /// The scenario is not judged if another test runs programs at the same time.
    @Test(.machineAlone) func theTimeOfAHandlerIsMeasured() async throws {
      try await aScenarioFindsItsFault(
        scenario: "handler-time", handler: "SlowHandler", what: "longer for a frame than the 16.7 ms")
    }

    @Test(arguments: faults) func aScenarioFindsItsFault(
      scenario: String, handler: String, what: String
    ) async throws {
      // Without an app, `check` would compare an error of the handler (in quotes) with the end of further broadcasts.
      let app = what.hasPrefix("'") ? try appArguments() : []
      let check = try await check(["--only", scenario] + app, handler: handler)
      let verdicts = try check.program.events("verdict")
      #expect(verdicts.map { $0.text("scenario") } == [scenario])
      try pace.expect { #expect(verdicts.map { $0.text("verdict") } == ["failed"]) }
      #expect(check.exitCode == 65)
      let said = try #require(verdicts[0].text("what"))
      // The text of the handler is in quotes only if the sentence of the scenario repeats it.
      #expect([what, what.replacing("'", with: "")].contains(where: said.contains), "\(said)")
      #expect(try #require(verdicts[0].text("repeatCommand")).contains("check --only=\(scenario)"))
      #expect(check.errors.contains("1 of 1 scenarios failed: \(scenario)."))
      if ["it waits", "it sleeps", "it computes"].contains(where: what.contains) {
        #expect(verdicts[0].boolean("certain") == true && verdicts[0].integer("runs") == 1)
      }
    }

    /// Two other scenarios find only warnings, and `pictures` needs an app that makes pictures. RecordingTests and
    /// PlantedFaultTests cover them.
    @Test func everyScenarioHasAHandlerThatItFinds() async throws {
      let list = try await sandbox.run(
        BuiltPrograms.broadcast, ["check", BuiltPrograms.producer.path, "--list", "--json"])
      let names = try list.program.events("scenario").compactMap { $0.text("name") }
      #expect(names.count > 25)
      let others = ["after-the-end", "handler-time", "idle-screen", "pictures"]
      #expect(Set(names) == Set(Self.faults.map(\.0)).union(others))
    }

    @Test(arguments: [("RefusingHandler", "errors"), ("LonelyHandler", "lock")])
    func aHandlerThatNeedsItsAppIsNotJudgedWithoutIt(handler: String, scenario: String) async throws {
      let check = try await check(["--only", "start-finish", "--only", scenario], handler: handler)
      let verdicts = try check.program.events("verdict")
      #expect(try await check.program.event("checked").integer("framesRead") == 0)
      // On an overloaded host, the ends differ.
      try pace.expect {
        #expect(check.exitCode == 66)
        #expect(verdicts.map { $0.text("verdict") } == ["notJudged", "notJudged"])
        for verdict in verdicts {
          #expect(verdict.said.contains("needs its app") && verdict.said.contains("--app"))
          let reason = handler == "RefusingHandler" ? "refused its start" : "There is no app."
          #expect(verdict.said.contains(reason))
        }
      }
    }

    @Test func aFailedExpectationNamesItsLineAndKeepsWhatTheProcessesWrote() async throws {
      let lines = [
        #"{"meta": {"name": "own", "checks": "A pause.", "onDevice": "It ends."}}"#,
        #"{"app": "launch"}"#, #"{"do": "launch"}"#, #"{"at": "0.1s...0.3s", "do": "pause"}"#,
        #"{"expect": "extension.paused.count", "atLeast": 1, "within": "2s"}"#,
        #"{"expect": "extension.resumed.count", "equals": 1, "otherwise": "It did not resume."}"#,
      ]
      let (kept, report) = (
        sandbox.folder.appending(path: "kept"), sandbox.folder.appending(path: "check.xml")
      )
      let check = try await checkFile(lines, ["--keep", kept.path, "--junit", report.path])
      #expect(check.exitCode == 65)
      let verdict = try await check.program.event("verdict")
      let what =
        "\(sandbox.folder.path)/own.jsonl:6: It did not resume. (extension.resumed.count is 0; expected: 1)"
      #expect(verdict.text("what") == what)
      #expect(try String(contentsOf: report, encoding: .utf8).contains(what))
      #expect((verdict.boolean("certain"), verdict.text("kept")) == (false, "\(kept.path)/own"))
      let files = try FileManager.default.contentsOfDirectory(atPath: "\(kept.path)/own").sorted()
      #expect(files == ["app-1.err", "app-1.jsonl", "extension-1.err", "extension-1.jsonl"])
      let events = try String(contentsOfFile: "\(kept.path)/own/extension-1.jsonl", encoding: .utf8)
      #expect(events.contains(#""event":"paused""#))
    }

    @Test func whatCannotBeKeptIsALineAndNotTheEndOfTheCheck() async throws {
      let lines = [
        #"{"meta": {"name": "own", "checks": "A pause.", "onDevice": "It ends."}}"#,
        #"{"do": "launch"}"#, #"{"expect": "extension.resumed.count", "equals": 1}"#,
      ]
      let refused = try await checkFile(lines, ["--keep", sandbox.folder.path + "/own.jsonl"])
      #expect(refused.exitCode == 73)
      #expect(refused.program.errors.contains("own.jsonl is not a folder. Name another folder with --keep."))
      #expect(try refused.program.events().isEmpty)
      // A folder that can be created, but whose content would have longer paths than the system allows.
      var folder = sandbox.folder.path
      while folder.count < 3900 { folder += "/" + String(repeating: "d", count: 100) }
      folder += "/" + String(repeating: "d", count: 4091 - folder.count)
      let report = sandbox.folder.appending(path: "check.xml")
      let check = try await checkFile(lines, ["--keep", folder, "--junit", report.path])
      #expect((check.exitCode, check.program.errors.contains("/own cannot be written: ")) == (65, true))
      #expect(try await check.program.event("verdict").text("kept") == nil)
      #expect(FileManager.default.fileExists(atPath: report.path))
    }

    @Test func aLineThatIsLateDelaysTheLaterOnes() async throws {
      let check = try await checkFile([
        #"{"meta": {"name": "own", "checks": "A wait.", "onDevice": "It ends."}}"#,
        #"{"do": "launch", "arguments": ["--duration", "0.5"]}"#, #"{"at": "0s", "do": "wait"}"#,
        #"{"at": "0.6s", "expect": "extension.exitCode", "equals": 0}"#,
      ])
      try check.program.expectNoFailure(pace)
      #expect(check.exitCode == 0)
      // The broadcast takes 0.5 s, and the last line waits for 0.6 s after it.
      #expect(try #require(try await check.program.event("verdict").number("seconds")) >= 1.1)
    }

    /// A scenario that leads an app (the probe) through its life.
    private static let life = [
      #"{"meta": {"name": "life", "checks": "An app.", "onDevice": "It ends."}}"#, #"{"app": "launch"}"#,
      #"{"expect": "app.listening.count", "equals": 1}"#, #"{"do": "launch"}"#,
      #"{"expect": "app.state", "equals": 4}"#, #"{"app": "memory-warning"}"#,
      #"{"expect": "app.notified[text=UIApplicationDidReceiveMemoryWarningNotification].count", "equals": 1, "within": "5s"}"#,
      #"{"app": "background", "suspendsAfter": "1s"}"#, #"{"expect": "app.state", "equals": 3}"#,
      #"{"expect": "app.notified[text=UIApplicationDidEnterBackgroundNotification].count", "equals": 1, "within": "5s"}"#,
      #"{"expect": "app.state", "equals": 2, "within": "5s"}"#,
      #"{"expect": "app.reclaimed.count", "equals": 0}"#, #"{"app": "foreground"}"#,
      #"{"expect": "app.state", "equals": 4}"#,
      #"{"expect": "app.notified[text=UIApplicationWillEnterForegroundNotification].count", "equals": 1, "within": "5s"}"#,
      #"{"expect": "app.reclaimed.count", "equals": 1, "within": "5s"}"#,
      #"{"expect": "app.listening.count", "equals": 2, "within": "5s"}"#,
      #"{"app": "kill"}"#, #"{"expect": "app.state", "equals": 1}"#,
      #"{"expect": "app.signal", "equals": 9}"#, #"{"do": "end"}"#,
    ]

    @Test(.endsOtherSockets) func anAppIsLedThroughItsLifeAndItsSocketsAreReclaimed() async throws {
      let check = try await checkFile(Self.life, appArguments())
      try check.program.expectNoFailure(pace)
      let verdict = try await check.program.event("verdict")
      #expect(verdict.text("verdict") == "passed", "\(verdict.said)")
    }

    @Test(.endsOtherSockets) func theStateOfTheAppIsRightWhicheverSideALineNames() async throws {
      let check = try await checkFile(
        [
          #"{"meta": {"name": "own", "checks": "An app.", "onDevice": "It ends."}}"#, #"{"app": "launch"}"#,
          #"{"do": "launch"}"#,
        ]
          + [
            ("do", "app:background", 3), ("do", "app:suspend", 2), ("app", "foreground", 4),
            ("app", "background", 3), ("do", "app:foreground", 4), ("do", "app:kill", 1),
          ]
          .flatMap { side, event, state in
            [#"{"\#(side)": "\#(event)"}"#, #"{"expect": "app.state", "equals": \#(state), "within": "5s"}"#]
          })
      let verdict = try await check.program.event("verdict")
      #expect(verdict.text("verdict") == "passed", "\(verdict.said)")
    }

    @Test func anAppThatEndsByItselfWithAnErrorFails() async throws {
      let app = try script("App", "echo ready; echo it broke >&2; exit 3")
      let check = try await judged(
        BuiltPrograms.producer, ["--json", "--only", "start-finish", "--app", app.path])
      let verdict = try await check.program.event("verdict")
      // The failure is at the line at which the app has exited.
      #expect(verdict.text("what")?.hasSuffix(": The app exited with code 3: it broke.") == true)
      #expect(verdict.boolean("certain") == true)
    }

    @Test(.endsOtherSockets) func theBuiltInScenariosRunBesideAnotherApp() async throws {
      let app = try script("App", "echo ready; exec sleep 86400")
      let names = ["start-finish", "app-suspended", "app-dies", "app-stops"]
      let check = try await check(
        names.flatMap { ["--only", $0] } + ["--app", app.path], handler: "AsynchronousHandler")
      try check.program.expectNoFailure(pace)
      let verdicts = try check.program.sortedVerdicts
      try #require(verdicts.map { $0.text("verdict") } == ["passed", "notJudged", "passed", "passed"])
      #expect(try #require(verdicts[1].text("why")).contains("--app names another"))
    }

    /// Returns the option that names the app of the probe, a link to the same program.
    private func appArguments() throws -> [String] {
      let app = sandbox.folder.appending(path: "ProbeApp")
      if !FileManager.default.fileExists(atPath: app.path) {
        try FileManager.default.createSymbolicLink(at: app, withDestinationURL: BuiltPrograms.probeExtension)
      }
      return ["--app", app.path]
    }

    /// Returns the verdicts on a handler by scenario, by default with its app.
    private func verdicts(
      _ handler: String, _ scenarios: [String], design: String? = nil, withApp: Bool = true
    ) async throws -> [String: ProgramEvent] {
      var arguments = try scenarios.flatMap { ["--only", $0] } + (withApp ? appArguments() : [])
      if let design {
        let file = sandbox.folder.appending(path: "check.json")
        try Data(design.utf8).write(to: file)
        arguments += ["--design", file.path]
      }
      let check = try await check(arguments, handler: handler)
      let verdicts = try check.program.events("verdict")
      if check.exitCode == 0 { try check.program.expectNoFailure(pace) }
      return Dictionary(uniqueKeysWithValues: verdicts.map { ($0.text("scenario") ?? "", $0) })
    }

    @Test(.endsOtherSockets) func aHandlerThatEndsWithItsAppIsJudgedBesideIt() async throws {
      let names = [
        "app-dies", "app-suspended", "errors", "lock-pause", "pause-resume", "indicator-stop", "socket-reset",
        "start-finish",
      ]
      let verdicts = try await verdicts("DependentHandler", names)
      for name in names {
        #expect(verdicts[name]?.text("verdict") == "passed", "\(name): \(verdicts[name]?.said ?? "")")
      }
      for name in ["app-dies", "app-suspended"] {
        #expect(verdicts[name]?.text("figures")?.contains("ended with its app") == true)
      }
    }

    @Test(
      .endsOtherSockets,
      arguments: [
        ("DependentHandler", #"{"withoutApp": "waits"}"#, "failed", "The app has ended."),
        ("RecorderHandler", #"{"withoutApp": "ends"}"#, "failed", "states that the broadcast ends"),
        ("DependentHandler", #"{"withoutApp": "ends"}"#, "passed", ""),
        (
          "ClingingHandler", #"{"skippedScenarios": {"app-dies": "No app."}}"#, "notJudged",
          "check.json: No app."
        ),
      ])
    func aStatedDesignIsJudged(handler: String, design: String, result: String, what: String) async throws {
      let verdict = try #require(try await verdicts(handler, ["app-dies"], design: design)["app-dies"])
      #expect(verdict.text("verdict") == result)
      #expect(what.isEmpty || verdict.said.contains(what), "\(verdict.said)")
    }

    /// `ProbeApp` listens in the container, as most apps of this kind do.
    @Test(.endsOtherSockets) func whatTheAppHasOpenIsNotWhatABroadcastLeaves() async throws {
      let right = try await verdicts("DependentHandler", ["cycles", "resize"])
      for name in ["cycles", "resize"] {
        #expect(right[name]?.text("verdict") == "passed", "\(name): \(right[name]?.said ?? "")")
      }
      let wrong = try await verdicts("ListeningHandler", ["cycles"])
      let what = try #require(wrong["cycles"]?.text("what"))
      #expect(what.contains("broadcast left sockets") && what.contains("left.socket"), "\(what)")
      #expect(!what.contains("/app"), "\(what)")
    }

    /// A connection counts if the handler uses it, and audio if the handler reads it. A recording may stay.
    @Test(arguments: [
      ("ReconnectingHandler", "socket-reset", "passed"), ("OneRequestHandler", "socket-reset", "notJudged"),
      ("FinishingHandler", "microphone", "notJudged"), ("ByteOrderHandler", "microphone", "passed"),
      ("RecorderHandler", "cycles", "passed"),
    ])
    func aHandlerIsJudgedByWhatItUses(handler: String, scenario: String, result: String) async throws {
      let verdict = try await verdicts(handler, [scenario], withApp: false)[scenario]
      #expect(verdict?.text("verdict") == result, "\(verdict?.said ?? "")")
    }

    /// Only the encoder's memory grows here. The handler's memory grows in `GrowingHandler`.
    @Test(.needs(.ffmpeg)) func theMemoryOfAnEncoderIsNotThatOfTheHandler() async throws {
      try await aHandlerIsJudgedByWhatItUses(handler: "FilmHandler", scenario: "memory", result: "passed")
    }

    @Test func theFilesOfTheDesignMayStay() async throws {
      let design = #"{"leftoverFiles": ["frames-*"]}"#
      let verdict = try await verdicts("LitteringHandler", ["cycles"], design: design, withApp: false)[
        "cycles"]
      #expect(verdict?.text("verdict") == "passed", "\(verdict?.said ?? "")")
    }

    private func script(_ name: String, _ text: String) throws -> URL {
      let file = URL(filePath: programs(name))
      try makeShellScript(text, at: file.path)
      return file
    }

    private func scenarioFile(_ lines: [String]) throws -> String {
      let file = sandbox.folder.appending(path: "own.jsonl")
      try Data(lines.joined(separator: "\n").utf8).write(to: file)
      return file.path
    }

    private func checkFile(_ lines: [String], _ arguments: [String] = []) async throws -> Sandbox.Finished {
      let file = try scenarioFile(lines)
      return try await judged(BuiltPrograms.producer, ["--json", "--scenario", file] + arguments)
    }

    @Test(arguments: [
      (["--app", "/nowhere/App"], 74, "/nowhere/App is not a program"),
      (["--only", "nothing"], 64, "No scenario has the name or tag 'nothing'"),
      (["--only", "loock"], 64, "did you mean 'lock'?"),
      (["--only", "lock", "--scenario", "x"], 64, "--only and --scenario cannot be combined"),
      (["--scenario", "/nowhere/x.jsonl"], 74, "/nowhere/x.jsonl"),
      (["--fps", "30"], 64, "There is no option '--fps'"),
    ]) func aWrongCommandLineIsRefused(arguments: [String], code: Int32, problem: String) async throws {
      let check = try await sandbox.run(
        BuiltPrograms.broadcast, ["check", BuiltPrograms.producer.path] + arguments)
      #expect((check.exitCode, check.errors.contains(problem)) == (code, true))
    }

    @Test func anInterruptEndsWhatTheCheckStarted() async throws {
      // A broadcast that takes longer than the test.
      let file = try scenarioFile([
        #"{"meta": {"name": "own", "checks": "A wait.", "onDevice": "It ends."}}"#,
        #"{"do": "launch"}"#, #"{"at": "600s", "do": "end"}"#,
      ])
      let check = try sandbox.launch(
        BuiltPrograms.broadcast,
        [
          "check", BuiltPrograms.producer.path, "--json", "--scenario", file, "--container",
          sandbox.folder.path,
        ])
      try await eventually("an extension runs") { try !self.extensions().isEmpty }
      check.send(SIGINT)
      #expect(try await (check.exitCode(), check.errors.contains("Interrupted before the end")) == (69, true))
      #expect(try extensions() == [])
      let left = try FileManager.default.contentsOfDirectory(atPath: sandbox.folder.path)
      #expect(left.filter { $0.hasPrefix("producer-check") } == [])
    }

    private func extensions() throws -> [Int32] {
      try Host.processes(with: "--container=\(sandbox.folder.path)/producer-check")
    }

    private func check(_ arguments: [String], handler: String) async throws -> Sandbox.Finished {
      let plist = try sandbox.infoPlist(principalClass: "ProbeExtension.\(handler)")
      return try await judged(
        BuiltPrograms.probeExtension, ["--json", "--info-plist", plist.path] + arguments)
    }

    /// The scenarios of a broadcast's life take 25 s on two busy cores. If threads are late, each scenario runs up to three
    /// times.
    private static let limit = Duration.seconds(300)

    /// Returns a check of a program, unless the host was too slow for its verdicts.
    private func judged(_ program: URL, _ arguments: [String]) async throws -> Sandbox.Finished {
      let check = try sandbox.launch(BuiltPrograms.broadcast, ["check", program.path] + arguments)
      try await check.exitCode(within: Self.limit)
      try check.expectJudged(pace)
      return try await sandbox.finished(check)
    }
  }
}
