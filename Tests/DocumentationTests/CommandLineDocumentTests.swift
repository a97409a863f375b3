import EmulatedSystem
import Foundation
import TestSupport
import Testing

@testable import BroadcastExtension
@testable import CommandLineSupport
@testable import consumer

/// The tables of `Docs/CommandLine.md` equal the code. With `UPDATE_DOCS=1` in the environment this suite writes those that
/// follow a mark `<!-- generated: NAME -->`.
@Suite struct CommandLineDocumentTests {
  @Test func theGeneratedTablesEqualTheCode() throws {
    let page = try Document("Docs/CommandLine.md")
    var text = page.text
    let tables = [
      ("events", table(["event", "what happens"], DeviceEvent.forms.map { [code($0.usage), $0.meaning] })),
      ("devices", devices),
      ("exit codes", table(["code", "meaning"], ExitCode.allCases.map { ["\($0.rawValue)", $0.meaning] })),
      ("signals", signals),
    ]
    for (name, table) in tables {
      let start = try #require(text.firstRange(of: "<!-- generated: \(name) -->\n")).upperBound
      let end = try #require(text[start...].firstRange(of: "<!-- end -->")).lowerBound
      text.replaceSubrange(start..<end, with: table)
    }
    if ProcessInfo.processInfo.environment["UPDATE_DOCS"] != nil {
      try Data(text.utf8).write(to: Document.package.appending(path: page.path))
    } else {
      #expect(
        text == page.text, "UPDATE_DOCS=1 swift test --filter CommandLineDocumentTests writes the page.")
    }
  }

  private var devices: String {
    var sizes: [String] = []
    var names: [String: [String]] = [:]
    for device in DeviceProfile.all {
      let size = "\(device.size.width)×\(device.size.height)"
      if names[size] == nil { sizes.append(size) }
      names[size, default: []].append(code(device.name))
    }
    return table(["pixels", "names"], sizes.map { [$0, names[$0, default: []].joined(separator: ", ")] })
  }

  private var signals: String {
    let programs = [
      ("producer", ProducerOptions.program.signals), ("consumer", ConsumerOptions.program.signals),
    ]
    return table(
      ["program", "signal", "what happens"],
      programs.flatMap { name, signals in signals.map { [name, $0.term, $0.meaning] } })
  }

  private func code(_ text: String) -> String { "`\(text)`" }

  private func table(_ heads: [String], _ rows: [[String]]) -> String {
    ([heads, heads.map { _ in "---" }] + rows).map { "| \($0.joined(separator: " | ")) |\n" }.joined()
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
