/// A program as its command line shows it: the declarations that drive both the parser and `--help`.
package struct Program<Options: OptionGroup>: Sendable {
  package let name: String
  /// What the program is, in two sentences.
  let summary: String
  let usage: [String]
  /// The subcommands, the default one first.
  package let subcommands: [HelpEntry]
  let parsedOptions: [Option<Options>]
  /// The subcommands that take another program's options after `--`.
  let passthroughSubcommands: [String]
  let operands: [Operand]
  /// Words that an option or an operand takes, under their headings.
  let vocabularies: [String: [HelpEntry]]
  /// The first five are those of the overview.
  package let examples: [HelpEntry]
  let mostUsed: [String]
  /// Options and subcommands of another program that a person may look for here, with the command lines to type instead.
  let elsewhere: [String: [String]]
  package let signals: [HelpEntry]

  /// Every option, in the order of `--help`.
  package var options: [OptionDeclaration] {
    parsedOptions.map(\.declaration) + [
      OptionDeclaration(
        name: "--help",
        help: "Print this text" + (subcommands.isEmpty ? "" : ", or that of a subcommand before it")
          + ". Short form: -h."),
      OptionDeclaration(name: "--version", help: "Print the name and the version. Short form: -v."),
    ]
  }

  /// A program with its declarations; `--help` and `--version` are added to `options`.
  package init(
    name: String, summary: String, usage: [String], subcommands: [HelpEntry] = [], options: [Option<Options>],
    passthroughSubcommands: [String] = [], operands: [Operand] = [],
    vocabularies: [String: [HelpEntry]] = [:], examples: [HelpEntry], mostUsed: [String] = [],
    elsewhere: [String: [String]] = [:], signals: [HelpEntry]
  ) {
    (self.name, self.summary, self.usage) = (name, summary, usage)
    (self.subcommands, self.passthroughSubcommands) = (subcommands, passthroughSubcommands)
    (parsedOptions, self.operands, self.vocabularies) = (options, operands, vocabularies)
    (self.examples, self.mostUsed, self.elsewhere) = (examples, mostUsed, elsewhere)
    self.signals = signals
  }
}

/// A line of `--help`: something to type or to send, and what it does.
package struct HelpEntry: Hashable, Sendable {
  /// A subcommand, a signal, an exit code, or an example to copy.
  package let term: String
  package let meaning: String

  package init(_ term: String, _ meaning: String) { (self.term, self.meaning) = (term, meaning) }
}

/// A word that a subcommand takes, such as a file; a subcommand may have several, in their order.
///
///     Operand("control", "EVENT", "an event")      // producer control pause
package struct Operand: Hashable, Sendable {
  let subcommand: String
  /// The word that stands for it in `--help`.
  let placeholder: String
  /// What it must be, to follow "expects" in a sentence.
  let expectation: String

  package init(_ subcommand: String, _ placeholder: String, _ expectation: String) {
    (self.subcommand, self.placeholder, self.expectation) = (subcommand, placeholder, expectation)
  }
}
