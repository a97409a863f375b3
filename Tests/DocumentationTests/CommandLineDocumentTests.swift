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
    for verb in ProducerOptions.program.verbs {
      #expect(rows["producer", default: []].contains { $0[0] == verb.term })
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
          [$0.usage, $0.verbs.isEmpty ? "all" : $0.verbs.joined(separator: ", "), $0.defaultText ?? ""]
        })
    for verb in program.verbs {
      #expect(rows["consumer", default: []].contains { $0[0] == verb.term })
    }
  }

  @Test func everyEventIsListed() {
    let table = rows["producer", default: []].drop { $0[0] != "event" }.dropFirst()
      .filter { $0[0] != "---" }.prefix { $0[0] != "kind" }
    #expect(Array(table) == DeviceEvent.forms.map { [$0.usage, $0.meaning] })
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
    #expect(devices == DeviceProfile.all.map { "\($0.name) \($0.width)×\($0.height)" })
    for environment in AppEnvironment.allCases {
      #expect(table.contains([environment.rawValue, environment.groupIdentifier]))
    }
  }

  @Test func everySignalIsListed() {
    for program in [ProducerOptions.program, ConsumerOptions.program] {
      let listed = rows["Signals", default: []].filter { $0[0] == program.name }.map { $0[1] }
      #expect(listed == program.signals.map(\.term))
    }
  }
}
