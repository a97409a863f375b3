import LaunchedPrograms

/// The levels of a series of samples: its first and last third, after a warm-up.
///
/// The levels are medians, so that single samples do not matter. A longer series reveals slower growth.
struct Levels {
  let first, last: Double

  static let fewestSamples = 8

  /// Creates the levels of a series; `nil` if the series is too short.
  ///
  /// The first sixth is skipped, because pools, caches and threads are created on first use.
  init?(_ samples: [Double]) {
    let level = samples.dropFirst(samples.count / 6)
    let third = level.count / 3
    guard samples.count >= Self.fewestSamples, let first = level.prefix(third).median,
      let last = level.suffix(third).median
    else { return nil }
    self.first = first
    self.last = last
  }
}
