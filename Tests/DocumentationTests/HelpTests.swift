import Testing

@testable import BroadcastExtension
@testable import CommandLineSupport
@testable import broadcast
@testable import capturer
@testable import consumer

@Suite struct HelpTests {
  @Test func theOverviewFitsOneScreen() {
    check(overviewOf: ProducerOptions.program)
    check(overviewOf: ConsumerOptions.program)
    check(overviewOf: BroadcastOptions.program)
  }

  private func check(overviewOf program: Program<some OptionGroup>) {
    let help = program.helpText()
    let lines = help.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count <= 40 && lines.allSatisfy { $0.count <= 80 }, "\(help)")
    for term in program.subcommands.map(\.term) + program.examples.prefix(5).map(\.term) {
      #expect(help.contains("  \(term)  "))
    }
    for name in program.mostUsed { #expect(help.contains("  \(name)")) }
  }

  @Test func theHelpNamesEverything() {
    check(helpOf: ProducerOptions.program)
    check(helpOf: ConsumerOptions.program)
    check(helpOf: CapturerOptions.program)
    check(helpOf: BroadcastOptions.program)
  }

  private func check(helpOf program: Program<some OptionGroup>) {
    let pages = program.subcommands.map { program.helpText(of: $0.term) }
    let help = pages.isEmpty ? program.helpText() : pages.joined(separator: "\n")
    let running = help.split { $0 == " " || $0 == "\n" }.joined(separator: " ")
    for option in program.options {
      #expect(help.contains("  \(option.usage)"))
      if let text = option.defaultText { #expect(running.contains("Default: \(text).")) }
    }
    for entry in program.examples + program.signals { #expect(help.contains(entry.term)) }
  }

  @Test func aWrongCommandLineIsSentToTheHelpOfItsSubcommand() {
    let program = ConsumerOptions.program
    #expect(program.helpCommand(for: ["start", "--bogus"]) == "consumer start")
    #expect(program.helpCommand(for: ["--bogus"]) == "consumer watch")
    #expect(program.helpCommand(for: ["--json", "stop", "--bogus"]) == "consumer stop")
    #expect(program.helpCommand(for: ["bogus"]) == "consumer")
  }

  @Test func theHelpOfASubcommandHasItsOwnPartOnly() throws {
    try checkSubcommands(of: ProducerOptions.program)
    try checkSubcommands(of: ConsumerOptions.program)
    try checkSubcommands(of: BroadcastOptions.program)
    let doctor = BroadcastOptions.program.helpText(of: "doctor")
    #expect(doctor.hasPrefix("broadcast doctor: Find problems of the container"))
    #expect(
      doctor.contains("  broadcast doctor [OPTIONS]") && doctor.contains("      broadcast doctor --fix"))
    #expect(!doctor.contains("consumer stop") && doctor.contains("\nExit codes:"))
    let control = ProducerOptions.program.helpText(of: "control")
    #expect(control.contains("Events (--at, control):") && control.contains("producer control EVENT"))
    #expect(!BroadcastOptions.program.helpText(of: "check").contains("Events ("))
    #expect(ProducerOptions.program.helpText(of: "broadcast").contains("  producer [broadcast] [OPTIONS]"))
  }

  private func checkSubcommands(of program: Program<some OptionGroup>) throws {
    for subcommand in program.subcommands.map(\.term) {
      let help = program.helpText(of: subcommand)
      #expect(try program.request([subcommand, "--help"]) == .show(help))
      #expect(try program.request(["help", subcommand]) == .show(help))
      #expect(help.split(separator: "\n").allSatisfy { $0.count <= 80 } && help.contains("Examples:\n  "))
      for option in program.options {
        let belongs = option.subcommands.isEmpty || option.subcommands.contains(subcommand)
        let isListed = help.split(separator: "\n").contains { line in
          line == "  \(option.usage)" || line.hasPrefix("  \(option.usage) ")
        }
        #expect(isListed == belongs, "\(option.name) of \(subcommand)")
      }
    }
  }

  @Test func everyExampleIsAValidCommandLine() throws {
    try checkExamples(of: ProducerOptions.program)
    try checkExamples(of: ConsumerOptions.program)
    try checkExamples(of: CapturerOptions.program)
    try checkExamples(of: BroadcastOptions.program)
  }

  private func checkExamples(of program: Program<some OptionGroup>) throws {
    for example in program.examples {
      let words = example.term.prefix { $0 != "|" }.split(separator: " ").map(String.init)
      #expect(words.first == program.name)
      _ = try program.request(Array(words.dropFirst()))
    }
  }
}
