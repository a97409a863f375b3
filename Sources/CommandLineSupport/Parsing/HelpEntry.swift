/// A line of `--help`: something a person can type or send, and what it does.
public struct HelpEntry: Hashable, Sendable {
  /// What is typed or sent: a verb, a command, a signal.
  public let term: String
  /// What it does.
  public let meaning: String

  /// An entry for a term.
  public init(_ term: String, _ meaning: String) {
    self.term = term
    self.meaning = meaning
  }
}
