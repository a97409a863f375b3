import CommandLineSupport
import Foundation

struct Report {
  let machine: Machine
  let rounds: Int
  let isQuick: Bool
  let disturbance: Disturbance
  let sizes: [(size: PixelSize, rows: [Measured])]

  /// Whether the figures are accurate: not for a debug build, a quick run, or a busy machine.
  var countsForBars: Bool { machine.build == "release" && !isQuick && disturbance.takenByOthers < 0.2 }

  /// One JSON object, keys in alphabetical order.
  func json() throws -> Data {
    try JSONEncoder.report.encode(document) + Data("\n".utf8)
  }

  private var document: Document {
    Document(
      machine: machine, rounds: rounds, quick: isQuick, takenByOthers: disturbance.takenByOthers,
      stolen: disturbance.stolen, involuntarySwitches: disturbance.involuntarySwitches,
      rows: sizes.flatMap { size, rows in
        rows.map { measured in
          let (row, hasBar) = (measured.row, size == BenchmarkOptions.standardSize)
          let (figure, ratio) = (Summary(measured.values), Summary(measured.ratios))
          return Document.Line(
            size: "\(size)", group: measured.group.rawValue, id: row.id, title: row.title,
            unit: row.unit.rawValue, figure: figure, values: figure.map { _ in measured.values },
            beside: row.beside, ratio: ratio, ratios: ratio.map { _ in measured.ratios },
            bar: hasBar ? row.bar?.text : nil,
            meetsBar: hasBar && countsForBars ? measured.judgement?.isMet : nil,
            skipped: figure == nil ? measured.skipped : nil)
        }
      })
  }

  struct Document: Codable {
    var machine: Machine
    var rounds: Int
    var quick: Bool
    /// As in ``Disturbance``. Earlier revisions have the first of the three only.
    var takenByOthers: Double
    var stolen: Double?
    var involuntarySwitches: Int?
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
      /// The id of the reference row.
      var beside: String?
      var ratio: Summary?
      var ratios: [Double]?
      var bar: String?
      var meetsBar: Bool?
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
