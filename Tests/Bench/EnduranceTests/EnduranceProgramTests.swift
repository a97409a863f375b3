import TestSupport

/// Tests short runs of the built program.
@Suite(.timeLimit(.minutes(60)), .tags(.slow), .busyMachine) struct EnduranceProgramTests {
  private let folder = TemporaryFolder.ofSuite()
  private func run(_ arguments: [String]) async throws -> FinishedProgram {
    try await FinishedProgram(ChildProcess.program("endurance"), arguments, in: folder.path)
  }

  /// A run that passed and left no files behind.
  private struct Passed {
    let errors: String
    private let lines: [String]

    init(_ run: FinishedProgram) throws {
      try #require(run.hasExited && run.exitCode == 0, "\(run.errors)")
      errors = run.errors
      lines = run.output.split(separator: "\n").map(String.init)
      let start = try #require(errors.firstMatch(of: #/endurance: seed \d+, folder (\S+)/#))
      #expect(!FileManager.default.fileExists(atPath: String(start.1)))
    }

    /// Returns the values on the lines with these words, in the order of the lines.
    func figures(_ words: String...) throws -> [Double] {
      var rest = lines[...]
      return try words.map { words in
        rest = rest.drop { !$0.contains("  \(words)") }
        let next = rest.popFirst()
        let line = try #require(next, "\(words) in \(lines)")
        return try #require(line.split(separator: " ").first.flatMap { Double($0) })
      }
    }

    /// The level of each resource in the first third of the run.
    var levels: [Double] {
      lines.compactMap { $0.firstMatch(of: #/ +(\d+\.\d) +\d+\.\d +\+\d+$/#).flatMap { Double($0.1) } }
    }
  }

  @Test(arguments: [["--checks", "2000", "--seed", "5"], ["--size", "320x240", "--seconds", "1"]])
  func noFrameIsTornAndTheControlTears(_ arguments: [String]) async throws {
    let run = try Passed(try await run(["torn"] + arguments))
    let figures = try run.figures(
      "frames checked", "of these torn", "reads overtaken", "frames of the control", "of these torn")
    if arguments.contains("--seed") {
      #expect(run.errors.contains("seed 5,"))
      #expect(figures[0] >= 2000 && figures[2] > 0)
    }
    #expect(figures[1] == 0 && figures[3] > 0 && figures[4] > 0)
  }

  @Test func theOthersContinueAfterAKillAndNothingGrows() async throws {
    // A crash is detected in a third of the rounds, so thirty rounds without one are a fault.
    let run = try Passed(try await run(["kill", "--rounds", "30"]))
    let figures = try run.figures("rounds", "kills", "crashes detected", "takeovers")
    #expect(figures[0] == 30 && figures[1] >= 30 && figures[2] > 0 && figures[3] >= 30)
    // A resource that cannot be read would have the level 0.
    #expect(run.levels.count == 4 && run.levels.allSatisfy { $0 > 0 })
  }
}
