// Functions for the statistics of a run.

extension Duration {
  package var inSeconds: Double { self / .seconds(1) }
}

extension Collection<Double> {
  /// The middle number, or the mean of the two middle numbers; `nil` for an empty collection.
  package var median: Double? {
    let sorted = sorted()
    let middle = count / 2
    guard count > 0 else { return nil }
    return count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
  }
}
