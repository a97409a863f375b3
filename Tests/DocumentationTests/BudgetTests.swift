import TestSupport

/// Tests the sizes of the folders against `.ci/budgets`.
@Suite struct BudgetTests {
  private static let file = ".ci/budgets"
  private static let budgets = Result { try Budgets(Document(file).text) }

  @Test(arguments: try budgets.get().rows) func aFolderKeepsItsBudget(row: Budgets.Row) throws {
    let allowance = try Self.budgets.get().allowance(for: row)
    let count = try Size.count(row.unit, in: Document.package.appending(path: row.folders[0]))
    let limit = row.number + allowance
    print("Size: \(count) of \(row.number) + \(allowance) \(row.testDescription)")
    #expect(count > 0)
    #expect(
      count <= limit,
      "Take something out, or add a line to \(Self.file): allowance \(count - limit) \(row.testDescription): REASON"
    )
  }

  @Test func everyFolderOfTheSourcesHasABudget() throws {
    let budgets = try Self.budgets.get()
    let folders = try FileManager.default.contentsOfDirectory(
      at: Document.package.appending(path: "Sources"), includingPropertiesForKeys: nil)
    let names = Set(folders.map { "Sources/\($0.lastPathComponent)" } + ["Sources", "Tests"])
    #expect(names.isSubset(of: budgets.rows.filter { $0.unit == .lines }.map { $0.folders[0] }))
    #expect(budgets.unknown == [] && budgets.rows.allSatisfy { $0.folders.count == 1 })
  }

  @Test func aNumberIsTheLowestOfItsHistory() async throws {
    let history = try await Document.history(of: Self.file)
    for (row, lowest) in try Self.budgets.get().raised(since: history) {
      Issue.record(
        """
        \(row.number) \(row.testDescription): this was \(lowest). Write \(lowest), and what it needs beyond that as \
        an allowance with its reason.
        """)
    }
  }

  @Test func aRaisedNumberIsFound() {
    let history = """
      ++ b/.ci/budgets
       64 lines Sources
       100 lines of code in Sources
        90 lines of code in Sources
        80 bytes for browsers in Sources
      allowance 20 lines of code in Sources, Tests: sound
      """
    func raised(_ text: String) -> [Int] { Budgets(text).raised(since: history).map(\.lowest) }
    #expect(raised("91 lines of code in Sources\n80 bytes for browsers in Sources") == [90])
    #expect(
      raised("90 lines of code in Sources\nallowance 21 lines of code in Sources, Tests: sound") == [20])
    #expect(raised("90 lines of code in Sources\nallowance 21 lines of code in Sources: light") == [])
    #expect(raised("500 lines of code in Sources/Renamed\n0 bytes for browsers in Sources") == [])
  }

  @Test(arguments: [
    ("a\n\n  // b\n c // d\n\t\n", "swift", 2), ("/* a\nb\n*/\nc\n/* d */\ne", "c", 2),
    ("/// a\nlet b", "swift", 1),
    ("\"// a\"\nlet b = \"/*\"\nc", "swift", 3), ("#!/bin/sh\n# a\nb # c\n// d", "sh", 2), ("# a\nb", "", 1),
    ("#include <a>\n*b = c;", "h", 2), ("# a\n{}", "json", 2), ("", "swift", 0),
  ])
  func commentsAndBlankLinesAreNotCode(text: String, kind: String, lines: Int) {
    #expect(Size.linesOfCode(text, kind: kind) == lines)
  }
}
