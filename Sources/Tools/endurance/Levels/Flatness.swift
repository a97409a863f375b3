/// Whether a series of samples stays level: the last third against the first, after a warm-up.
///
/// Medians are compared, so that a single sample taken in the middle of something says nothing. What grows by a
/// little each time shows the better the longer the series is.
struct Flatness: Equatable {
  /// The median of the first third.
  let first: Double
  /// The median of the last third.
  let last: Double
  /// How much more the last third may be.
  let tolerance: Double

  /// The fewest samples that say anything.
  static let fewest = 8

  /// The judgement on a series; `nil` when it is too short.
  ///
  /// The first sixth is left out: pools, caches and threads are made when they are needed first.
  init?(_ samples: [Double], tolerance: Double) {
    guard samples.count >= Self.fewest else { return nil }
    let level = samples.dropFirst(samples.count / 6)
    let third = level.count / 3
    first = Self.median(level.prefix(third))
    last = Self.median(level.suffix(third))
    self.tolerance = tolerance
  }

  /// Whether it did not grow.
  var isFlat: Bool { last - first <= tolerance }

  private static func median(_ samples: ArraySlice<Double>) -> Double {
    let sorted = samples.sorted()
    let middle = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
  }
}
