import CommandLineSupport
import Foundation

extension Report {
  /// One JSON object, keys in alphabetical order.
  func json() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
    return try encoder.encode(Document(self)) + Data("\n".utf8)
  }

  /// The JSON object.
  struct Document: Codable {
    var machine: Machine
    var rounds: Int
    var quick: Bool
    var takenByOthers: Double
    var rows: [Line]

    /// One row of one size.
    struct Line: Codable {
      var size: String
      var group: String
      var id: String
      var title: String
      var unit: String
      /// The summary and the rounds; missing for a skipped row.
      var figure: Summary?
      var values: [Double]?
      /// The id of the reference row.
      var beside: String?
      var ratio: Summary?
      var ratios: [Double]?
      var bar: String?
      var meetsBar: Bool?
      var skipped: String?
    }

    init(_ report: Report) {
      machine = report.machine
      rounds = report.rounds
      quick = report.isQuick
      takenByOthers = report.takenByOthers
      rows = report.sizes.flatMap { size, rows in
        rows.map { measured in
          let hasBar = size == BenchmarkOptions.standardSize
          return Line(
            size: "\(size)", group: measured.group.rawValue, id: measured.row.id, title: measured.row.title,
            unit: measured.row.unit.rawValue, figure: Summary(measured.values),
            values: measured.values.isEmpty ? nil : measured.values, beside: measured.row.beside,
            ratio: Summary(measured.ratios), ratios: measured.ratios.isEmpty ? nil : measured.ratios,
            bar: hasBar ? measured.row.bar?.text : nil,
            meetsBar: hasBar && report.countsForBars ? measured.meetsBar : nil,
            skipped: measured.values.isEmpty ? measured.skipped : nil)
        }
      }
    }
  }
}
