import CommandLineSupport
import Foundation
import Platform
import ToolSupport

struct Report {
  let machine: String
  let rounds: Int
  /// Whether the figures are accurate: not for a debug build or a quick run.
  let countsForBars: Bool
  let size: PixelSize
  let rows: [Measured]

  private var hasBars: Bool { size == BenchmarkOptions.standardSize }

  /// One JSON object, keys in alphabetical order.
  func json() throws -> Data {
    try JSONEncoder.report.encode(document) + Data("\n".utf8)
  }

  private var document: Document {
    Document(
      machine: machine, rounds: rounds,
      rows: rows.map { measured in
        let row = measured.row
        let (figure, ratio) = (Summary(measured.values), Summary(measured.ratios))
        return Document.Line(
          size: "\(size)", group: measured.group.rawValue, id: row.id, title: row.title,
          unit: row.unit.rawValue, figure: figure, values: figure.map { _ in measured.values },
          beside: row.beside, ratio: ratio, skipped: figure == nil ? measured.skipped : nil)
      })
  }

  struct Document: Encodable {
    var machine: String
    var rounds: Int
    var rows: [Line]

    /// One row of one size. A row without figures has neither a summary nor rounds.
    struct Line: Codable {
      var size: String
      var group: String
      var id: String
      var title: String
      var unit: String
      var figure: Summary?
      var values: [Double]?
      var beside: String?
      var ratio: Summary?
      var skipped: String?
    }
  }
}

extension JSONEncoder {
  /// For a file that people read too.
  static var report: JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
    return encoder
  }
}

extension Report {
  var text: String {
    let groups: [(group: RowGroup, lines: [[String]])] = RowGroup.allCases.compactMap { group in
      let shown = rows.filter { $0.group == group && (!$0.values.isEmpty || $0.isFirst) }
      return shown.isEmpty ? nil : (group, shown.map(cells))
    }
    let table = TextTable(columns: Self.columns, leftColumns: 2, lines: groups.flatMap(\.lines))
    return
      ([machine, legend, "", heading]
      + groups.flatMap { group, lines in ["", group.title] + table.text(of: lines) }).joined(separator: "\n")
  }

  private static let columns = ["what", "unit", "median", "min", "max", "× beside", "bar"]

  private var legend: String {
    "Medians with least and greatest of \(rounds) interleaved rounds. × is the ratio to what was measured beside it "
      + "in the same round, whose name follows."
      + (countsForBars ? "" : " No bar is judged in a run like this.")
  }

  private var heading: String {
    let stride = (size.width + 63) / 64 * 64
    let megabytes = Double(stride * (size.height + (size.height + 1) / 2)) / 1e6
    return "\(size), frames of \(megabytes.text(decimals: 2)) MB"
  }

  /// The cells of a row. A measurement without figures has one line of two cells for all its rows.
  private func cells(_ measured: Measured) -> [String] {
    let row = measured.row
    guard let figure = Summary(measured.values) else {
      return ["\(row.title.prefix { $0 != ":" })", "not measured: \(measured.skipped ?? "no figure")"]
    }
    let ratio = Summary(measured.ratios).map { "× \($0.median.figureText) \(row.beside ?? "")" } ?? ""
    var bar = ""
    if hasBars, let required = row.bar {
      bar = required.text
      if countsForBars, let judgement = measured.judgement { bar += " \(judgement)" }
    }
    return [
      row.title, row.unit.rawValue, figure.median.figureText, figure.min.figureText, figure.max.figureText,
      ratio, bar,
    ]
  }
}
