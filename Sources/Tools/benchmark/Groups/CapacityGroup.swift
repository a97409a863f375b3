import CommandLineSupport
import Platform

/// How many pairs of processes one machine runs: 1, 2, 4 and so on, until more than a hundredth of their ticks is late.
struct CapacityGroup: Measurement {
  private let way: (name: String, mode: Job.AppMode)
  private let context: Context
  /// The numbers of pairs, for whose files the folder has room.
  private let counts: [Int]

  /// The share of late ticks, in percent, above which the machine has too many pairs.
  static let limit = 1.0
  private static let mostPairs = 64

  static func measurements(_ context: Context) throws -> [any Measurement] {
    let free = try FileSystemStatus.read(at: context.folder).freeByteCount
    return [("polled", .poll), ("woken", .wake)].map {
      CapacityGroup(way: $0, context: context, freeBytes: free)
    }
  }

  private init(way: (name: String, mode: Job.AppMode), context: Context, freeBytes: UInt64) {
    (self.way, self.context) = (way, context)
    let ring = context.ringByteCount
    counts = sequence(first: 1) { $0 < Self.mostPairs ? 2 * $0 : nil }
      .filter { UInt64($0 * ring) < freeBytes / 2 }
  }

  var obstacle: String? {
    counts.isEmpty ? "the folder has too little space for a ring; name another with --folder" : nil
  }

  var rows: [Row] {
    [Row(id("pairs"), "\(way.name): most pairs with at most 1 % late", .pairs)]
      + counts.flatMap { count in
        let title = "\(way.name), \(count) pair\(count == 1 ? "" : "s")"
        return [
          Row(id("late", count), "\(title): late or missed ticks", .percent),
          Row(id("cores", count), "\(title): processor of a pair", .cores),
          Row(id("memory", count), "\(title): memory of a pair", .mebibytes),
        ]
      }
  }

  private func id(_ name: String, _ count: Int? = nil) -> String {
    "capacity.\(way.name).\(count.map { "\($0)." } ?? "")\(name)"
  }

  func run() throws -> [String: Double] {
    var figures = [id("pairs"): 0.0]
    for count in counts {
      let step = try measure(count)
      figures[id("late", count)] = step.latePercent
      figures[id("cores", count)] = step.cores
      figures[id("memory", count)] = step.mebibytes
      guard step.latePercent <= Self.limit else { break }
      figures[id("pairs")] = Double(count)
    }
    return figures
  }

  /// The figures of some pairs that ran beside each other.
  struct Step: Equatable {
    /// The share of the ticks of all processes that were late or missed. A frame that a woken app did not receive counts
    /// as a missed tick.
    var latePercent: Double
    /// The processor time of a pair in a second, in seconds.
    var cores: Double
    /// The memory of a pair: what both processes wrote for themselves, and the ring.
    var mebibytes: Double

    init(_ pairs: [(sender: JobResult, receiver: JobResult)], ringByteCount: Int) {
      var (due, late) = (0, 0)
      var (cores, bytes) = (0.0, 0.0)
      for (sender, receiver) in pairs {
        // A woken app has no ticks of its own.
        let missing = Ticks(due: sender.frames, late: max(0, sender.frames - receiver.frames))
        for ticks in [sender.ticks, receiver.ticks ?? missing] {
          due += ticks?.due ?? 0
          late += ticks?.late ?? 0
        }
        cores += sender.processor / sender.elapsed + receiver.processor / receiver.elapsed
        bytes += Double(sender.memory.anonymous + receiver.memory.anonymous) + Double(ringByteCount)
      }
      latePercent = 100 * Double(late) / Double(max(due, 1))
      self.cores = cores / Double(max(pairs.count, 1))
      mebibytes = bytes / Double(max(pairs.count, 1)) / 1_048_576
    }
  }

  private func measure(_ count: Int) throws -> Step {
    var job = Job(.timed, .pictures, polling: .app(way.mode), for: context.pace.paced * 3)
    job.cores = context.allCores
    (job.width, job.height) = (context.size.width, context.size.height)
    var pairs: [(sender: WorkerProcess, receiver: WorkerProcess)] = []
    defer {
      pairs.forEach {
        $0.sender.end(); $0.receiver.end()
      }
    }
    for number in 1...count {
      job.path = context.path("capacity-\(number)")
      job.role = .sender
      let sender = try WorkerProcess(job)
      job.role = .receiver
      pairs.append((sender, try WorkerProcess(job)))
    }
    let start = SystemClock().now + .milliseconds(50)
    for pair in pairs {
      try pair.sender.begin(at: start)
      try pair.receiver.begin(at: start)
    }
    let results = try pairs.map { (sender: try $0.sender.result(), receiver: try $0.receiver.result()) }
    for pair in pairs {
      try pair.sender.finish()
      try pair.receiver.finish()
    }
    return Step(results, ringByteCount: context.ringByteCount)
  }
}
