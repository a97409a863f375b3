import Foundation

/// A comment on a public declaration of a source.
struct PublicComment {
  /// The forms of a first sentence, by `Docs/Internals/Style.md`.
  enum Form {
    /// Begins the comment of a function or an initialiser: "Returns …". "Whether …" is also the form of a function.
    case verb
    /// Begins the comment of a property with the type `Bool`: "Whether …".
    case condition
    /// Begins the comment of a type or another property: "The number of …".
    case noun
  }

  /// The number of the first line.
  let line: Int
  /// The lines, without their marks.
  let lines: [String]
  /// The name of the declaration.
  let name: String
  let form: Form

  /// Returns the comments in a source that `swift format` has formatted. Its attributes may have separate lines.
  static func all(in source: String) throws -> [PublicComment] {
    let kinds = "func|var|let|class|struct|enum|protocol|typealias|init|subscript"
    let expression = try NSRegularExpression(
      pattern: #"(?m)((?:^ *///.*\n)++)(?: *@(?!.*\b(?:public|open) ).*\n)*+"#
        + #" *(?:\S+ )*?(?:public|open) (?:\S+ )*?(\#(kinds))\b[ `]*(\w*)"#)
    let text = NSString(string: source)
    var (line, end) = (1, 0)
    return expression.matches(in: source, range: NSRange(location: 0, length: text.length)).map { match in
      let start = match.range.location
      line += text.substring(with: NSRange(location: end, length: start - end)).lineBreaks
      end = start
      let lines = text.substring(with: match.range(at: 1)).split(separator: "\n").map {
        $0.trimmingCharacters(in: .whitespaces).dropFirst(3).trimmingCharacters(in: .whitespaces)
      }
      return PublicComment(
        line: line, lines: lines, name: text.substring(with: match.range(at: 3)),
        form: form(of: text.substring(with: match.range(at: 2)), text.substring(from: match.range.upperBound))
      )
    }
  }

  /// - Parameter text: begins with the parameters or the type of the declaration.
  private static func form(of kind: String, _ text: String) -> Form {
    switch kind {
    case "func", "init", "subscript": .verb
    case "var", "let":
      [": Bool\n", ": Bool {", ": Bool =", " = true\n", " = false\n"].contains { text.hasPrefix($0) }
        ? .condition : .noun
    default: .noun
    }
  }

  /// The rule that the first sentence breaks; `nil` if it has its form. A comment on a name of Apple says how the stand-in
  /// differs, so it may have any other form.
  func fault(isOfStandIn: Bool) -> String? {
    let text = lines.joined(separator: " ")
    if text.contains(/^(What|Who|Whose|Which|Those|That of|Of|How|Why|Where)\b/) {
      return "Begin with the noun or the verb, not with a question or a pronoun."
    }
    if isOfStandIn { return nil }
    switch form {
    case .verb where !text.contains(/^(Whether|[A-Z][a-z]+s)\b/):
      return #"Begin with a verb: "Returns …", "Creates …"."#
    case .condition where !text.hasPrefix("Whether "): return #"Begin with "Whether"."#
    case .noun where text.contains(/^(Whether|Returns|Gets|When|If|Has|Is)\b/):
      return #"Begin with the noun: "The number of …"."#
    default: return nil
    }
  }
}
