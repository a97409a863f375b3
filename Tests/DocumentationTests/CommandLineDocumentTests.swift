import CommandLineSupport
import EmulatedSystem
import Foundation
import TestSupport
import Testing

@testable import BroadcastExtension
@testable import consumer

/// The tables of `Docs/CommandLine.md` equal the code.
@Suite struct CommandLineDocumentTests {
  /// The cells of all table rows, without code marks, by the title of their section.
  private let rows: [String: [[String]]]

  init() throws {
    rows = Dictionary(grouping: try Document("Docs/CommandLine.md").rows, by: \.section)
      .mapValues { $0.map(\.cells) }
  }

  @Test func theTableOfTheProducersOptionsIsComplete() {
    let table = rows["producer", default: []].filter { $0[0].hasPrefix("--") && $0[0] != "---" }
    for subcommand in ProducerOptions.program.subcommands {
      #expect(rows["producer", default: []].contains { $0[0] == subcommand.term })
    }
    #expect(
      table.map { Array($0[..<2]) }
        == ProducerOptions.program.options.map { [$0.usage, $0.defaultText ?? ""] })
  }

  @Test func theTableOfTheConsumersOptionsAndSubcommandsIsComplete() {
    let program = ConsumerOptions.program
    let table = rows["consumer", default: []].filter { $0[0].hasPrefix("--") && $0[0] != "---" }
    #expect(
      table.map { Array($0[..<3]) }
        == program.options.map {
          [
            $0.usage, $0.subcommands.isEmpty ? "all" : $0.subcommands.joined(separator: ", "),
            $0.defaultText ?? "",
          ]
        })
    for subcommand in program.subcommands {
      #expect(rows["consumer", default: []].contains { $0[0] == subcommand.term })
    }
  }

  @Test func everyEventIsListed() {
    let table = rows["producer", default: []].drop { $0[0] != "event" }.dropFirst()
      .filter { $0[0] != "---" }.prefix { $0[0] != "type" }
    #expect(Array(table) == DeviceEvent.forms.map { [$0.usage, $0.meaning] })
  }

  @Test func everySocketFaultIsListedWithItsAttributes() {
    let table = rows["producer", default: []].drop { $0[0] != "type" }.dropFirst()
      .filter { $0[0] != "---" }.prefix { $0[0] != "event of the app" }
    #expect(table.map { $0[0] } == SocketFault.Kind.allCases.map(\.rawValue))
    for (row, kind) in zip(table, SocketFault.Kind.allCases) {
      let text = row[1].replacing(/[(),;:]/, with: " ")
      let words = text.split(separator: " ").map(String.init)
      #expect(kind.attributes.allSatisfy { words.contains($0.name) }, "\(row)")
    }
  }

  @Test func everyEventOfTheAppIsListed() {
    let table = rows["producer", default: []].drop { $0[0] != "event of the app" }.dropFirst()
      .filter { $0[0] != "---" }.prefix { $0[0] != "kind" }
    #expect(table.map { $0[0] } == PhoneApp.Event.allCases.map { "app:\($0.rawValue)" })
  }

  @Test func everyMisuseIsListed() {
    let table = rows["producer", default: []].drop { $0[0] != "kind" }.dropFirst().filter { $0[0] != "---" }
    #expect(
      table.prefix(HandlerMisuse.allCases.count).map { $0[0] } == HandlerMisuse.allCases.map(\.rawValue))
  }

  @Test func everyExitCodeIsExplained() {
    let table = rows["Exit codes", default: []].filter { Int32($0[0]) != nil }
    #expect(table == ExitCode.allCases.map { ["\($0.rawValue)", $0.meaning] })
  }

  @Test func everyDeviceAndAppGroupIsListed() {
    let table = rows["producer", default: []]
    let devices = table.filter { $0[0].contains("×") }.flatMap { row in
      row[1].split(separator: ",").map { "\($0.trimmingCharacters(in: .whitespaces)) \(row[0])" }
    }
    #expect(devices == DeviceProfile.all.map { "\($0.name) \($0.size.width)×\($0.size.height)" })
    for environment in AppEnvironment.allCases {
      #expect(table.contains([environment.rawValue, environment.groupIdentifier]))
    }
  }

  @Test func everySignalIsListed() {
    let listed = Dictionary(grouping: rows["Signals", default: []], by: { $0[0] })
      .mapValues { $0.map { $0[1] } }
    #expect(listed["producer"] == ProducerOptions.program.signals.map(\.term))
    #expect(listed["consumer"] == ConsumerOptions.program.signals.map(\.term))
  }
}
