/// Follows the braces of a file, to know the type around a place.
struct SwiftScopes {
  struct Declaration {
    let name: String
    let base: String?
  }

  /// The types of the open braces; `nil` for a brace of something else.
  private var open: [String?] = []
  private var pending: String?
  /// The open braces at each `#if`, because each branch of it may open the same one.
  private var atConditions: [[String?]] = []

  /// The most tokens between a type's name and its brace that are read: code without braces stays cheap.
  static let longestHead = 512

  /// The number of open braces.
  var depth: Int { open.count }

  /// The name of the type around, with those around it; `nil` outside of all types.
  var typeName: String? {
    let names = open.compactMap { $0 }
    return names.isEmpty ? nil : names.joined(separator: ".")
  }

  /// Takes a token into account; returns the declaration of a type that begins with it.
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
    // A word of these is also a modifier of a member, a constraint, or a name.
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
