/// Differences of two times, of either sign, from which percentiles are told without keeping every one.
package struct OffsetHistogram: Equatable, Sendable {
  /// The newest difference, in milliseconds; `nil` before the first.
  package private(set) var last: Double?
  /// The ones below zero, by what is missing to it, and the others.
  private var below = DelayHistogram()
  private var above = DelayHistogram()

  /// Nothing added yet.
  init() {}

  /// Adds the difference of a time to another one, in nanoseconds.
  mutating func add(_ time: UInt64, after other: UInt64) {
    if time >= other {
      above.add(time - other)
      last = Double(time - other) / 1e6
    } else {
      below.add(other - time)
      last = -Double(other - time) / 1e6
    }
  }

  /// How many were added.
  var count: UInt64 { below.count + above.count }

  /// The difference, in milliseconds, that half of them did not exceed; 0 for none.
  package var median: Double {
    let half = (count + 1) / 2
    // From the lowest up, the ones below zero come first, the furthest of them leading.
    return half <= below.count
      ? -below.percentile(Double(below.count - half + 1) / Double(max(1, below.count)))
      : above.percentile(Double(half - below.count) / Double(max(1, above.count)))
  }

  /// The size, in milliseconds, that a share (0…1) of them did not exceed, whatever their sign; 0 for none.
  package func magnitude(_ share: Double) -> Double { above.merged(with: below).percentile(share) }

  /// The largest size, in milliseconds; 0 for none.
  package var maximum: Double { max(below.maximum, above.maximum) }
}
