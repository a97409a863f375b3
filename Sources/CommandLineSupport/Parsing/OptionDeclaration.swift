/// What the parser and `--help` know of an option: its name, what it takes, and what it is for.
public struct OptionDeclaration: Hashable, Sendable {
  /// The name as typed, with its two hyphens.
  public let name: String
  /// The word that stands for the value in `--help`; `nil` for a flag, which takes none.
  public let placeholder: String?
  /// The value it has when it is given without one; `nil` when it wants one. A value then goes behind `=`.
  public let impliedValue: String?
  /// Whether it may be given more than once.
  public internal(set) var isRepeatable = false
  /// What it is for, as sentences, with units and range.
  public let help: String
  /// What holds when it is left out, as `--help` says it.
  public let defaultText: String?
  /// The heading it stands under in `--help`.
  public let group: String
  /// The verbs it goes with; empty when it goes with all.
  public internal(set) var verbs: [String] = []

  /// The words of its value: as many as its placeholder has.
  var wordCount: Int { placeholder?.split(separator: " ").count ?? 0 }

  /// The option as typed, with its placeholder: `--fps N`.
  public var usage: String {
    guard let placeholder else { return name }
    return impliedValue == nil ? "\(name) \(placeholder)" : "\(name)[=\(placeholder)]"
  }

  /// The same option, for certain verbs only.
  public func only(with verbs: [String]) -> OptionDeclaration {
    var copy = self
    copy.verbs = verbs
    return copy
  }
}
