import CommandLineSupport

extension Report {
  /// The rows with a bar at the default size, as promises.
  var promises: [Promise] {
    sizes.filter { $0.size == BenchmarkOptions.standardSize }.flatMap(\.rows).compactMap { measured in
      let row = measured.row
      guard let bar = row.bar else { return nil }
      return Promise(row.id, "\(row.title): \(bar.sentence(of: row)).", result(of: measured))
    }
  }

  private func result(of measured: Measured) -> Promise.Result {
    guard let figure = Summary(measured.values) else {
      return .notJudged(measured.skipped ?? "it was not measured")
    }
    guard countsForBars else { return .notJudged("a debug build, a quick run or a busy machine") }
    let ratio = Summary(measured.ratios).map { ", × \($0.median.figureText)" } ?? ""
    let figures = "\(figure.median.figureText) \(measured.row.unit.rawValue)\(ratio)"
    return switch measured.judgement {
    case .met: .kept(figures)
    case .missed: .broken("\(figures).")
    case .notJudged(let reason): .notJudged(reason)
    case nil: .notJudged("it has no figures")
    }
  }

  /// Adds the figures of each group, those of one unit beside each other.
  func addPlots(to page: inout ReportPage) {
    page.add(text: disturbance.text + ".")
    for (size, rows) in sizes {
      for group in RowGroup.allCases {
        let measured = rows.filter { $0.group == group && !$0.values.isEmpty }
        guard !measured.isEmpty else { continue }
        page.section("\(group.title) (\(size))")
        for unit in measured.map(\.row.unit).uniqued {
          page.add(
            BarPlot(
              unit: unit.rawValue,
              bars: measured.filter { $0.row.unit == unit }.compactMap { bar(of: $0, size) }))
        }
      }
    }
  }

  /// A row as a bar; its limit is that of its figure, also when the requirement is a ratio.
  private func bar(of measured: Measured, _ size: PixelSize) -> BarPlot.Bar? {
    guard let figure = Summary(measured.values) else { return nil }
    let required = size == BenchmarkOptions.standardSize ? measured.row.bar : nil
    let limit = required?.limit(beside: Summary(measured.besides)?.median)
    return BarPlot.Bar(
      measured.row.title, figure.median,
      text: "\(figure.median.figureText) (\(figure.min.figureText) to \(figure.max.figureText))",
      limit: limit,
      isBroken: required != nil && countsForBars && measured.judgement == .missed)
  }
}

extension Bar {
  /// The requirement in words.
  func sentence(of row: Row) -> String {
    switch self {
    case .atMost(let limit): "at most \(limit.figureText) × \(row.beside ?? "")"
    case .atLeast(let limit): "at least \(limit.figureText) × \(row.beside ?? "")"
    }
  }

  /// The limit as a figure; `nil` without the figure of the reference row.
  func limit(beside reference: Double?) -> Double? {
    switch self {
    case .atMost(let limit), .atLeast(let limit): reference.map { $0 * limit }
    }
  }
}

extension Sequence where Element: Hashable {
  /// The elements in order, each once.
  fileprivate var uniqued: [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}
