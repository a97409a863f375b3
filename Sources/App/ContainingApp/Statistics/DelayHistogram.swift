/// A histogram of delays, which gives percentiles without keeping every delay.
///
/// The width of a bucket is less than a hundredth of its delays, from nanoseconds to hours.
package struct DelayHistogram: Equatable, Sendable {
  /// The longest delay, in milliseconds.
  package private(set) var maximum = 0.0
  /// The number of delays.
  package private(set) var count: UInt64 = 0
  private var counts = [UInt32](repeating: 0, count: bucketCount)

  /// Below this number each nanosecond has a bucket; above it each doubling has this number of buckets.
  private static let resolution = 128
  private static let bucketCount = resolution * 38

  package init() {}

  /// Adds a delay in nanoseconds, which is the difference of two `MonotonicTime` for every frame.
  package mutating func add(_ nanoseconds: UInt64) {
    maximum = max(maximum, Double(nanoseconds) / 1e6)
    counts[Self.bucket(of: nanoseconds)] &+= 1
    count += 1
  }

  /// The histogram of the delays of both.
  func merged(with other: DelayHistogram) -> DelayHistogram {
    var sum = self
    sum.maximum = max(maximum, other.maximum)
    sum.count += other.count
    for (bucket, count) in other.counts.enumerated() { sum.counts[bucket] &+= count }
    return sum
  }

  /// The delay in milliseconds that a share (0 to 1) of the delays did not exceed, up to a hundredth too long; 0
  /// without delays.
  package func percentile(_ share: Double) -> Double {
    guard count > 0 else { return 0 }
    let rank = max(1, UInt64((Double(count) * min(max(0, share), 1)).rounded(.up)))
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

  /// The end of a bucket, in nanoseconds.
  private static func end(of bucket: Int) -> Double {
    let doublings = max(0, bucket / resolution - 1)
    return Double(bucket - doublings * resolution + 1) * Double(1 << doublings)
  }
}

/// The delays of a watch's frames, beside the state, which is copied and compared for every frame.
package struct FrameDelays: Sendable {
  /// From the capture of a frame to its arrival in the app.
  package var ages = DelayHistogram()
  /// From the publication of a frame to the read that found it.
  package var handOffs = DelayHistogram()
  /// How much later than each frame the newest audio was recorded.
  package var avOffsets = OffsetHistogram()

  package init() {}
}
