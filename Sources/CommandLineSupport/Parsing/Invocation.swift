/// A command line taken apart: known options with their texts, the verb, and what came after `--`.
public struct Invocation: Equatable, Sendable {
  /// The verb; `nil` when none was typed.
  public internal(set) var verb: String?
  /// What stands behind a verb that wants an operand.
  public internal(set) var operand: String?
  /// The arguments after `--`, as they were typed.
  public internal(set) var passthrough: [String] = []
  /// The texts of the options by name; the empty text for flags.
  var texts: [String: String] = [:]
  /// All texts of the options that may be given more than once, in their order.
  var repeatedTexts: [String: [String]] = [:]

  /// Whether a flag was given.
  public func has(_ flag: Flag) -> Bool { texts[flag.declaration.name] != nil }

  /// Whether an option was given.
  public func has<Value>(_ option: Option<Value>) -> Bool { texts[option.declaration.name] != nil }

  /// The value of an option, `nil` when it was not given.
  ///
  /// Throws when the text given is not what the option wants.
  public func value<Value>(of option: Option<Value>) throws(UsageError) -> Value? {
    guard let text = texts[option.declaration.name] else { return nil }
    guard let value = option.value.read(text) else {
      throw UsageError("\(option.declaration.name) wants \(option.value.expectation), not \(text.quoted).")
    }
    return value
  }

  /// The values of an option that may be given more than once, in their order.
  ///
  /// Throws when a text given is not what the option wants.
  public func values<Value>(of option: RepeatedOption<Value>) throws(UsageError) -> [Value] {
    var values: [Value] = []
    for text in repeatedTexts[option.declaration.name, default: []] { values.append(try option.read(text)) }
    return values
  }
}
