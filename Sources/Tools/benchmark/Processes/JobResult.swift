import Platform

/// The result of one process of a pair.
struct JobResult: Codable, Equatable {
  /// Frames sent or received.
  let frames: Int
  let elapsed: Duration
  let processor: Duration
  /// Of the times of the frames; `nil` without frames.
  let median, p99: Duration?

  /// - Parameter times: the age of each frame at its reception, or the length of the poll or of the sending.
  init(_ times: [Duration], elapsed: Duration, processor: Duration) {
    (frames, self.elapsed, self.processor) = (times.count, elapsed, processor)
    let sorted = times.sorted()
    func quantile(_ part: Double) -> Duration? {
      sorted.isEmpty ? nil : sorted[Int((part * Double(sorted.count - 1)).rounded())]
    }
    (median, p99) = (quantile(0.5), quantile(0.99))
  }

  /// The quantities of a result that rows show.
  enum Quantity {
    case processorPerFrame, processorPerSecond, median, p99
  }

  /// The figure of a row in its unit; `nil` for the median or the percentile of no times.
  func figure(_ quantity: Quantity, in unit: Row.Unit) -> Double? {
    switch quantity {
    case .processorPerFrame: unit.figure(of: processor / max(frames, 1))
    case .processorPerSecond: 1000 * (processor / elapsed)
    case .median: median.map(unit.figure)
    case .p99: p99.map(unit.figure)
    }
  }
}
