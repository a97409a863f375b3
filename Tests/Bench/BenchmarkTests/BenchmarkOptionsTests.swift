import TestSupport

@testable import benchmark

@Suite struct BenchmarkOptionsTests {
  private func options(_ line: String) throws -> BenchmarkOptions {
    try BenchmarkOptions.program.options(line)
  }

  @Test func theDefaultMeasuresAllGroupsAtThePhonesSize() throws {
    let options = try options("")
    #expect((options.size, options.groups) == (PixelSize(width: 1170, height: 2532), RowGroup.allCases))
    #expect((options.rounds, options.pace, options.json) == (5, .thorough, nil))
  }

  @Test func quickHasTwoRoundsByDefault() throws {
    let options = try options("--quick")
    #expect((options.rounds, options.pace) == (2, .quick))
    #expect(try self.options("--quick --rounds 7").rounds == 7)
  }

  @Test func groupsKeepTheOrderOfTheTable() throws {
    #expect(try options("--only handoff,copy").groups == [.copy, .handoff])
  }

  @Test(arguments: [
    ("--only copy,nothing", "--only"), ("--only=", "--only"), ("--size 0x0", "--size"),
    ("--rounds 0", "--rounds"), ("--rouds 3", "--rounds"), ("--json file", "--json"),
  ]) func aWrongCommandLineIsRefusedByTheNameOfItsOption(_ line: String, _ option: String) {
    let error = #expect(throws: UsageError.self) { try options(line) }
    #expect(error?.message.contains(option) == true)
  }

  @Test func theHelpNamesEveryGroup() {
    let help = BenchmarkOptions.program.helpText()
    #expect(RowGroup.allCases.filter { !help.contains($0.rawValue) } == [])
  }
}
