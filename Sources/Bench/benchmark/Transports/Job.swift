import CBenchmark
import Glibc
import Platform
import ScreenBroadcast
import ToolSupport

/// The job of one process of a pair.
struct Job: Worker {
  var transport: Transport
  var polling = Polling.waiting
  /// Whether the frames have pixels. The sender then serializes a pixel buffer, and the receiver creates one.
  var hasPixels = false
  /// The interval between frames (default: 60 frames per second).
  var interval = Duration.nanoseconds(16_666_667)
  /// The time from the first frame to the end.
  var duration: Duration
  // The following properties are set by the pair.
  var role = Role.sender
  /// The core on which this process runs.
  var core = 0
  /// The folder of the pair's container.
  var folder = ""
  var size = PixelSize(width: 0, height: 0)

  enum Role: String, Codable, CaseIterable { case sender, receiver }

  enum Transport: String, Codable {
    case ring
    /// The frame ring, read by the app's classes.
    case app
    /// A word that counts frames, without pixels. A waiting receiver sleeps on it.
    case bare
    /// Two words that the processes write in turn, each its own.
    case cacheLine
  }

  enum Polling: String, Codable {
    /// Polls 30 times per second at the ticks of a dispatch timer, as the article's app does.
    case timer
    /// Polls halfway between two frames, and measures the duration of the poll.
    case between
    case waiting
  }

  /// Returns the container of the pair, for the app's own classes.
  func container() throws -> AppGroupContainer {
    let container = try AppGroupContainer(root: folder, group: "group.benchmark")
    try container.prepare()
    return container
  }

  /// Returns the path of the ring's file, which every transport uses.
  func file() throws -> String { try container().framesFile }

  func run(for parent: ParentProcess<JobResult>) throws {
    // A process that spins would not notice the end of the benchmark.
    _ = benchmark_die_with_parent()
    try System.restrictThread(toProcessors: [core])
    // Only the app's classes use timers with an app's precision.
    if transport != .app || role == .sender { SystemClock.sleepPrecisely() }
    let end = try makeEnd()
    parent.reportReady()
    // Without a line, the benchmark has exited.
    guard let moment = parent.nextLine().flatMap(UInt64.init) else { return }
    let start = MonotonicTime(nanoseconds: moment)
    SystemClock().wait(until: start)
    let use = clock()
    let times = try end(start)
    let (elapsed, processor) = (SystemClock().now - start, Duration.microseconds(clock() - use))
    if role == .receiver { parent.report(JobResult(times, elapsed: elapsed, processor: processor)) }
    // Both ends keep their mappings until both have finished.
    _ = parent.nextLine()
    withExtendedLifetime(end) {}
  }
}

/// The result of the receiver of a pair.
struct JobResult: Codable, Equatable {
  let frames: Int
  let elapsed: Duration
  let processor: Duration
  /// The median of the frames' times; `nil` if there are no frames.
  let median: Duration?

  /// - Parameter times: the age of each frame at its reception, or the duration of the poll.
  init(_ times: [Duration], elapsed: Duration, processor: Duration) {
    (frames, self.elapsed, self.processor) = (times.count, elapsed, processor)
    median = times.isEmpty ? nil : times.sorted()[times.count / 2]
  }
}
