/// A table of text for a terminal.
///
/// A line may be shorter than the columns: a title and a remark, which is not aligned.
package struct TextTable {
  private let columns: [String]
  /// The columns at the left that begin at the left; the others end at the right.
  private let leftColumns: Int
  private let widths: [Int]

  package init(columns: [String], leftColumns: Int, lines: [[String]]) {
    (self.columns, self.leftColumns) = (columns, leftColumns)
    let whole = lines.filter { $0.count == columns.count } + [columns]
    widths = columns.indices.map { column in whole.map { $0[column].count }.max() ?? 0 }
  }

  /// The heading and some of the lines, all as wide as the whole table needs.
  package func text(of lines: [[String]]) -> [String] {
    ([columns] + lines).map { cells in
      guard cells.count == widths.count else { return cells.joined(separator: "  ") }
      return cells.indices.map { cells[$0].padded(to: widths[$0], atEnd: $0 < leftColumns) }
        .joined(separator: "  ").replacing(#/ +$/#, with: "")
    }
  }
}

extension String {
  package func padded(to width: Int, atEnd: Bool = false) -> String {
    let space = String(repeating: " ", count: max(0, width - count))
    return atEnd ? self + space : space + self
  }
}
