import TestSupport

/// Tests the page's model of a run, with the events that it receives.
@MainActor @Suite(.sharedMachine) struct RunTests {
  private let temporary = TemporaryFolder.ofSuite()

  /// Returns the lines that a script prints. The script can use `run` and `take`.
  private func output(of script: String) async throws -> [String] {
    let page = URL(filePath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../../Sources/App/CPageFiles/Page")
    for name in ["run.js", "base.js"] {
      try FileManager.default.copyItem(
        at: page.appendingPathComponent(name), to: temporary.url.appendingPathComponent(name))
    }
    try Data(#"{"type":"module"}"#.utf8).write(to: temporary.url.appendingPathComponent("package.json"))
    let start = """
      import { Run } from "./run.js";
      import { shownName } from "./base.js";
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

  @Test(.needs(.node)) func anAppThatWasStartedAgainAddsNothingToWhatThePageHasSeen() async throws {
    let lines = try await output(
      of: """
        const begun = { event: "begun", atNs: 1e9, pid: 7, text: "The broadcast begins." };
        const crash = { event: "cause", id: "crashed 7", kind: "crashed", name: "Crash", isOpen: false };
        take(1, begun);
        take(2, { event: "stats", phase: "live", framesPerSecondIn: 60, framesPerSecondOut: 30, ageMs: 16 });
        const end = { event: "finished", how: "crashed", text: "The extension has crashed." };
        take(10, end);
        take(10, { ...crash, severity: "fault", fromNs: 10e9, was: "crashed: the extension died." });
        run.begin({ startNs: 20e9, run: {} });
        take(21, begun);
        take(21, end);
        take(21, { ...crash, severity: "note", fromNs: 21e9, was: "left by an earlier broadcast." });
        const [before, after] = [run.moment(15), run.moment(22)];
        console.log(run.faults.map(({ was }) => was).join());
        console.log(run.events.filter(({ text }) => text === "The broadcast begins.").length);
        console.log(before.phase, after.phase, after.cause.from);
        console.log(run.events.filter(({ text }) => text === "The extension has crashed.").length);
        """)
    #expect(lines == ["crashed: the extension died.", "1", "crashed crashed 10", "1"])
  }

  @Test(.needs(.node)) func aPictureThatFrozeHasItsCause() async throws {
    let lines = try await output(
      of: """
        take(1, { event: "begun" });
        take(2, { event: "stats", phase: "live", framesPerSecondIn: 60, framesPerSecondOut: 30, ageMs: 16 });
        for (const [second, isOpen] of [[3, true], [6, false]]) {
          take(second, { event: "cause", id: "s", kind: "suspended", severity: "warning", isOpen, fromNs: 3e9, toNs: second * 1e9 });
        }
        const { phase, cause, since } = run.moment(4);
        console.log(phase, cause.id, cause.level, since, run.faultsText);
        """)
    #expect(lines == ["suspended s bad 3 1 fault"])
  }

  @Test(.needs(.node)) func aPageSaysNothingOfFramesThatNobodyCounts() async throws {
    let lines = try await output(
      of: """
        take(1, { event: "begun" });
        const stats = { event: "stats", phase: "live", framesPerSecondIn: 0, framesPerSecondOut: 30, ageMs: 0 };
        for (const second of [2, 3, 4]) {
          take(second, { ...stats });
          take(second, { event: "measures", framesDropped: second });
        }
        const { framesPerSecondIn, framesPerSecondOut, ageMsMedian, dropped, expected } = run.moment(4).figure;
        console.log(framesPerSecondIn, framesPerSecondOut, ageMsMedian, dropped, expected);
        """)
    #expect(lines == ["undefined 30 undefined NaN 30"])
  }

  @Test(.needs(.node)) func aSecondInWhichTheScreenMovedForAPartNeedsFewerFrames() async throws {
    let lines = try await output(
      of: """
        take(1, { event: "begun", framesPerSecond: 60 });
        const least = (framesPerSecondIn, second) => {
          take(second, { event: "stats", phase: "live", framesPerSecondIn, framesPerSecondOut: 10, ageMs: 16 });
          return run.moment(second).figure.expected;
        };
        console.log([60, 60, 60, 19, 60, 60, 60].map((rate, at) => least(rate, at + 2)).join(" "));
        """)
    #expect(lines == ["30 30 30 9.5 9.5 9.5 30"])
  }

  @Test(.needs(.node)) func framesThatWereLostDoNotLowerTheLimit() async throws {
    let lines = try await output(
      of: """
        take(1, { event: "begun", framesPerSecond: 60 });
        const expected = [0, 0, 50, 150].map((framesDropped, at) => {
          const framesPerSecondIn = at < 1 ? 60 : 10;
          take(at + 2, { event: "stats", phase: "live", framesPerSecondIn, framesPerSecondOut: 10, ageMs: 16 });
          take(at + 2, { event: "measures", framesDropped });
          return run.moment(at + 2).figure.expected.toFixed(1);
        });
        console.log(expected.join(" "));
        """)
    // The phone reports the lost frames of a second with the next second.
    #expect(lines == ["30.0 5.0 13.3 30.0"])
  }

  @Test(.needs(.node)) func soundAndAPhoneCallArePartsOfTheState() async throws {
    let lines = try await output(
      of: """
        take(1, { event: "begun", line: "producer --mic tone" });
        take(2, { event: "stats", phase: "live", appLevelDb: -96, micLevelDb: -18 });
        take(3, { event: "control", command: "call", text: "call" });
        for (const stream of ["app", "microphone"]) take(5, { event: "audio", stream, change: "stopped", text: stream });
        take(7, { event: "control", command: "hangup", text: "hangup" });
        take(8, { event: "audio", stream: "app", change: "back", text: "back" });
        take(10, { event: "begun", line: "producer --app-audio off" });
        for (const second of [2, 6, 9, 11]) {
          const { app, microphone, microphoneHeard, call } = run.moment(second).sound;
          console.log(app, microphone, microphoneHeard, call);
        }
        """)
    #expect(
      lines == [
        "-1 -1 true undefined", "5 5 true 3", "-1 5 true undefined",
        "undefined undefined undefined undefined",
      ])
  }

  @Test(.needs(.node)) func whatExplainsTheSameAgainHasOneEntryInEachBroadcast() async throws {
    let lines = try await output(
      of: """
        const late = (second) => take(second, { event: "cause", id: `l${second}`, kind: "late", severity: "note", fromNs: second * 1e9 });
        for (const begin of [0, 10]) {
          take(begin, { event: "begun", atNs: begin * 1e9 + 1 });
          for (const second of [2, 4, 6]) late(begin + second);
        }
        take(8, { event: "cause", id: "s", kind: "slow", severity: "fault", fromNs: 8e9 });
        console.log(run.causes.filter((cause) => cause === cause.all[0]).map(({ id, all }) => id + all.length).join(" "));
        """)
    #expect(lines == ["l23 s1 l123"])
  }

  @Test(.needs(.node)) func aDeviceHasTheNameThatPeopleKnow() async throws {
    let names = ["iphone-15", "iphone-xs-max", "iphone-se", "ipad-pro-11", "iphone-12-mini", "multi-camera"]
    let lines = try await output(of: "for (const name of \(names)) console.log(shownName(name));")
    #expect(
      lines == ["iPhone 15", "iPhone XS Max", "iPhone SE", "iPad Pro 11", "iPhone 12 mini", "multi-camera"])
  }
}
