/// An option that takes a value, declared once for the parser, for `--help` and for the code that reads it.
///
///     static let slots = Option(
///       "--slots", "N", .integer(in: 2...8), help: "Frames the ring holds, 2 to 8.", default: "3",
///       group: "Picture")
///     let slots = try invocation.value(of: Self.slots) ?? 3
public struct Option<Value: Sendable>: Sendable {
  /// What the parser and `--help` know of it.
  public let declaration: OptionDeclaration
  /// What it takes.
  public let value: OptionValue<Value>

  /// An option with its name, the word for its value, and its explanation.
  public init(
    _ name: String, _ placeholder: String, _ value: OptionValue<Value>, help: String,
    default defaultText: String? = nil, impliedValue: String? = nil, group: String,
    onlyWith verbs: [String] = []
  ) {
    declaration = OptionDeclaration(
      name: name, placeholder: placeholder, impliedValue: impliedValue, help: help, defaultText: defaultText,
      group: group, verbs: verbs)
    self.value = value
  }
}
