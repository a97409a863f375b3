import CommandLineSupport
import Testing

@testable import BroadcastExtension
@testable import consumer

@Suite struct HelpTests {
  @Test func theHelpFitsEightyColumnsAndNamesEverything() {
    check(helpOf: ProducerOptions.program)
    check(helpOf: ConsumerOptions.program)
  }

  private func check(helpOf program: Program<some OptionGroup>) {
    let help = program.helpText
    for line in help.split(separator: "\n") { #expect(line.count <= 80) }
    let running = help.split { $0 == " " || $0 == "\n" }.joined(separator: " ")
    for option in program.options {
      #expect(help.contains("  \(option.usage)"))
      if let text = option.defaultText { #expect(running.contains("Default: \(text).")) }
    }
    for entry in program.subcommands + program.examples + program.signals {
      #expect(help.contains(entry.term))
    }
    for code in ExitCode.allCases { #expect(help.contains("  \(code.rawValue) ")) }
  }

  @Test func everyExampleIsAValidCommandLine() throws {
    try checkExamples(of: ProducerOptions.program)
    try checkExamples(of: ConsumerOptions.program)
  }

  private func checkExamples(of program: Program<some OptionGroup>) throws {
    for example in program.examples {
      let words = example.term.prefix { $0 != "|" }.split(separator: " ").map(String.init)
      #expect(words.first == program.name)
      _ = try program.request(Array(words.dropFirst()))
    }
  }
}
