/// An option that is given or not, and takes no value.
public struct Flag: Sendable {
  /// What the parser and `--help` know of it.
  public let declaration: OptionDeclaration

  /// A flag with its name and its explanation.
  public init(_ name: String, help: String, group: String, onlyWith verbs: [String] = []) {
    declaration = OptionDeclaration(
      name: name, placeholder: nil, impliedValue: nil, help: help, defaultText: nil, group: group,
      verbs: verbs)
  }
}
