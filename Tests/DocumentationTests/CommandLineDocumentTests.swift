import EmulatedSystem
import Foundation
import TestSupport
import Testing

@testable import BroadcastExtension
@testable import CommandLineSupport
@testable import consumer

/// The tables of `Docs/CommandLine.md` equal the code.
@Suite struct CommandLineDocumentTests {
  @Test func theGeneratedTablesEqualTheCode() throws {
    try Document("Docs/CommandLine.md").check([
      (
        "events", .table(["event", "what happens"], DeviceEvent.forms.map { [.code($0.usage), $0.meaning] })
      ),
      ("exit codes", .table(["code", "meaning"], ExitCode.allCases.map { ["\($0.rawValue)", $0.meaning] })),
      ("signals", signals),
    ])
  }

  private var signals: String {
    let programs = [
      ("producer", ProducerOptions.program.signals), ("consumer", ConsumerOptions.program.signals),
    ]
    return .table(
      ["program", "signal", "what happens"],
      programs.flatMap { name, signals in signals.map { [name, $0.term, $0.meaning] } })
  }

  /// The rows of the table whose first head is `head`, without it.
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
