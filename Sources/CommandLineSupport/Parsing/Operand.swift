/// What a verb is about, typed behind it: a file, say.
///
///     Operand("inspect", "FILE", "a file")      // consumer inspect frames.ring
public struct Operand: Hashable, Sendable {
  /// The verb that wants it.
  public let verb: String
  /// The word that stands for it in `--help`.
  public let placeholder: String
  /// What is wanted, to follow "wants" in a sentence.
  public let expectation: String

  /// An operand of a verb.
  public init(_ verb: String, _ placeholder: String, _ expectation: String) {
    self.verb = verb
    self.placeholder = placeholder
    self.expectation = expectation
  }
}
