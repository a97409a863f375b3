import Platform

/// The result of one process of a pair.
struct JobResult: Codable {
  /// Frames sent or received.
  let frames: Int
  /// The length of the run.
  let elapsed: Duration
  /// The processor time during the run.
  let processor: Duration
  /// The measured times: the age of each frame at its reception, or the length of the poll or of the sending.
  let times: Distribution?
  /// The memory at the end of the run.
  let memory: ProcessMemory

  var framesPerSecond: Double? { Double(frames) / (elapsed / .seconds(1)) }
  var processorPerFrame: Duration? { processor / max(frames, 1) }
  /// Milliseconds of processor time per second.
  var processorPerSecond: Double? { 1000 * (processor / elapsed) }
  var privateMebibytes: Double? { Double(memory.alone) / 1_048_576 }
  var sharedMebibytes: Double? { Double(memory.shared) / 1_048_576 }
}

/// The median and the 99th percentile of times.
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
