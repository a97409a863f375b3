/// Whether a series of samples stays level: the last third compared with the first, after a warm-up.
///
/// The medians are compared, so that single samples do not matter. A longer series shows a slower growth.
struct Flatness: Equatable {
  /// The median of the first third.
  let first: Double
  /// The median of the last third.
  let last: Double
  /// The allowed growth.
  let tolerance: Double

  /// The fewest samples for a result.
  static let fewest = 8

  /// The result for a series; `nil` if it is too short.
  ///
  /// The first sixth is left out, because pools, caches and threads are created on first use.
  init?(_ samples: [Double], tolerance: Double) {
    guard samples.count >= Self.fewest else { return nil }
    let level = samples.dropFirst(samples.count / 6)
    let third = level.count / 3
    first = Self.median(level.prefix(third))
    last = Self.median(level.suffix(third))
    self.tolerance = tolerance
  }

  var isFlat: Bool { last - first <= tolerance }

  private static func median(_ samples: ArraySlice<Double>) -> Double {
    let sorted = samples.sorted()
    let middle = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
  }
}
