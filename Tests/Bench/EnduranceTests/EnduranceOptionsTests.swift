import TestSupport
import ToolSupport

@testable import endurance

@Suite struct EnduranceOptionsTests {
  private func options(_ line: String) throws -> EnduranceOptions {
    try EnduranceOptions.program.options(line)
  }

  @Test(
    arguments: [
      ("torn", nil, 10_000_000, nil), ("torn --seconds 3", nil, nil, .seconds(3)),
      ("torn --size 1170x2532", PixelSize(width: 1170, height: 2532), nil, .seconds(60)),
      ("torn --size 1170x2532 --checks 5", PixelSize(width: 1170, height: 2532), 5, nil),
    ] as [(String, PixelSize?, Int?, Duration?)])
  func smallFramesAreLimitedByCountAndLargeOnesByTime(
    line: String, size: PixelSize?, checks: Int?, time: Duration?
  ) throws {
    let options = try options(line)
    #expect(options.subcommand == .torn && options.time == time)
    #expect((options.size, options.checks) == (size, checks))
  }

  @Test func theSeedIsRandomUnlessGiven() throws {
    let options = try options("kill --rounds 7 --seed 18446744073709551615")
    #expect(options.subcommand == .kill && options.rounds == 7 && options.seed == .max)
    let standard = try self.options("")
    #expect(standard.subcommand == .kill && standard.rounds == 1000 && standard.seed == nil)
  }

  @Test(arguments: [
    ("torn --rounds 1", "--rounds goes with"), ("kill --checks 3", "--checks goes with"),
    ("torn --seed x", "whole number"), ("explode", "use 'kill'"),
    ("worker", "use 'kill'"),
  ]) func aWrongCommandLineIsRefused(line: String, words: String) {
    let error = #expect(throws: UsageError.self) { try options(line) }
    #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
  }
}
