/// The ages of frames on arrival, from which percentiles are told without keeping every one.
public struct AgeHistogram: Equatable, Sendable {
  /// The largest age seen, in milliseconds.
  public private(set) var maximum = 0.0
  private var counts = [UInt32](repeating: 0, count: bucketCount)
  private var total: UInt64 = 0

  /// A bucket is a tenth of a millisecond; the last one takes all that is older than a second.
  private static let bucketsPerMillisecond = 10.0
  private static let bucketCount = 10_001

  /// Adds one age, in nanoseconds.
  public mutating func add(_ nanoseconds: UInt64) {
    let milliseconds = Double(nanoseconds) / 1e6
    maximum = max(maximum, milliseconds)
    let bucket = min(Self.bucketCount - 1, Int(milliseconds * Self.bucketsPerMillisecond))
    counts[bucket] &+= 1
    total += 1
  }

  /// The age, in milliseconds, that a share of the frames (0…1) did not exceed, to a tenth; 0 for no frames.
  public func percentile(_ share: Double) -> Double {
    guard total > 0 else { return 0 }
    let rank = max(1, UInt64((Double(total) * min(max(0, share), 1)).rounded(.up)))
    var seen: UInt64 = 0
    for (bucket, count) in counts.enumerated() {
      seen += UInt64(count)
      if seen >= rank { return min(maximum, Double(bucket + 1) / Self.bucketsPerMillisecond) }
    }
    return maximum
  }
}
