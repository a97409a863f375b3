/// A histogram of positive and negative delays. It computes percentiles without storing each delay.
///
/// A bucket is narrower than a hundredth of its delays, from nanoseconds to hours.
package struct DelayHistogram: Equatable, Sendable {
  /// The newest delay, in milliseconds; `nil` before the first.
  package private(set) var last: Double?
  /// The largest absolute delay, in milliseconds; 0 without delays.
  package private(set) var maximum = 0.0
  package private(set) var count: UInt64 = 0
  /// The buckets in ascending order, negative delays first.
  private var counts = [UInt32](repeating: 0, count: 2 * bucketCount)

  /// Below this number each nanosecond has its bucket. Above it each power of two is divided into this number of buckets.
  private static let resolution = 128
  private static let bucketCount = resolution * 38

  package init() {}

  package mutating func add(_ delay: Duration) {
    let nanoseconds = delay.wholeNanoseconds
    let size = nanoseconds.magnitude
    let doublings = max(0, 63 - size.leadingZeroBitCount - Self.resolution.trailingZeroBitCount)
    let bucket = min(Self.bucketCount - 1, doublings * Self.resolution + Int(size >> UInt64(doublings)))
    counts[nanoseconds < 0 ? Self.bucketCount - 1 - bucket : Self.bucketCount + bucket] &+= 1
    count += 1
    last = Double(nanoseconds) / 1e6
    maximum = max(maximum, Double(size) / 1e6)
  }

  /// Adds the delays of another histogram.
  package mutating func add(_ other: DelayHistogram) {
    // A debug build takes milliseconds for the buckets, and callers add histograms without delays often.
    guard other.count > 0 else { return }
    for bucket in counts.indices { counts[bucket] &+= other.counts[bucket] }
    count += other.count
    maximum = max(maximum, other.maximum)
  }

  /// Returns the percentile for `share` (0 to 1) in milliseconds, rounded up in size by at most a hundredth; 0 without delays.
  package func percentile(_ share: Double) -> Double {
    guard let place = place(of: share, in: counts) else { return 0 }
    return place < Self.bucketCount ? -size(Self.bucketCount - 1 - place) : size(place - Self.bucketCount)
  }

  /// Returns the percentile for `share` (0 to 1) of the absolute delays in milliseconds; 0 without delays.
  package func magnitude(_ share: Double) -> Double {
    let sizes = zip(counts[Self.bucketCount...], counts[..<Self.bucketCount].reversed()).map { $0 &+ $1 }
    return place(of: share, in: sizes).map(size) ?? 0
  }

  /// Returns the first bucket at which the cumulative count reaches `share`; `nil` without delays.
  private func place(of share: Double, in counts: [UInt32]) -> Int? {
    let rank = max(1, UInt64((Double(count) * min(max(0, share), 1)).rounded(.up)))
    var seen: UInt64 = 0
    return counts.firstIndex { count in
      seen += UInt64(count)
      return seen >= rank
    }
  }

  /// Returns the upper bound of a bucket, in milliseconds.
  private func size(_ bucket: Int) -> Double {
    let doublings = max(0, bucket / Self.resolution - 1)
    let end = Double(bucket - doublings * Self.resolution + 1) * Double(1 << doublings)
    return min(maximum, end / 1e6)
  }
}

extension DelayHistogram {
  /// Percentiles of delays, in milliseconds; 0 without delays.
  package struct Percentiles: Codable, Equatable, Sendable {
    /// The median.
    package var p50: Double
    /// The 99th percentile.
    package var p99: Double
    /// The maximum.
    package var max: Double

    package init(_ delays: DelayHistogram) {
      (p50, p99, max) = (delays.percentile(0.5), delays.percentile(0.99), delays.maximum)
    }

    /// Creates percentiles of the absolute delays, but with the signed median; `nil` without delays.
    package init?(magnitudesOf delays: DelayHistogram) {
      guard delays.count > 0 else { return nil }
      (p50, p99, max) = (delays.percentile(0.5), delays.magnitude(0.99), delays.maximum)
    }
  }
}
