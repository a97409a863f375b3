import Platform

/// The result of one process of a pair.
struct JobResult: Codable {
  /// Frames sent or received.
  let frames: Int
  let elapsed: Duration
  let processor: Duration
  /// The measured times: the age of each frame at its reception, or the length of the poll or of the sending.
  let times: Distribution?

  /// The quantities of a result that rows show.
  enum Quantity {
    case processorPerFrame, processorPerSecond, median, p99
  }

  /// The figure of a row in its unit; `nil` for the median or the percentile of no times.
  func figure(_ quantity: Quantity, in unit: Row.Unit) -> Double? {
    switch quantity {
    case .processorPerFrame: unit.figure(of: processor / max(frames, 1))
    case .processorPerSecond: 1000 * (processor / elapsed)
    case .median: times.map { unit.figure(of: $0.median) }
    case .p99: times.map { unit.figure(of: $0.p99) }
    }
  }
}

struct Distribution: Codable {
  let median: Duration
  let p99: Duration

  /// `nil` if there are no times.
  init?(_ times: [Duration]) {
    guard !times.isEmpty else { return nil }
    let sorted = times.sorted()
    func quantile(_ part: Double) -> Duration { sorted[Int((part * Double(sorted.count - 1)).rounded())] }
    median = quantile(0.5)
    p99 = quantile(0.99)
  }
}
