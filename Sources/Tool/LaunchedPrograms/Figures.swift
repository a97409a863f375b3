// What the figures of a run are computed with.

extension Duration {
  package var inSeconds: Double { self / .seconds(1) }
}

extension Collection<Double> {
  /// The middle number, or the mean of the two in the middle; `nil` without numbers.
  package var median: Double? {
    let sorted = sorted()
    let middle = count / 2
    guard count > 0 else { return nil }
    return count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
  }
}
