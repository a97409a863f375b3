/// A program as its command line shows it: the declarations that drive both the parser and `--help`.
public struct Program: Sendable {
  /// The name as typed.
  public let name: String
  /// What the program is, in two sentences.
  public let summary: String
  /// The forms of the command line.
  public let usage: [String]
  /// The verbs, the default one first; empty for a program without verbs.
  public let verbs: [HelpEntry]
  /// Every option, in the order of `--help`.
  public let options: [OptionDeclaration]
  /// The verb that takes another program's options after `--`.
  public let passthroughVerb: String?
  /// The operands of verbs that want one.
  public let operands: [Operand]
  /// Words with a meaning of their own that options take, under their titles.
  public let vocabularies: [Vocabulary]
  /// Command lines to copy.
  public let examples: [HelpEntry]
  /// The signals the program listens to.
  public let signals: [HelpEntry]

  /// Words that an option or an operand takes, each with what it does.
  public struct Vocabulary: Sendable {
    /// The heading in `--help`.
    public let title: String
    /// The words.
    public let entries: [HelpEntry]

    /// Words under a title.
    public init(_ title: String, _ entries: [HelpEntry]) {
      self.title = title
      self.entries = entries
    }
  }

  /// A program with its declarations.
  public init(
    name: String, summary: String, usage: [String], verbs: [HelpEntry] = [], options: [OptionDeclaration],
    passthroughVerb: String? = nil, operands: [Operand] = [], vocabularies: [Vocabulary] = [],
    examples: [HelpEntry], signals: [HelpEntry]
  ) {
    self.name = name
    self.summary = summary
    self.usage = usage
    self.verbs = verbs
    self.options = options
    self.passthroughVerb = passthroughVerb
    self.operands = operands
    self.vocabularies = vocabularies
    self.examples = examples
    self.signals = signals
  }
}
