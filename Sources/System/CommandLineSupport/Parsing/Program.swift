/// The command line of a program: the declarations from which both the parser and `--help` work.
package struct Program<Options: OptionGroup>: Sendable {
  package let name: String
  /// A description of the program in two sentences.
  let summary: String
  let usage: [String]
  /// The subcommands. The first one is the default.
  package let subcommands: [HelpEntry]
  let parsedOptions: [Option<Options>]
  /// The subcommands that pass the words after `--` to another program.
  let passthroughSubcommands: [String]
  let operands: [Operand]
  /// Lists of the words that an option or an operand accepts, by heading.
  let vocabularies: [String: [HelpEntry]]
  /// The examples. The overview shows the first five.
  package let examples: [HelpEntry]
  let mostUsed: [String]
  /// Options and subcommands of other programs that a person may try here, with the command lines to use instead.
  let elsewhere: [String: [String]]
  package let signals: [HelpEntry]

  /// All options, in the order of `--help`.
  package var options: [OptionDeclaration] {
    parsedOptions.map(\.declaration) + [
      OptionDeclaration(
        name: "--help",
        help: "Print this text" + (subcommands.isEmpty ? "" : ", or the help of the subcommand before it")
          + ". Short form: -h."),
      OptionDeclaration(name: "--version", help: "Print the name and the version. Short form: -v."),
    ]
  }

  /// Creates a program from its declarations, and adds `--help` and `--version` to `options`.
  package init(
    name: String, summary: String, usage: [String], subcommands: [HelpEntry] = [], options: [Option<Options>],
    passthroughSubcommands: [String] = [], operands: [Operand] = [],
    vocabularies: [String: [HelpEntry]] = [:], examples: [HelpEntry], mostUsed: [String] = [],
    elsewhere: [String: [String]] = [:], signals: [HelpEntry]
  ) {
    self.name = name
    self.summary = summary
    self.usage = usage
    self.subcommands = subcommands
    self.passthroughSubcommands = passthroughSubcommands
    (parsedOptions, self.operands, self.vocabularies) = (options, operands, vocabularies)
    self.examples = examples
    self.mostUsed = mostUsed
    self.elsewhere = elsewhere
    self.signals = signals
  }
}

/// A line of `--help`: a word or signal, and its meaning.
package struct HelpEntry: Hashable, Sendable {
  /// A subcommand, a signal, an exit code, or an example to copy.
  package let term: String
  package let meaning: String

  package init(_ term: String, _ meaning: String) {
    self.term = term
    self.meaning = meaning
  }
}

/// A word that a subcommand expects, such as a file. A subcommand may have several, in order.
///
///     Operand("control", "EVENT", "an event")      // producer control pause
package struct Operand: Hashable, Sendable {
  let subcommand: String
  /// The word that stands for the operand in `--help`.
  let placeholder: String
  /// The expected words, in words that follow "expects" in a sentence.
  let expectation: String

  package init(_ subcommand: String, _ placeholder: String, _ expectation: String) {
    self.subcommand = subcommand
    self.placeholder = placeholder
    self.expectation = expectation
  }
}
