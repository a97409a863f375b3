import Foundation
import TestSupport
import Testing

@testable import enum benchmark.RowGroup

extension EndToEndTests {
  /// The benchmark as a process, with small frames and short runs.
  @MainActor @Suite struct BenchmarkTests {
    let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    private struct Output: Decodable {
      struct Row: Decodable {
        struct Summary: Decodable {
          var median, min, max: Double
        }
        var group: String
        var id: String
        var figure: Summary?
        var ratio: Summary?
        var beside: String?
        var skipped: String?
      }
      var rounds: Int
      var rows: [Row]
    }

    @Test(.busyMachine) func aQuickRunMeasuresEachRowOrNamesTheReasonWhyNot() async throws {
      let pace = PaceMeter(allowing: .milliseconds(100))
      let program = try sandbox.launch(
        BuiltPrograms.benchmark,
        ["--quick", "--rounds", "1", "--size", "64x64", "--json", "-", "--folder", sandbox.folder.path])
      // It computes for as long as the machine needs; the limit is for a program that hangs.
      let code = try await program.exitCode(within: .seconds(300))
      #expect(code == 0, "\(program.errors)")
      let output = try JSONDecoder().decode(Output.self, from: program.output)
      #expect(output.rounds == 1)
      #expect(Set(output.rows.map(\.group)) == Set(RowGroup.allCases.map(\.rawValue)))
      #expect(Set(output.rows.map(\.id)).count == output.rows.count)
      for row in output.rows {
        guard let figure = row.figure else {
          #expect(row.skipped?.isEmpty == false, "\(row.id) has neither figures nor a reason")
          continue
        }
        #expect([figure.median, figure.min, figure.max].allSatisfy { $0.isFinite && $0 > 0 }, "\(row.id)")
      }
      let left = try FileManager.default.contentsOfDirectory(atPath: sandbox.folder.path)
      #expect(!left.contains { $0.hasPrefix("benchmark-\(program.pid)") && !$0.contains(".") })
      // Rows whose processes the machine did not run are not measured, and have no ratio to the others.
      let measured = output.rows.filter { $0.figure != nil }
      let ids = Set(measured.map(\.id))
      for row in measured {
        guard let reference = row.beside, ids.contains(reference) else { continue }
        #expect(row.ratio?.median.isFinite == true, "\(row.id)")
      }
      try pace.expect { #expect(measured.count >= 15) }
    }

    @Test func aComparisonRunsBothProgramsInTurn() async throws {
      struct Output: Decodable {
        struct Row: Decodable {
          var values, otherValues: [Double]
        }
        var rows: [Row]
      }
      let options = [
        "--quick", "--rounds", "2", "--size", "64x64", "--only", "ring", "--folder", sandbox.folder.path,
      ]
      let program = try sandbox.launch(
        BuiltPrograms.benchmark,
        ["--against", BuiltPrograms.benchmark.path, "--json", "-"] + options)
      #expect(try await program.exitCode(within: .seconds(300)) == 0, "\(program.errors)")
      let output = try JSONDecoder().decode(Output.self, from: program.output)
      #expect(output.rows.count >= 5)
      #expect(output.rows.allSatisfy { $0.values.count == 2 && $0.otherValues.count == 2 })

      let wrong = try sandbox.launch(BuiltPrograms.benchmark, ["--against", "/bin/true"] + options)
      #expect(try await wrong.exitCode(within: .seconds(300)) == 70)
      #expect(wrong.errors.contains("/bin/true printed no report of a benchmark"))
    }

    @Test func anInterruptLeavesNothingBehind() async throws {
      let program = try sandbox.launch(
        BuiltPrograms.benchmark, ["--rounds", "1000", "--folder", sandbox.folder.path])
      let folder = sandbox.folder.appending(path: "benchmark-\(program.pid)").path
      try await eventually("files") { FileManager.default.fileExists(atPath: folder) }
      program.send(SIGINT)
      #expect(try await program.exitCode() == 128 + SIGINT)
      #expect(!FileManager.default.fileExists(atPath: folder))
    }
  }
}
