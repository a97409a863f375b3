/// The values of a run at a time, in seconds since its start.
package protocol RunSample {
  var time: Double { get }
}

extension Array where Element: RunSample {
  /// Returns a plot of values that were sampled together. `values` must return the same names in the same order for each sample.
  package func plot(
    _ title: String, _ unit: String, limit: LinePlot.Limit? = nil,
    values: (Element) -> [(name: String, value: Double?)]
  ) -> LinePlot {
    let lines = map { ($0.time, values($0)) }
    let names = lines.first?.1.map(\.name) ?? []
    return LinePlot(
      title: title, unit: unit,
      series: names.enumerated().map { index, name in
        LinePlot.Series(name: name, points: lines.map { .init(time: $0, value: $1[index].value) })
      }, limit: limit)
  }
}
