import CommandLineSupport
import Testing

@testable import BroadcastExtension
@testable import consumer

@Suite struct HelpTests {
  private static let programs = [ProducerOptions.program, ConsumerOptions.program]

  @Test(arguments: programs)
  func theHelpFitsEightyColumnsAndNamesEverything(_ program: Program) {
    let help = program.helpText
    for line in help.split(separator: "\n") { #expect(line.count <= 80) }
    let running = help.split { $0 == " " || $0 == "\n" }.joined(separator: " ")
    for option in program.options {
      #expect(help.contains("  \(option.usage)"))
      if let text = option.defaultText { #expect(running.contains("Default: \(text).")) }
    }
    for entry in program.verbs + program.examples + program.signals { #expect(help.contains(entry.term)) }
    for code in ExitCode.allCases { #expect(help.contains("  \(code.rawValue) ")) }
  }

  @Test(arguments: programs)
  func everyExampleIsAGoodCommandLine(_ program: Program) throws {
    for example in program.examples {
      let words = example.term.prefix { $0 != "|" }.split(separator: " ").map(String.init)
      #expect(words.first == program.name)
      _ = try program.parse(Array(words.dropFirst()))
    }
  }
}

extension Program: CustomTestStringConvertible {
  /// The program, as test reports name it.
  public var testDescription: String { name }
}
