import CommandLineSupport
import Foundation
import ToolSupport

/// The figures of two revisions, measured in alternating rounds by the program of each.
struct Comparison: Encodable {
  let machine: String
  let rounds: Int
  let against: String
  let rows: [Row]

  struct Row: Encodable, Equatable {
    let size: String
    let group: String
    let id: String
    let title: String
    let unit: String
    /// The figures of this revision and of the other one, one for each round that measured it.
    let values: [Double]
    let otherValues: [Double]
    /// The ratio of this revision to the other one, in the rounds that measured both.
    let ratio: Summary?
    let verdict: Verdict
  }

  enum Verdict: String, Encodable {
    /// Every figure of this revision is above, or below, every figure of the other.
    case above, below
    case same
    case onlyHere, onlyThere

    fileprivate init(_ here: Summary?, _ there: Summary?) {
      self =
        switch (here, there) {
        case (let here?, let there?):
          here.min > there.max ? .above : here.max < there.min ? .below : .same
        case (_, nil): .onlyHere
        case (nil, _): .onlyThere
        }
    }
  }

  /// A round of a program: what is read of the JSON of its report.
  struct Round: Decodable {
    var rows: [Report.Document.Line]

    /// The figure of a row; `nil` if it was not measured.
    fileprivate func value(of key: String) -> Double? { rows.first { $0.key == key }?.values?.first }
  }

  /// Compares the rounds of both programs.
  init(machine: String, against: String, here: [Round], there: [Round]) {
    (self.machine, self.against, rounds) = (machine, against, here.count)
    var found: Set<String> = []
    rows = (here + there).flatMap(\.rows).compactMap { line in
      let (values, others) = (here.map { $0.value(of: line.key) }, there.map { $0.value(of: line.key) })
      let (own, other) = (values.compactMap(\.self), others.compactMap(\.self))
      // Once, and not if neither program could measure it.
      guard found.insert(line.key).inserted, !own.isEmpty || !other.isEmpty else { return nil }
      let ratios = zip(values, others).compactMap { here, there in
        here.flatMap { here in there.map { here / $0 } }
      }
      return Row(
        size: line.size, group: line.group, id: line.id, title: line.title, unit: line.unit, values: own,
        otherValues: other, ratio: Summary(ratios), verdict: Verdict(Summary(own), Summary(other)))
    }
  }

  func json() throws -> Data { try JSONEncoder.report.encode(self) + Data("\n".utf8) }

  var text: String {
    let table = TextTable(columns: Self.columns, leftColumns: 2, lines: rows.map(\.cells))
    return ([machine, legend, ""] + table.text(of: rows.map(\.cells))).joined(separator: "\n")
  }

  private static let columns = ["what", "unit", "here", "there", "× there", "min", "max", "change"]

  private var legend: String {
    let changed = rows.count { $0.verdict == .above || $0.verdict == .below }
    return
      "Medians of \(rounds) alternating rounds of this program and of \(against). × is the ratio of a round. "
      + "\(changed) of \(rows.count) rows changed: all figures of one program are above all of the other."
  }
}

extension Comparison.Row {
  fileprivate var cells: [String] {
    let ratios = ratio.map { [$0.median, $0.min, $0.max] }?.map(\.figureText) ?? ["", "", ""]
    let change =
      switch verdict {
      case .above, .below: "changed"
      case .same: ""
      case .onlyHere: "only here"
      case .onlyThere: "only there"
      }
    return [title, unit] + [values, otherValues].map { Summary($0)?.median.figureText ?? "" } + ratios + [
      change
    ]
  }
}

extension Report.Document.Line {
  fileprivate var key: String { "\(size) \(id)" }
}
