/// An option that may be given more than once, and whose value may have several words.
///
///     static let at = RepeatedOption("--at", "TIME EVENT", help: "…", group: "…") { text in try Event(text) }
///     let events = try invocation.values(of: Self.at)     // --at 2s pause --at '3s resume'
public struct RepeatedOption<Value: Sendable>: Sendable {
  /// What the parser and `--help` know of it.
  public let declaration: OptionDeclaration
  let read: @Sendable (String) throws(UsageError) -> Value

  /// An option with its name, the words for its value, its explanation, and the function that reads a value, which
  /// gets the words with spaces between them.
  public init(
    _ name: String, _ placeholder: String, help: String, group: String, onlyWith verbs: [String] = [],
    read: @escaping @Sendable (String) throws(UsageError) -> Value
  ) {
    var declaration = OptionDeclaration(
      name: name, placeholder: placeholder, impliedValue: nil, help: help, defaultText: nil, group: group,
      verbs: verbs)
    declaration.isRepeatable = true
    self.declaration = declaration
    self.read = read
  }
}
