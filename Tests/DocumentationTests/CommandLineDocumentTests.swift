import EmulatedSystem
import TestSupport

@Suite struct CommandLineDocumentTests {
  @Test func theGeneratedTablesEqualTheCode() throws {
    try Document("Docs/CommandLine.md").check([
      ("events", DeviceEvent.forms.map { .code($0.usage) }.joined(separator: ", ") + "\n"),
      ("exit codes", .table(["code", "meaning"], ExitCode.allCases.map { ["\($0.rawValue)", $0.meaning] })),
    ])
  }

  /// Returns the rows of the table whose first heading is `head`, without the heading.
  private func rows(below head: String) throws -> [[String]] {
    let rows = try Document("Docs/CommandLine.md").rows
    let section = try #require(rows.first { $0.cells[0] == head })
    return rows.filter { $0.section == section.section && $0.subsection == section.subsection }
      .map(\.cells).drop { $0[0] != head }.dropFirst(2).map { $0 }
  }

  @Test func everySocketFaultIsListedWithItsAttributes() throws {
    let table = try rows(below: "type")
    #expect(table.map { $0[0] } == SocketFault.Kind.allCases.map(\.rawValue))
    for (row, kind) in zip(table, SocketFault.Kind.allCases) {
      let text = row[1].replacing(/[(),;:]/, with: " ")
      let words = text.split(separator: " ").map(String.init)
      #expect(kind.attributes.allSatisfy { words.contains($0.name) }, "\(row)")
    }
  }

  @Test func everyEventOfTheAppIsListed() throws {
    let events = try rows(below: "event of the app").map { $0[0] }
    #expect(events == PhoneApp.Event.allCases.map { "app:\($0.rawValue)" })
  }

  @Test func everyMisuseIsListed() throws {
    let kinds = try rows(below: "kind").map { $0[0] }
    #expect(kinds == HandlerMisuse.allCases.map(\.rawValue))
  }
}
