import Platform
import SharedMemory

/// The result of one process of a pair.
struct JobResult: Codable, Equatable {
  /// Frames sent or received.
  var frames = 0
  /// The length of the run in nanoseconds.
  var elapsed: UInt64 = 0
  /// Nanoseconds of processor time during the run.
  var processor: UInt64 = 0
  /// The measured times, in nanoseconds: the age of each frame at its reception, or the length of the poll or
  /// of the sending.
  var times: Distribution?
  /// The memory at the end of the run.
  var memory = ProcessMemory()

  /// Frames per second.
  var framesPerSecond: Double { Double(frames) / (Double(max(elapsed, 1)) / 1e9) }
  /// Microseconds of processor time per frame.
  var processorPerFrame: Double { Double(processor) / 1e3 / Double(max(frames, 1)) }
  /// Milliseconds of processor time per second.
  var processorPerSecond: Double { Double(processor) / 1e6 / (Double(max(elapsed, 1)) / 1e9) }
}

extension JobResult {
  /// The mean of several receivers.
  static func mean(of results: [JobResult]) -> JobResult {
    let count = max(1, results.count)
    let times = results.compactMap(\.times)
    var mean = JobResult()
    mean.frames = results.reduce(0) { $0 + $1.frames } / count
    mean.elapsed = results.reduce(0) { $0 + $1.elapsed } / UInt64(count)
    mean.processor = results.reduce(0) { $0 + $1.processor } / UInt64(count)
    mean.memory.alone = results.reduce(0) { $0 + $1.memory.alone } / UInt64(count)
    mean.memory.shared = results.reduce(0) { $0 + $1.memory.shared } / UInt64(count)
    mean.times = Distribution(mean: times)
    return mean
  }
}

/// The median and the 99th percentile of times, in nanoseconds.
struct Distribution: Codable, Equatable {
  let median: Double
  let p99: Double

  /// `nil` if there are no times.
  init?(_ times: [UInt64]) {
    guard !times.isEmpty else { return nil }
    let sorted = times.sorted()
    func quantile(_ part: Double) -> Double {
      Double(sorted[Int((part * Double(sorted.count - 1)).rounded())])
    }
    median = quantile(0.5)
    p99 = quantile(0.99)
  }

  /// The means of several; `nil` if there are none.
  init?(mean all: [Distribution]) {
    guard !all.isEmpty else { return nil }
    median = all.reduce(0) { $0 + $1.median } / Double(all.count)
    p99 = all.reduce(0) { $0 + $1.p99 } / Double(all.count)
  }
}
