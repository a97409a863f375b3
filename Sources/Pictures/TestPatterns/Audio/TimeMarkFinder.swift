import Platform

/// Finds the time marks in audio, and measures the offset of each mark from its second.
///
/// ```swift
/// var finder = TimeMarkFinder(sampleRate: 48_000)
/// finder.add(samples, channelCount: 1, time: captureTime)
/// finder.worstOffset
/// ```
/// A mark has the shape of ``TimeMark`` over its whole length. All samples of the 50 ms before a mark are below
/// ``TimeMark/threshold``.
package struct TimeMarkFinder: Sendable {
  package private(set) var count: UInt64 = 0
  /// The largest offset of a mark from the nearest whole second.
  package private(set) var worstOffset = Duration.zero

  private let sampleRate: Int
  private let shape: [Double]
  private let shapeEnergy: Double
  /// The number of frames since the last loud frame.
  private var quietFrames = 0
  private var candidate: Candidate?

  private struct Candidate {
    var offset: Duration
    var length = 0
    var product = 0.0
    var energy = 0.0
  }

  private static let second: UInt64 = 1_000_000_000
  /// The minimum correlation of the samples with the shape of a mark (1: the same shape).
  private static let minimumCorrelation = 0.95

  /// Creates a finder; `nil` if the sample rate is outside of 1,000…384,000.
  package init?(sampleRate: Int) {
    guard (1_000...384_000).contains(sampleRate) else { return nil }
    self.sampleRate = sampleRate
    let rate = sampleRate
    shape = (0..<TimeMark.frameCount(sampleRate: rate)).map {
      Double(TimeMark.sample($0, sampleRate: rate))
    }
    shapeEnergy = shape.reduce(0) { $0 + $1 * $1 }
  }

  /// Processes the first channel of the following samples.
  ///
  /// - Parameter time: the capture time of the first frame.
  package mutating func add(_ samples: [Int16], channelCount: Int, time: MonotonicTime) {
    guard channelCount > 0 else { return }
    // In a debug build, a loop without iterators takes a fraction of the time.
    var place = 0
    while place < samples.count {
      defer { place += channelCount }
      let sample = samples[place]
      if candidate != nil {
        compare(Double(sample))
      } else if sample.magnitude >= TimeMark.threshold.magnitude {
        let isFirst = quietFrames >= sampleRate / 20
        quietFrames = 0
        guard isFirst else { continue }
        // The arithmetic wraps, because the times come from a file.
        let rest =
          (time.nanoseconds &+ UInt64(place / channelCount) &* Self.second / UInt64(sampleRate)) % Self.second
        candidate = Candidate(offset: .nanoseconds(min(rest, Self.second - rest)))
        compare(Double(sample))
      } else {
        quietFrames += 1
      }
    }
  }

  /// Restarts after a gap in the audio, which invalidates a mark in progress.
  package mutating func skip() {
    quietFrames = 0
    candidate = nil
  }

  private mutating func compare(_ sample: Double) {
    guard var candidate else { return }
    candidate.product += sample * shape[candidate.length]
    candidate.energy += sample * sample
    candidate.length += 1
    guard candidate.length == shape.count else {
      self.candidate = candidate
      return
    }
    self.candidate = nil
    guard candidate.product >= Self.minimumCorrelation * (candidate.energy * shapeEnergy).squareRoot() else {
      return
    }
    count += 1
    worstOffset = max(worstOffset, candidate.offset)
  }
}
