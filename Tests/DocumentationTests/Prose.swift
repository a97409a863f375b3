import TestSupport

/// The prose of files: the comments and sentences in Swift, and the text of pages. Code, `code marks`, and "quotations" in
/// comments and pages are not prose.
struct Prose {
  /// A comment, a literal or a page.
  private struct Part {
    let file: String
    /// The number of the first line.
    let line: Int
    /// The offset of the part in ``Prose/text``, in UTF-16.
    let offset: Int
  }

  /// Precedes each comment, literal and paragraph in ``text``.
  private static let start = "\u{1E}"

  private var text = ""
  private var length = 0
  private var parts: [Part] = []

  /// Comments of adjacent lines, literals of several lines, and literals of one line. Literals without a space are not in the
  /// group.
  private let sourceParts: NSRegularExpression
  private let commentMark: NSRegularExpression
  private let threeWords: NSRegularExpression
  private let paragraph: NSRegularExpression
  private let lineBreak: NSRegularExpression
  private let quotation: NSRegularExpression

  init() throws {
    sourceParts = try NSRegularExpression(
      pattern:
        #"(//.*(?:\n[ \t]*//.*)*|"""[\s\S]*?"""|"(?:[^"\\\n ]|\\.)* (?:[^"\\\n]|\\.)*")|"(?:[^"\\\n ]|\\.)*""#
    )
    commentMark = try NSRegularExpression(pattern: #"(?m)^[ \t]*//+"#)
    threeWords = try NSRegularExpression(pattern: #"[a-z]{3} [a-z]"#)
    paragraph = try NSRegularExpression(pattern: #"\n(?:\s*(?:[-|#*]+|\d+\.) |\n)"#)
    lineBreak = try NSRegularExpression(pattern: #"[ \t]*\\?\n[ \t]*"#)
    quotation = try NSRegularExpression(pattern: #"`[^`\n]*`|"[^"\n]*""#)
  }

  /// The prose of each folder in `Sources`, of `Tests`, and of `Docs` with `README.md`.
  static let folders = Result {
    let sources = try FileManager.default.contentsOfDirectory(
      atPath: Document.package.appending(path: "Sources").path)
    let folders = Dictionary(uniqueKeysWithValues: sources.map { ($0, ["Sources/\($0)"]) })
      .merging(["Tests": ["Tests"], "Docs": ["Docs", "README.md"]]) { $1 }
    return try folders.mapValues { paths in
      var prose = try Prose()
      for path in paths { try prose.add(path) }
      return prose
    }
  }

  /// Adds a page, or the files below a folder.
  private mutating func add(_ path: String) throws {
    let below = FileManager.default.enumerator(atPath: Document.package.appending(path: path).path)
    let files = (below?.allObjects ?? []).compactMap { $0 as? String }.map { "\(path)/\($0)" }
    // The files about habits quote them.
    for file in (files + [path]).sorted() where !file.contains("/Habit") {
      if file.hasSuffix(".swift") { addSource(try Document(file).text, file: file) }
      if file.hasSuffix(".md") { addPage(try Document(file).text, file: file) }
    }
  }

  mutating func addSource(_ text: String, file: String) {
    let source = NSString(string: text)
    var (line, end) = (1, 0)
    for match in sourceParts.matches(in: text, range: NSRange(location: 0, length: source.length))
    where match.range(at: 1).length > 0 {
      let start = match.range.location
      line += source.substring(with: NSRange(location: end, length: start - end)).lineBreaks
      end = start
      let part = source.substring(with: match.range)
      if part.hasPrefix("//") {
        add(commentMark.replacing(in: part, with: ""), quoting: true, file: file, line: line)
      } else if isSentence(part) {
        add(part.trimmingCharacters(in: ["\""]), quoting: false, file: file, line: line)
      }
    }
  }

  /// Whether a literal has four words or more, and is not code.
  private func isSentence(_ literal: String) -> Bool {
    threeWords.isFound(in: literal) && literal.components(separatedBy: " ").count >= 4
      && !literal.contains("{\n") && !literal.contains(";\n")
  }

  mutating func addPage(_ page: String, file: String) {
    var isCode = false
    var isGenerated = false
    let lines = page.components(separatedBy: "\n").map { line in
      if line.hasPrefix("```") { isCode.toggle() }
      if line.hasPrefix("<!-- ") { isGenerated = line.hasPrefix("<!-- generated:") }
      // The glossary shows the words that it replaces.
      let isGlossary = file.hasSuffix("/Style.md") && line.hasPrefix("|")
      return isCode || isGenerated || isGlossary || line.hasPrefix("    ") ? "" : line
    }
    let text = paragraph.replacing(in: lines.joined(separator: "\n"), with: "$0\(Self.start)")
    add(text, quoting: true, file: file, line: 1)
  }

  /// - Parameter quoting: whether the part may have code marks and quotations.
  private mutating func add(_ part: String, quoting: Bool, file: String, line: Int) {
    var part = lineBreak.replacing(in: part, with: "\n")
    if quoting { part = quotation.replacing(in: part, with: "``") }
    part = Self.start + part.trimmingCharacters(in: .whitespaces) + "\n"
    parts.append(Part(file: file, line: line, offset: length))
    text += part
    length += NSString(string: part).length
  }

  private func expression(of habit: Habit) throws -> NSRegularExpression {
    let pattern = habit.pattern.replacing("^", with: "(?<=\(Self.start))").replacing(" ", with: "\\s")
    return try NSRegularExpression(pattern: pattern, options: .caseInsensitive)
  }

  func count(of habit: Habit) throws -> Int {
    try expression(of: habit).numberOfMatches(in: text, range: NSRange(location: 0, length: length))
  }

  /// Returns the lines with a habit, each with its file and number.
  func lines(with habit: Habit) throws -> [String] {
    let text = NSString(string: text)
    return try expression(of: habit).matches(in: self.text, range: NSRange(location: 0, length: length))
      .compactMap { match in
        guard let part = parts.last(where: { $0.offset <= match.range.location }) else { return nil }
        let before = text.substring(
          with: NSRange(location: part.offset, length: match.range.location - part.offset))
        let line = text.substring(with: text.lineRange(for: match.range))
          .trimmingCharacters(in: CharacterSet(charactersIn: Self.start + "\n"))
        return "\(part.file):\(part.line + before.lineBreaks): \(line)"
      }
  }
}

extension NSRegularExpression {
  fileprivate func replacing(in text: String, with template: String) -> String {
    stringByReplacingMatches(
      in: text, range: NSRange(location: 0, length: NSString(string: text).length), withTemplate: template)
  }

  fileprivate func isFound(in text: String) -> Bool {
    rangeOfFirstMatch(in: text, range: NSRange(location: 0, length: NSString(string: text).length)).location
      != NSNotFound
  }
}

extension String {
  var lineBreaks: Int { components(separatedBy: "\n").count - 1 }
}
