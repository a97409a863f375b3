import TestSupport

@testable import benchmark

extension EndToEndTests {
  /// The benchmark as a process, with small frames and short runs.
  @MainActor @Suite struct BenchmarkTests {
    let sandbox = Sandbox.ofSuite()

    /// A run takes as long as the host needs. The limit is for a program that hangs.
    private static let hang = Duration.seconds(1200)

    private var folder: (Int32) -> String {
      { "\(TemporaryFolder.standardParent)/benchmark-\($0)" }
    }

    @Test(.busyMachine) func aQuickRunMeasuresEachRowOrNamesTheReasonWhyNot() async throws {
      let pace = PaceMeter(allowing: .milliseconds(100))
      let program = try sandbox.launch(
        BuiltPrograms.benchmark,
        ["--quick", "--rounds", "1", "--size", "64x64", "--json", "-"])
      let code = try await program.exitCode(within: Self.hang)
      #expect(code == 0, "\(program.errors)")
      let report = try JSONDecoder().decode(Report.self, from: program.output)
      #expect(report.rounds == 1)
      #expect(Set(report.rows.map(\.group)) == Set(RowGroup.allCases))
      #expect(Set(report.rows.map(\.id)).count == report.rows.count)
      for row in report.rows {
        #expect(row.figures.allSatisfy { $0.isFinite && $0 > 0 }, "\(row.id)")
        guard row.figures.isEmpty else { continue }
        #expect(row.skipped?.isEmpty == false, "\(row.id) has neither figures nor a reason")
      }
      #expect(!FileManager.default.fileExists(atPath: folder(program.pid)))
      // Rows whose processes were starved of CPU are not measured, and have no ratio to the others.
      let measured = report.rows.filter { !$0.figures.isEmpty }
      for row in measured {
        guard let reference = measured.first(where: { $0.id == row.beside }) else { continue }
        let isFinite = row.ratios(to: reference).allSatisfy(\.isFinite)
        #expect(isFinite, "\(row.id)")
      }
      try pace.expect { #expect(measured.count >= 15) }
    }

    @Test func aComparisonRunsBothProgramsInTurn() async throws {
      let options = ["--quick", "--rounds", "2", "--size", "64x64", "--only", "ring"]
      let program = try sandbox.launch(
        BuiltPrograms.benchmark,
        ["--against", BuiltPrograms.benchmark.path] + options)
      #expect(try await program.exitCode(within: Self.hang) == 0, "\(program.errors)")
      let output = String(decoding: program.output, as: UTF8.self)
      #expect(output.contains("Medians of 2 alternating rounds of this program and of "), "\(output)")
      #expect(output.contains(" of 4 rows changed") && !output.contains("only "))

      let wrong = try sandbox.launch(BuiltPrograms.benchmark, ["--against", "/bin/true"] + options)
      #expect(try await wrong.exitCode(within: Self.hang) == 70)
      #expect(wrong.errors.contains("/bin/true printed no report of a benchmark"))
    }

    @Test func anInterruptLeavesNothingBehind() async throws {
      let program = try sandbox.launch(
        BuiltPrograms.benchmark, ["--rounds", "1000", "--quick", "--size", "64x64"])
      let folder = folder(program.pid)
      try await eventually("files") { FileManager.default.fileExists(atPath: folder) }
      program.send(SIGINT)
      #expect(try await program.exitCode() == 69)
      #expect(!FileManager.default.fileExists(atPath: folder))
    }
  }
}
