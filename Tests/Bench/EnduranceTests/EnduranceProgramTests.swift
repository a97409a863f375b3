import Foundation
import TestSupport
import Testing

/// The program as it was built, in short runs.
@Suite(.timeLimit(.minutes(60)), .tags(.slow), .busyMachine) struct EnduranceProgramTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Runs the program in the test's folder, to its end.
  private func run(_ arguments: String...) async throws -> FinishedProgram {
    let run = try await FinishedProgram(
      ChildProcess.program("endurance"), arguments + ["--container", folder.path], in: folder.path)
    #expect(run.hasExited)
    return run
  }

  /// The one line of JSON on standard output.
  private func result(of run: FinishedProgram) throws -> [String: Any] {
    let lines = run.output.split(separator: "\n")
    try #require(lines.count == 1, "\(run.output) \(run.errors)")
    return try #require(try JSONSerialization.jsonObject(with: Data(lines[0].utf8)) as? [String: Any])
  }

  private func expectNothingLeft() { #expect(folder.names == ["errors", "output"]) }

  @Test func noFrameIsTornAndTheControlTears() async throws {
    let run = try await run("torn", "--checks", "2000", "--seed", "5", "--json")
    #expect(run.exitCode == 0, "\(run.errors)")
    let result = try result(of: run)
    #expect(result["event"] as? String == "torn" && result["seed"] as? Int == 5)
    #expect(result["framesTorn"] as? Int == 0)
    #expect(try #require(result["framesJudged"] as? Int) >= 2000)
    #expect(try #require(result["controlTorn"] as? Int) > 0)
    #expect(try #require(result["readsOvertaken"] as? Int) > 0)
    expectNothingLeft()
  }

  @Test func noLargeFrameIsTornAndTheControlTears() async throws {
    let run = try await run("torn", "--size", "320x240", "--seconds", "1", "--json")
    #expect(run.exitCode == 0, "\(run.errors)")
    let result = try result(of: run)
    #expect(result["framesTorn"] as? Int == 0)
    #expect(try #require(result["controlTorn"] as? Int) > 0)
    expectNothingLeft()
  }

  @Test func theOthersContinueAfterAKillAndNothingGrows() async throws {
    // A crash is detected in a third of the rounds: without one in so many, something is wrong.
    let run = try await run("kill", "--rounds", "30", "--json")
    #expect(run.exitCode == 0, "\(run.errors)")
    let result = try result(of: run)
    #expect(result["rounds"] as? Int == 30)
    #expect(try #require(result["kills"] as? Int) >= 30)
    #expect(try #require(result["crashesTold"] as? Int) > 0)
    #expect(try #require(result["takeovers"] as? Int) >= 30)
    let levels = try #require(result["levels"] as? [[String: Any]])
    #expect(levels.count == 4)
    // A resource that cannot be read would stay 0.
    for level in levels { #expect(try #require(level["first"] as? Double) > 0, "\(level)") }
    expectNothingLeft()
  }

  @Test(.machineAlone) func aShortStreamIsWholeAndInStep() async throws {
    let run = try await run("stream", "--minutes", "0.1", "--size", "320x240", "--json", "--quiet")
    #expect(run.exitCode == 0, "\(run.errors)")
    expectNothingLeft()
    let result = try result(of: run)
    #expect(try #require(result["framesVerified"] as? Int) > 0)
    #expect(try #require(result["levels"] as? [Any]).count == 6)
    // The program measures the machine's pace itself.
    if try #require(result["notJudged"] as? Int) > 0 { try Test.cancel("\(run.errors)") }
    #expect(try #require(result["framesVerified"] as? Int) > 100)
    #expect(try #require(result["appAudioFrames"] as? Int) > 200_000)
    #expect(try #require(result["microphoneFrames"] as? Int) > 200_000)
    #expect(try #require(result["driftMs"] as? Double) < 16.7)
  }

  @Test(.sharedMachine) func aWrongCommandLineIsAUsageError() async throws {
    let run = try await run("torn", "--rounds", "3")
    #expect(run.exitCode == 64)
    #expect(run.errors.contains("--rounds goes with 'kill'"))
  }
}
