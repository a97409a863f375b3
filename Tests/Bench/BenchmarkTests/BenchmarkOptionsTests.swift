import CommandLineSupport
import Platform
import Testing

@testable import benchmark

@Suite struct BenchmarkOptionsTests {
  private func options(_ line: String) throws -> BenchmarkOptions? {
    guard
      case .run(let options) = try BenchmarkOptions.program.request(
        line.split(separator: " ").map(String.init))
    else { return nil }
    return options
  }

  @Test func theDefaultMeasuresAllGroupsAtThePhonesSize() throws {
    let options = try #require(try options(""))
    #expect(
      (options.size, options.groups, options.rounds, options.pace, options.json)
        == (PixelSize(width: 1170, height: 2532), RowGroup.allCases, 5, .thorough, nil))
  }

  @Test func quickHasTwoRoundsByDefault() throws {
    #expect(try options("--quick")?.rounds == 2)
    #expect(try options("--quick")?.pace == .quick)
    #expect(try options("--quick --rounds 7")?.rounds == 7)
  }

  @Test func groupsKeepTheOrderOfTheTable() throws {
    #expect(try options("--only handoff,copy")?.groups == [.copy, .handoff])
  }

  @Test(arguments: [
    ("--only copy,nothing", "--only"), ("--only=", "--only"), ("--size 0x0", "--size"),
    ("--rounds 0", "--rounds"), ("--rouds 3", "--rounds"), ("--json file", "--json"),
  ]) func aWrongCommandLineIsRefusedByTheNameOfItsOption(_ line: String, _ option: String) {
    let error = #expect(throws: UsageError.self) { try options(line) }
    #expect(error?.message.contains(option) == true)
  }

  @Test func theHelpNamesEveryGroup() throws {
    guard case .show(let help) = try BenchmarkOptions.program.request(["--help"]) else {
      Issue.record("--help shows nothing")
      return
    }
    for group in RowGroup.allCases { #expect(help.contains(group.rawValue)) }
  }
}
