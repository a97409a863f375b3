/// Delays of frames, from which percentiles are told without keeping every one.
///
/// A bucket is less than a hundredth of what it holds wide, from nanoseconds to hours.
package struct DelayHistogram: Equatable, Sendable {
  /// The longest delay seen, in milliseconds.
  package private(set) var maximum = 0.0
  private var counts = [UInt32](repeating: 0, count: bucketCount)
  private var total: UInt64 = 0

  /// Below so many nanoseconds each has a bucket of its own; above, each doubling has so many buckets.
  private static let resolution = 128
  private static let bucketCount = resolution * 38

  /// Adds one delay, in nanoseconds.
  package mutating func add(_ nanoseconds: UInt64) {
    maximum = max(maximum, Double(nanoseconds) / 1e6)
    counts[Self.bucket(of: nanoseconds)] &+= 1
    total += 1
  }

  /// How many were added.
  package var count: UInt64 { total }

  /// The delays of both.
  func merged(with other: DelayHistogram) -> DelayHistogram {
    var sum = self
    sum.maximum = max(maximum, other.maximum)
    sum.total += other.total
    for (bucket, count) in other.counts.enumerated() { sum.counts[bucket] &+= count }
    return sum
  }

  /// The delay, in milliseconds, that a share of the frames (0…1) did not exceed, or up to a hundredth more; 0 for
  /// no frames.
  package func percentile(_ share: Double) -> Double {
    guard total > 0 else { return 0 }
    let rank = max(1, UInt64((Double(total) * min(max(0, share), 1)).rounded(.up)))
    var seen: UInt64 = 0
    for (bucket, count) in counts.enumerated() {
      seen += UInt64(count)
      if seen >= rank { return min(maximum, Self.end(of: bucket) / 1e6) }
    }
    return maximum
  }

  private static func bucket(of nanoseconds: UInt64) -> Int {
    let doublings = max(0, 63 - nanoseconds.leadingZeroBitCount - resolution.trailingZeroBitCount)
    return min(bucketCount - 1, doublings * resolution + Int(nanoseconds >> UInt64(doublings)))
  }

  /// The nanoseconds at which a bucket ends.
  private static func end(of bucket: Int) -> Double {
    let doublings = max(0, bucket / resolution - 1)
    return Double(bucket - doublings * resolution + 1) * Double(1 << doublings)
  }
}
