/// What several rounds of one figure come to.
struct Summary: Equatable, Codable {
  /// The middle one, or the mean of the two in the middle.
  let median: Double
  /// The least.
  let min: Double
  /// The greatest.
  let max: Double

  /// `nil` when there is nothing to summarise.
  init?(_ values: [Double]) {
    let sorted = values.sorted()
    guard let first = sorted.first, let last = sorted.last else { return nil }
    min = first
    max = last
    let middle = sorted.count / 2
    median = sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
  }
}
