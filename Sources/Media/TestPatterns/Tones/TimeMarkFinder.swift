/// Finds the time marks in a sound, and how far each lies from the second it stands for.
///
/// ```swift
/// var finder = TimeMarkFinder(sampleRate: 48_000)
/// finder.add(samples, channelCount: 1, time: captureTime)
/// finder.worstOffset   // nanoseconds
/// ```
/// A mark is told from a loud noise by its shape over its whole length, after 50 ms without anything as loud.
public struct TimeMarkFinder: Sendable {
  /// The whole marks found.
  public private(set) var count: UInt64 = 0
  /// The distance from the nearest whole second of the mark that was furthest from one, in nanoseconds.
  public private(set) var worstOffset: UInt64 = 0

  private let sampleRate: Int
  private let shape: [Double]
  private let shapeEnergy: Double
  /// Frames since the last loud one.
  private var quietFrames = 0
  private var candidate: Candidate?

  private struct Candidate {
    var offset: UInt64
    var length = 0
    var product = 0.0
    var energy = 0.0
  }

  private static let second: UInt64 = 1_000_000_000
  /// The least likeness to a mark, of at most 1.
  private static let likeness = 0.95

  /// A finder in a sound of a rate between 1,000 and 384,000; `nil` for another.
  public init?(sampleRate: Int) {
    guard (1_000...384_000).contains(sampleRate) else { return nil }
    self.sampleRate = sampleRate
    let rate = sampleRate
    shape = (0..<TimeMark.frameCount(sampleRate: rate)).map {
      Double(TimeMark.sample($0, sampleRate: rate))
    }
    shapeEnergy = shape.reduce(0) { $0 + $1 * $1 }
  }

  /// Goes on with the samples that follow, of which the first channel is looked at.
  ///
  /// - Parameter time: when the first frame was taken, in monotonic nanoseconds.
  public mutating func add(_ samples: [Int16], channelCount: Int, time: UInt64) {
    guard channelCount > 0 else { return }
    for (frame, place) in stride(from: 0, to: samples.count, by: channelCount).enumerated() {
      let sample = samples[place]
      if candidate != nil {
        judge(Double(sample))
      } else if sample.magnitude >= TimeMark.threshold.magnitude {
        let isFirst = quietFrames >= sampleRate / 20
        quietFrames = 0
        guard isFirst else { continue }
        // Times come from outside: they may be anything.
        let rest = (time &+ UInt64(frame) &* Self.second / UInt64(sampleRate)) % Self.second
        candidate = Candidate(offset: min(rest, Self.second - rest))
        judge(Double(sample))
      } else {
        quietFrames += 1
      }
    }
  }

  /// Begins anew behind a hole in the sound: a mark with a hole in it is none.
  public mutating func skip() {
    quietFrames = 0
    candidate = nil
  }

  private mutating func judge(_ sample: Double) {
    guard var candidate else { return }
    candidate.product += sample * shape[candidate.length]
    candidate.energy += sample * sample
    candidate.length += 1
    guard candidate.length == shape.count else {
      self.candidate = candidate
      return
    }
    self.candidate = nil
    guard candidate.product >= Self.likeness * (candidate.energy * shapeEnergy).squareRoot() else { return }
    count += 1
    worstOffset = max(worstOffset, candidate.offset)
  }
}
