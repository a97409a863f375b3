import Platform

/// A histogram of differences between two times, of either sign.
package struct OffsetHistogram: Equatable, Sendable {
  /// The newest difference, in milliseconds; `nil` before the first.
  package private(set) var last: Double?
  /// The sizes of the differences below zero, and the others.
  private var below = DelayHistogram()
  private var above = DelayHistogram()

  package init() {}

  /// Adds the difference `time - other`.
  package mutating func add(_ time: MonotonicTime, after other: MonotonicTime) {
    if time >= other {
      above.add(time.nanoseconds(since: other))
      last = Double(time.nanoseconds(since: other)) / 1e6
    } else {
      below.add(other.nanoseconds(since: time))
      last = -Double(other.nanoseconds(since: time)) / 1e6
    }
  }

  /// The number of differences.
  var count: UInt64 { below.count + above.count }

  /// The median, in milliseconds; 0 without differences.
  package var median: Double {
    let half = (count + 1) / 2
    // In ascending order the largest of the differences below zero comes first.
    return half <= below.count
      ? -below.percentile(Double(below.count - half + 1) / Double(max(1, below.count)))
      : above.percentile(Double(half - below.count) / Double(max(1, above.count)))
  }

  /// The size in milliseconds that a share (0 to 1) did not exceed, whatever the sign; 0 without differences.
  package func magnitude(_ share: Double) -> Double { above.merged(with: below).percentile(share) }

  /// The largest size, in milliseconds; 0 without differences.
  package var maximum: Double { max(below.maximum, above.maximum) }
}
