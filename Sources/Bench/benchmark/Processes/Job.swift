import CBenchmark
import CommandLineSupport
import Glibc
import Platform
import ScreenBroadcast
import ToolSupport

/// The job of one process of a pair.
struct Job: Worker {
  var transport: Transport
  /// Whether the frames have pixels: the sender serialises a pixel buffer, and the receiver makes one.
  var hasPixels = false
  /// The time between two frames, by default at 60 frames per second.
  var interval = Duration.nanoseconds(16_666_667)
  var polling = Polling.waiting
  /// The time from the first frame to the end.
  var duration: Duration
  // The place, which the pair fills in.
  var role = Role.sender
  /// The cores on which this process may run.
  var cores: [Int] = []
  /// The folder of the pair's container.
  var folder = ""
  var size = PixelSize(width: 0, height: 0)

  enum Role: String, Codable { case sender, receiver }

  enum Transport: String, Codable {
    case ring
    /// The frame ring, read by the app's classes.
    case app
    /// A word that counts frames, without pixels. A waiting receiver sleeps on it.
    case bare
    /// One word that both processes write in turn.
    case cacheLine
  }

  enum Polling: String, Codable {
    /// It polls 30 times per second at the ticks of a dispatch timer, as the article's app does.
    case timer
    /// It polls in the middle between two frames, and the time of the poll is measured.
    case between
    case waiting
  }

  /// The container of the pair, for the app's own classes.
  func container() throws -> AppGroupContainer {
    let container = try AppGroupContainer(root: folder, group: "group.benchmark")
    try container.prepare()
    return container
  }

  /// The file of any transport: that of the ring.
  func file() throws -> String { try container().framesFile }

  func run(for parent: ParentProcess<JobResult>) throws {
    // A process that spins does not notice the end of the benchmark.
    _ = benchmark_die_with_parent()
    try System.restrictThread(toProcessors: cores)
    // The app's classes use the timers of an app.
    if transport != .app || role == .sender { SystemClock.sleepPrecisely() }
    let end = try makeEnd()
    var times: [Duration] = []
    times.reserveCapacity(1 << 16)
    parent.reportReady()
    // No line: the benchmark has exited.
    guard let moment = parent.nextLine().flatMap(UInt64.init) else { return }
    let start = MonotonicTime(nanoseconds: moment)
    SystemClock().wait(until: start)
    let use = clock()
    try end.run(self, from: start) { times.append($0) }
    let (elapsed, processor) = (SystemClock().now - start, Duration.microseconds(clock() - use))
    let result = JobResult(times, elapsed: elapsed, processor: processor)
    try end.finish()
    parent.report(result)
    // Both ends keep their mappings until both have finished.
    _ = parent.nextLine()
    withExtendedLifetime(end) {}
  }

  private func makeEnd() throws -> any TransportEnd {
    switch (transport, role) {
    case (.ring, .sender), (.app, .sender): try RingSender(self)
    case (.ring, .receiver): if polling == .timer { try TimedReceiver(self) } else { try RingReceiver(self) }
    case (.app, .receiver): try AppReceiver(self)
    case (.bare, .sender): try BareSender(self)
    case (.bare, .receiver): try BareReceiver(self)
    case (.cacheLine, _): try CacheLineEnd(self)
    }
  }
}

/// The result of one process of a pair.
struct JobResult: Codable, Equatable {
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
