/// The types that the files of `Sources` declare, with the parts that documents need: comments, stored properties, and cases.
/// The parser relies on the layout that `swift format` gives to a file.
package struct SourceTypes: Sendable {
  package struct Property: Sendable {
    package var name: String
    /// The type as written, without a question mark; the type of the first value if none is written.
    package var type: String
    package var isOptional: Bool
    package var comment: String
  }

  package struct Declared: Sendable {
    package var name: String
    /// The protocols, the superclass, and the type of the raw values.
    package var conformances: [String]
    /// The first paragraph of the comment.
    package var comment: String
    /// The value of `static let event`.
    package var event: String?
    package var properties: [Property] = []
    package var cases: [(name: String, comment: String)] = []
    fileprivate var aliases: [String: String] = [:]
    fileprivate var file: String
    /// The index of the enclosing type in ``SourceTypes/all``.
    fileprivate var outer: Int?
  }

  package private(set) var all: [Declared] = []

  package init() throws {
    let folder = Document.package.appending(path: "Sources")
    let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)?.allObjects ?? []
    for file in files.compactMap({ $0 as? URL }) where file.pathExtension == "swift" {
      read(try String(contentsOf: file, encoding: .utf8), file: file.path)
    }
    for keys in all where keys.name == "CodingKeys" {
      guard let outer = keys.outer else { continue }
      all[outer].properties.removeAll { property in !keys.cases.contains { $0.name == property.name } }
    }
  }

  /// Returns the type that `user` refers to by a name such as `Inner` or `Outer.Inner`.
  package func type(_ name: String, usedBy user: Declared? = nil) -> Declared? {
    let words = name.split(separator: ".").map(String.init)
    let found = all.filter { $0.name == user?.aliases[name] ?? words.last }
    let outer = words.dropLast().last
    return found.first { outer != nil && $0.outer.map { all[$0].name } == outer }
      ?? found.first { $0.file == user?.file } ?? found.first
  }

  private mutating func read(_ text: String, file: String) {
    // The indices of the types that enclose a line, outermost first; `nil` for an extension.
    var open: [Int?] = []
    var comment: [String] = []
    for line in text.split(separator: "\n").map(String.init) {
      let code = line.drop { $0 == " " }
      if code.hasPrefix("///") {
        comment.append(code.dropFirst(3).trimmingCharacters(in: .whitespaces))
        continue
      }
      defer { comment = [] }
      let depth = (line.count - code.count) / 2
      open.removeLast(max(0, open.count - depth))
      guard depth == open.count else { continue }
      let paragraph = comment.prefix { !$0.isEmpty && !$0.hasPrefix("```") }.joined(separator: " ")
      let words = code.split(separator: " ").drop { Self.modifiers.contains(String($0)) }
      guard let first = words.first.map(String.init), words.count > 1 else { continue }
      guard Self.kinds.contains(first) else {
        if let type = open.last ?? nil { add(words, paragraph, to: type) }
        continue
      }
      open.append(nil)
      guard first != "extension" else { continue }
      open[depth] = all.count
      let head = code.prefix { $0 != "{" }.split(separator: ":", maxSplits: 1)
      all.append(
        Declared(
          name: words[words.startIndex + 1].filter { $0 != ":" },
          conformances: head.dropFirst().flatMap { $0.split { ", ".contains($0) } }.map(String.init),
          comment: paragraph, file: file, outer: depth == 0 ? nil : open[depth - 1]))
      // The members of a type on one line.
      let members = code.drop { $0 != "{" }.dropFirst().split(separator: " ").dropLast()
      if !members.isEmpty { add(members, "", to: all.count - 1) }
    }
  }

  private static let modifiers: Set = [
    "public", "package", "private", "fileprivate", "internal", "final", "nonisolated", "indirect",
    "private(set)", "internal(set)",
  ]
  private static let kinds: Set = ["struct", "enum", "class", "actor", "protocol", "extension"]

  /// Adds a member of a type. `words` has no modifiers.
  private mutating func add(_ words: ArraySlice<Substring>, _ comment: String, to type: Int) {
    let text = words.dropFirst().joined(separator: " ")
    // The initial value. Computed properties are skipped below.
    let parts = text.components(separatedBy: " = ")
    let value = parts.count > 1 ? parts[1] : ""
    switch words.first {
    case "static" where text.hasPrefix("let event = "): all[type].event = value.filter { $0 != "\"" }
    case "typealias": all[type].aliases[parts[0]] = value
    case "case":
      all[type].cases += text.replacing(/\([^)]*\)/, with: "").components(separatedBy: ", ").map { word in
        let parts = word.components(separatedBy: " = ")
        return ((parts.count > 1 ? parts[1] : parts[0]).filter { !"`\"".contains($0) }, comment)
      }
    case "var" where !text.contains("{"), "let" where !text.contains("{"):
      let declared = parts[0].components(separatedBy: ": ")
      let written = declared.count > 1 ? declared[1] : Self.type(ofLiteral: value)
      all[type].properties.append(
        Property(
          name: declared[0].filter { $0 != "`" }, type: written.filter { $0 != "?" },
          isOptional: written.hasSuffix("?"), comment: comment))
    default: break
    }
  }

  private static func type(ofLiteral text: String) -> String {
    if ["true", "false"].contains(text) { return "Bool" }
    if text.hasPrefix("\"") { return "String" }
    return text.contains(".") ? "Double" : "Int"
  }
}
