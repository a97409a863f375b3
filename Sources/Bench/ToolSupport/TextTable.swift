/// A table of text for a terminal.
///
/// A line may be shorter than the columns: a title and a remark, which is not aligned.
package struct TextTable {
  private let columns: [String]
  /// The columns at the left that begin at the left; the others end at the right.
  private let leftColumns: Int
  private let lines: [[String]]

  package init(columns: [String], leftColumns: Int, lines: [[String]]) {
    (self.columns, self.leftColumns, self.lines) = (columns, leftColumns, lines)
  }

  /// The heading and some of the lines, all as wide as the whole table needs.
  package func text(of lines: [[String]]) -> [String] {
    let whole = self.lines.filter { $0.count == columns.count } + [columns]
    let widths = columns.indices.map { column in whole.map { $0[column].count }.max() ?? 0 }
    return ([columns] + lines).map { cells in
      guard cells.count == widths.count else { return cells.joined(separator: "  ") }
      let padded = cells.indices.map { index in
        let space = String(repeating: " ", count: widths[index] - cells[index].count)
        return index < leftColumns ? cells[index] + space : space + cells[index]
      }
      return padded.joined(separator: "  ").replacing(#/ +$/#, with: "")
    }
  }
}
