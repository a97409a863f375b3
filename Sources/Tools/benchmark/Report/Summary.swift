/// The summary of a figure over several rounds.
struct Summary: Equatable, Codable {
  /// The median.
  let median: Double
  let min: Double
  let max: Double

  /// `nil` for no figures.
  init?(_ values: [Double]) {
    let sorted = values.sorted()
    guard let first = sorted.first, let last = sorted.last else { return nil }
    min = first
    max = last
    let middle = sorted.count / 2
    median = sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
  }
}
