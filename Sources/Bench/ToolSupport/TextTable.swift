/// A table of text for a terminal.
///
/// A line may have fewer cells than the table: a title and a remark. These cells are not aligned.
package struct TextTable {
  private let columns: [String]
  /// The number of left-aligned columns, from the left. The other columns are right-aligned.
  private let leftColumns: Int
  private let widths: [Int]

  package init(columns: [String], leftColumns: Int, lines: [[String]]) {
    self.columns = columns
    self.leftColumns = leftColumns
    let whole = lines.filter { $0.count == columns.count } + [columns]
    widths = columns.indices.map { column in whole.map { $0[column].count }.max() ?? 0 }
  }

  /// Returns the heading and the given lines, padded to the column widths of the whole table.
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
