import Foundation
import Testing

extension EndToEndTests {
  /// The benchmark as a process, with small frames and in a hurry.
  @MainActor @Suite struct BenchmarkTests {
    let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    private struct Output: Decodable {
      struct Row: Decodable {
        struct Summary: Decodable {
          var median, min, max: Double
        }
        var id: String
        var figure: Summary?
        var ratio: Summary?
        var beside: String?
        var skipped: String?
      }
      var rounds: Int
      var rows: [Row]
    }

    @Test func aQuickRunMeasuresEveryRowOrSaysWhyNot() async throws {
      let program = try sandbox.launch(
        BuiltPrograms.benchmark,
        ["--quick", "--rounds", "1", "--size", "64x64", "--json", "-", "--folder", sandbox.folder.path])
      #expect(try await program.exitCode(within: .seconds(60)) == 0, "\(program.errors)")
      let output = try JSONDecoder().decode(Output.self, from: try program.output())
      #expect(output.rounds == 1)
      #expect(Set(output.rows.map(\.id)) == Self.rows)
      #expect(output.rows.count == Self.rows.count)
      for row in output.rows {
        guard let figure = row.figure else {
          #expect(row.skipped?.isEmpty == false, "\(row.id) has neither figures nor a reason")
          continue
        }
        #expect([figure.median, figure.min, figure.max].allSatisfy { $0.isFinite && $0 > 0 }, "\(row.id)")
        if row.beside != nil { #expect(row.ratio?.median.isFinite == true, "\(row.id)") }
      }
      #expect(output.rows.filter { $0.figure != nil }.count >= 20)
      let left = try FileManager.default.contentsOfDirectory(atPath: sandbox.folder.path)
      #expect(!left.contains { $0.hasPrefix("benchmark-\(program.pid)") && !$0.contains(".") })
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

    /// The ids of all rows.
    private static let rows: Set<String> = {
      func all(_ groups: [String], _ figures: [String]) -> [String] {
        groups.flatMap { group in figures.map { "\(group).\($0)" } }
      }
      let paced = [
        "out-frame", "in-frame", "out-second", "in-second", "out-alone", "in-alone", "out-shared",
        "in-shared",
      ]
      let peers = ["socket", "gstreamer-copy", "gstreamer-zero-copy", "jpeg"]
      return Set(
        all(["copy"], ["memcpy", "memcpy-2-slots", "publish", "serialize", "article"])
          + all(["read"], ["memcpy", "deserialize", "article", "in-place"])
          + all(["publish"], ["stores", "empty", "clock", "empty-clock"])
          + all(["poll"], ["load", "nothing", "publish", "new"])
          + all(["lease"], ["publish-alone", "publish", "take"])
          + all(["start"], ["hundredth", "first", "ring"]) + all(["scale"], ["adapt", "libyuv"])
          + all(["handoff"], ["line", "poll", "spin-1000"])
          + all(
            ["bare", "spin", "early", "futex", "wake"].map { "handoff.\($0)" },
            ["age", "age-p99", "out", "in"])
          + all(["paced.idle", "paced.empty", "paced.article", "paced.ring"], paced)
          + all(["paced.empty", "paced.article", "paced.ring"], ["age", "age-p99"]) + ["paced.empty.publish"]
          + all(
            ["poll", "wake", "early", "wake-leased"].map { "app.\($0)" },
            ["age", "age-p99", "out", "in", "in-second"])
          + all([1, 2, 4, 8].map { "consumers.\($0)" }, ["out", "in", "age"])
          + all(
            (["memcpy", "ring", "ring-pictures", "article"] + peers).map { "flat.\($0)" },
            ["rate", "out", "in"])
          + all((["ring"] + peers).map { "at-60.\($0)" }, ["age", "age-p99", "out", "in"]))
    }()
  }
}
