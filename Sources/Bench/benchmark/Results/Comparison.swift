import LaunchedPrograms
import ToolSupport

/// The rows of two revisions, measured in alternating rounds by their programs.
struct Comparison: Encodable {
  let against: String
  let rows: [ComparedRow]

  struct ComparedRow: Encodable {
    let here, there: Row?

    /// Whether all figures of one program are above all figures of the other.
    var isChanged: Bool {
      guard let here = (here?.figures).flatMap(Summary.init),
        let there = (there?.figures).flatMap(Summary.init)
      else { return false }
      return here.min > there.max || here.max < there.min
    }
  }

  /// Compares the rounds of both programs.
  init(against: String, here: [Report], there: [Report]) {
    self.against = against
    let (here, there) = (Self.rows(of: here), Self.rows(of: there))
    rows =
      here.map { row in ComparedRow(here: row, there: there.first { $0.id == row.id }) }
      + there.filter { row in !here.contains { $0.id == row.id } }.map { ComparedRow(here: nil, there: $0) }
  }

  /// Merges the rows of several one-round reports, so that each row has the figures of all rounds. Skips rows that were
  /// never measured.
  private static func rows(of reports: [Report]) -> [Row] {
    let all = reports.map(\.rows)
    var ids: Set<String> = []
    return all.joined().filter { ids.insert($0.id).inserted }.compactMap { row in
      var row = row
      row.values = all.map { rows in rows.first { $0.id == row.id }?.figures.first }
      return row.figures.isEmpty ? nil : row
    }
  }

  var text: String {
    let changed = rows.count(where: \.isChanged)
    let rounds = rows.first.flatMap { ($0.here ?? $0.there)?.values?.count } ?? 0
    let table = TextTable(
      columns: ["what", "unit", "here", "there", "× there", "min", "max", "change"], leftColumns: 2,
      lines: rows.map(\.cells))
    let legend =
      "Medians of \(rounds) alternating rounds of this program and of \(against). × is the ratio of a round. "
      + "\(changed) of \(rows.count) rows changed: all figures of one program are above all of the other."
    return ([Machine.text(), legend, ""] + table.text(of: rows.map(\.cells))).joined(separator: "\n")
  }
}

extension Comparison.ComparedRow {
  fileprivate var cells: [String] {
    let ratios = here.map { $0.ratios(to: there) }.flatMap(Summary.init)?.texts ?? ["", "", ""]
    let change = there == nil ? "only here" : here == nil ? "only there" : isChanged ? "changed" : ""
    let row = here ?? there
    return [row?.title ?? "", row?.unit.rawValue ?? ""]
      + [here, there].map { ($0?.figures.median).map(\.figureText) ?? "" } + ratios + [change]
  }
}
