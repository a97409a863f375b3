import CommandLineSupport
import Foundation

extension Report {
  /// The table for a terminal.
  var text: String {
    var lines = [machine.text, legend]
    for (size, rows) in sizes {
      let groups = cells(rows, size)
      let table = TextTable(columns: Self.columns, leftColumns: 2, lines: groups.flatMap(\.lines))
      lines += ["", heading(size)]
      for (group, cells) in groups { lines += ["", group.title] + table.text(of: cells) }
    }
    return lines.joined(separator: "\n")
  }

  var markdown: String {
    var lines = [machine.text + ".", "", legend]
    for (size, rows) in sizes {
      lines += ["", "### \(heading(size))"]
      for (group, cells) in cells(rows, size) {
        let table = TextTable(columns: Self.columns, leftColumns: 2, lines: cells)
        lines += ["", "**\(group.title)**", ""] + table.markdown
      }
    }
    return lines.joined(separator: "\n")
  }

  private static let columns = ["what", "unit", "median", "min", "max", "× beside", "bar"]

  private var legend: String {
    "Medians with least and greatest of \(rounds) interleaved rounds. × is the ratio to what was measured beside it "
      + "in the same round, whose name follows. \(disturbance.text)"
      + (countsForBars ? "." : "; no bar is judged in a run like this.")
  }

  private func heading(_ size: PixelSize) -> String {
    let stride = (size.width + 63) / 64 * 64
    let megabytes = Double(stride * (size.height + (size.height + 1) / 2)) / 1e6
    return "\(size), frames of \(megabytes.text(decimals: 2)) MB"
  }

  /// The cells of the rows by group. A measurement without figures has one line of two cells for all its rows.
  private func cells(_ rows: [Measured], _ size: PixelSize) -> [(group: RowGroup, lines: [[String]])] {
    RowGroup.allCases.compactMap { group in
      let shown = rows.filter { $0.group == group && (!$0.values.isEmpty || $0.isFirst) }
      return shown.isEmpty ? nil : (group, shown.map { cells($0, size) })
    }
  }

  private func cells(_ measured: Measured, _ size: PixelSize) -> [String] {
    let row = measured.row
    guard let figure = Summary(measured.values) else {
      return ["\(row.title.prefix { $0 != ":" })", "not measured: \(measured.skipped ?? "no figure")"]
    }
    let ratio = Summary(measured.ratios).map { "× \($0.median.figureText) \(row.beside ?? "")" } ?? ""
    var bar = ""
    if let required = row.bar, size == BenchmarkOptions.standardSize {
      bar = required.text
      if countsForBars, let judgement = measured.judgement { bar += " \(judgement.text)" }
    }
    return [
      row.title, row.unit.rawValue, figure.median.figureText, figure.min.figureText, figure.max.figureText,
      ratio, bar,
    ]
  }
}
