/// Follows the braces of a file, to determine the type around a position.
struct SwiftScopes {
  struct Declaration {
    let name: String
    let base: String?
  }

  /// The types of the open braces; `nil` for other braces.
  private var open: [String?] = []
  private var pending: String?
  /// The open braces at each `#if`, because each of its branches may open the same brace.
  private var atConditions: [[String?]] = []

  /// The maximum number of tokens read between a type's name and its brace, which keeps code without braces cheap.
  static let longestHead = 512

  /// The number of open braces.
  var depth: Int { open.count }

  /// The enclosing types from outside to inside; `nil` within the body of a function or a closure.
  var typesAround: [String]? {
    let names = open.compactMap { $0 }
    return names.count == open.count ? names : nil
  }

  /// The name of the enclosing type, qualified by the types around it; `nil` outside of all types.
  var typeName: String? {
    let names = open.compactMap { $0 }
    return names.isEmpty ? nil : names.joined(separator: ".")
  }

  /// Processes a token. Returns the declaration of a type if the token begins one.
  mutating func visit(_ tokens: [SwiftToken], _ index: Int) -> Declaration? {
    switch tokens[index].text {
    case "{":
      open.append(pending)
      pending = nil
    case "}": _ = open.popLast()
    case "class", "struct", "enum", "actor", "extension", "protocol":
      return declaration(tokens, index)
    default: break
    }
    return nil
  }

  mutating func visitDirective(_ text: String) {
    switch text {
    case "#if": atConditions.append(open)
    case "#endif": _ = atConditions.popLast()
    default: if let before = atConditions.last { open = before }
    }
  }

  private mutating func declaration(_ tokens: [SwiftToken], _ index: Int) -> Declaration? {
    // `class` can also be a modifier (`class func`), a constraint, or a name.
    let members: Set = [
      "func", "var", "let", "override", "final", "private", "public", "internal", "subscript",
    ]
    guard index + 1 < tokens.count, tokens[index + 1].isWord, !members.contains(tokens[index + 1].text),
      index == 0 || ![".", ":", ","].contains(tokens[index - 1].text)
    else { return nil }
    var (end, name) = (index + 2, tokens[index + 1].text)
    while end + 1 < tokens.count, tokens[end].text == ".", tokens[end + 1].isWord {
      name += "." + tokens[end + 1].text
      end += 2
    }
    pending = name
    let head = tokens[end...].prefix(Self.longestHead).prefix { $0.text != "{" }
    guard let colon = head.firstIndex(where: { $0.text == ":" }), colon + 1 < tokens.count
    else { return Declaration(name: name, base: nil) }
    let base = tokens[(colon + 1)...].prefix { $0.isWord || $0.text == "." || $0.text.hasPrefix("@") }
    return Declaration(name: name, base: base.last?.text)
  }
}
