import CommandLineSupport
import LaunchedPrograms
import Platform
import ToolSupport

/// The rows of a run, with the figures of its rounds.
struct Report: Codable {
  var machine: String
  var rounds: Int
  var rows: [Row]
  var size = BenchmarkOptions.standardSize
  /// Whether the figures are accurate. `false` for a debug build and a quick run.
  var countsForBars = false

  private enum CodingKeys: CodingKey { case machine, rounds, rows }

  var text: String {
    let groups = RowGroup.allCases.map { group in (group, rows.filter { $0.group == group }.map(cells)) }
      .filter { !$0.1.isEmpty }
    let table = TextTable(
      columns: ["what", "unit", "median", "min", "max", "× reference", "bar"], leftColumns: 2,
      lines: groups.flatMap(\.1))
    return
      ([machine, legend, "", "\(size), frames of \(megabytes) MB"]
      + groups.flatMap { group, lines in ["", group.title] + table.text(of: lines) }).joined(separator: "\n")
  }

  private var legend: String {
    "Median, minimum and maximum of \(rounds) interleaved rounds. × is the ratio to the named row, measured in the "
      + "same round."
      + (countsForBars ? "" : " Bars are not judged in a run like this.")
  }

  private var megabytes: String {
    let stride = (size.width + 63) / 64 * 64
    return (Double(stride * (size.height + (size.height + 1) / 2)) / 1e6).text(decimals: 2)
  }

  private func cells(_ row: Row) -> [String] {
    guard let figure = Summary(row.figures) else {
      return [row.title, "not measured: \(row.skipped ?? "no figure")"]
    }
    let reference = rows.first { $0.id == row.beside }
    let ratio = row.ratios(to: reference).median.map { "× \($0.figureText) \(row.beside ?? "")" }
    var bar = ""
    if size == BenchmarkOptions.standardSize, let required = row.bar {
      let judgement = countsForBars ? row.judgement(beside: reference) : nil
      bar = [required.text, judgement].compactMap(\.self).joined(separator: " ")
    }
    return [row.title, row.unit.rawValue] + figure.texts + [ratio ?? "", bar]
  }
}
