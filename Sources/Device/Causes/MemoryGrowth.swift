import Platform

/// Detects memory of an extension that grows without bound.
struct MemoryGrowth: Sendable {
  private var samples: [(time: MonotonicTime, bytes: UInt64)] = []
  /// The number of samples in the window, one a second.
  private static let window = 30
  /// The number of samples skipped at the start, while pools and encoders are created.
  private static let warmUp = 1
  private static let fewest = 5
  /// The minimum growth within the window, in bytes.
  private static let least: UInt64 = 4 << 20

  private var skipped = 0

  mutating func add(_ bytes: UInt64, at time: MonotonicTime) {
    guard skipped >= Self.warmUp else { return skipped += 1 }
    samples.append((time, bytes))
    if samples.count > Self.window { samples.removeFirst() }
  }

  /// The growth, if the minima of the three parts of the window rise by similar amounts. Filling a pool once does not look like
  /// that.
  var leak: (from: MonotonicTime, first: UInt64, bytesPerSecond: Double)? {
    guard samples.count >= Self.fewest, let first = samples.first, let last = samples.last else { return nil }
    let part = samples.count / 3
    let least = (0..<3).map { index in
      samples[(index * part)..<(index == 2 ? samples.count : (index + 1) * part)].map(\.bytes).min() ?? 0
    }
    guard least[2] > least[0], least[2] - least[0] >= Self.least, least[1] > least[0], least[2] > least[1]
    else { return nil }
    let (early, late) = (Double(least[1] - least[0]), Double(least[2] - least[1]))
    guard late >= early / 2, late <= 2 * early else { return nil }
    let seconds = (last.time - first.time) / .seconds(1)
    let grown = Double(last.bytes) - Double(first.bytes)
    return grown > 0 && seconds > 0 ? (first.time, first.bytes, grown / seconds) : nil
  }
}
