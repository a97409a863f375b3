import CBenchmark
import Glibc
import Platform
import ScreenBroadcast
import ToolSupport

/// The job of one process of a pair.
struct Job: Worker {
  var transport: Transport
  var polling = Polling.waiting
  /// Whether the frames have pixels: the sender serialises a pixel buffer, and the receiver makes one.
  var hasPixels = false
  /// The time between two frames, by default at 60 frames per second.
  var interval = Duration.nanoseconds(16_666_667)
  /// The time from the first frame to the end.
  var duration: Duration
  // The place, which the pair fills in.
  var role = Role.sender
  /// The core of this process.
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
    try System.restrictThread(toProcessors: [core])
    // The app's classes use the timers of an app.
    if transport != .app || role == .sender { SystemClock.sleepPrecisely() }
    let end = try makeEnd()
    parent.reportReady()
    // No line: the benchmark has exited.
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
  /// The median of the times of the frames; `nil` without frames.
  let median: Duration?

  /// - Parameter times: the age of each frame at its reception, or the length of the poll.
  init(_ times: [Duration], elapsed: Duration, processor: Duration) {
    (frames, self.elapsed, self.processor) = (times.count, elapsed, processor)
    median = times.isEmpty ? nil : times.sorted()[times.count / 2]
  }
}
