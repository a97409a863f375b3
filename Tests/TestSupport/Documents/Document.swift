/// A page of the package's documentation, parsed as far as tests compare it with the code.
package struct Document {
  package static let package = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent()
    .deletingLastPathComponent()
    .deletingLastPathComponent()

  /// A row of a table, with the headings above it.
  package struct Row {
    /// The nearest heading of the second level, without marks.
    package var section: String
    /// The nearest heading of the third level; empty if there is none in the section.
    package var subsection: String
    /// The cells, without code marks.
    package var cells: [String]
  }

  package let path: String
  package let text: String

  /// Reads the document at a path relative to the package's folder.
  package init(_ path: String) throws {
    self.path = path
    text = try String(contentsOf: Self.package.appending(path: path), encoding: .utf8)
  }

  /// Returns all pages: the README, and those in `Docs` and `Docs/Internals`.
  package static func all() throws -> [Document] {
    let pages = try ["Docs", "Docs/Internals"].flatMap { folder in
      try FileManager.default.contentsOfDirectory(atPath: package.appending(path: folder).path)
        .filter { $0.hasSuffix(".md") }.sorted().map { "\(folder)/\($0)" }
    }
    return try (["README.md"] + pages).map(Document.init)
  }

  /// The rows of all tables outside of code blocks, including their headers.
  package var rows: [Row] {
    var rows: [Row] = []
    var (section, subsection) = ("", "")
    for line in prose {
      if line.hasPrefix("## ") { (section, subsection) = (String(line.dropFirst(3)), "") }
      if line.hasPrefix("### ") { subsection = String(line.dropFirst(4)) }
      guard line.hasPrefix("| ") else { continue }
      let cells = line.replacing("`", with: "").split(separator: "|", omittingEmptySubsequences: false)
      rows.append(
        Row(
          section: section, subsection: subsection,
          cells: cells.dropFirst().dropLast().map { $0.trimmingCharacters(in: .whitespaces) }))
    }
    return rows
  }

  /// The lines outside of code blocks.
  package var prose: [Substring] {
    var isCode = false
    return text.split(separator: "\n").filter { line in
      guard line.hasPrefix("```") else { return !isCode }
      isCode.toggle()
      return false
    }
  }

  package var codeBlocks: [[Substring]] {
    var blocks: [[Substring]] = []
    var block: [Substring]?
    for line in text.split(separator: "\n") {
      if line.hasPrefix("```") {
        if let block { blocks.append(block) }
        block = block == nil ? [] : nil
      } else {
        block?.append(line)
      }
    }
    return blocks
  }
}
