import TestSupport

extension Document {
  /// Checks that the text after each mark `<!-- generated: NAME -->` is the table of that name. With `UPDATE_DOCS=1` in the
  /// environment it writes the page instead.
  func check(_ tables: [(name: String, table: String)]) throws {
    var written = text
    for (name, table) in tables {
      let start = try #require(written.firstRange(of: "<!-- generated: \(name) -->\n")).upperBound
      let end = try #require(written[start...].firstRange(of: "<!-- end -->")).lowerBound
      written.replaceSubrange(start..<end, with: table)
    }
    if ProcessInfo.processInfo.environment["UPDATE_DOCS"] != nil {
      try Data(written.utf8).write(to: Document.package.appending(path: path), options: .atomic)
    } else {
      #expect(text == written, "UPDATE_DOCS=1 swift test --filter DocumentTests writes the page.")
    }
  }
}

extension String {
  static func code(_ text: String) -> String { "`\(text)`" }

  static func table(_ heads: [String], _ rows: [[String]]) -> String {
    ([heads, heads.map { _ in "---" }] + rows).map { "| \($0.joined(separator: " | ")) |\n" }.joined()
  }
}
