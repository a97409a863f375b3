import TestSupport

/// Tests the prose of the folders against `.ci/habits`.
@Suite struct HabitTests {
  private static let file = ".ci/habits"
  private static let table = Result { HabitTable(try Document(file).text) }

  @Test(arguments: Habit.all) func aFolderHasItsNumberOfAHabitAtMost(habit: Habit) throws {
    let numbers = try Self.table.get().numbers
    var counts = ""
    for (folder, prose) in try Prose.folders.get().sorted(by: { $0.key < $1.key }) {
      let cell = HabitTable.Cell(habit: habit.name, folder: folder)
      let limit = try #require(numbers[cell], "\(Self.file) has no such number.")
      let count = try prose.count(of: habit)
      counts += ", \(folder) \(count) of \(limit)"
      guard count > limit else { continue }
      let lines = try prose.lines(with: habit).joined(separator: "\n")
      Issue.record("\(folder) has \(habit.name) \(count) times, \(limit) are allowed. \(habit.fix)\n\(lines)")
    }
    print("Habits: \(habit.name)\(counts)")
  }

  @Test func theTableHasTheHabitsAndFolders() throws {
    let cells = try Self.table.get().numbers.keys
    #expect(Set(cells.map(\.habit)) == Set(Habit.all.map(\.name)))
    #expect(Set(cells.map(\.folder)) == Set(try Prose.folders.get().keys))
    #expect(cells.count == Habit.all.count * (try Prose.folders.get().count))
  }

  @Test func aNumberIsTheLowestOfItsHistory() async throws {
    let history = try await Document.history(of: Self.file)
    for (cell, number, lowest) in try Self.table.get().raised(since: history) {
      Issue.record("\(cell.habit) in \(cell.folder) is \(number), and was \(lowest).")
    }
  }

  @Test(arguments: Habit.all) func aHabitIsFound(habit: Habit) throws {
    var prose = try Prose()
    prose.addSource("\n  /// \(habit.example)\nlet text = 1", file: "comment")
    // A comment of several lines.
    let split = habit.example.replacing(" ", with: "\n  // ")
    prose.addSource("let a = 1  // \(split)", file: "lines")
    prose.addSource("let a = 1\nlet text = \"\(habit.example)\"", file: "literal")
    prose.addPage("# Title\n\n- A sentence.\n- \(habit.example)", file: "page.md")
    #expect(try prose.count(of: habit) == 4)
    #expect(
      try prose.lines(with: habit).map { $0.prefix { $0 != " " } }.prefix(1) == ["comment:2:"])
  }
}
