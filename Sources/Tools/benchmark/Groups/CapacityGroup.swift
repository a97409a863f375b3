import CommandLineSupport
import Platform

/// How many pairs of processes one machine runs: 1, 2, 4 and so on, until the pairs make a hundredth of their ticks late.
///
/// Before the pairs, as many timers run alone. What is late then, the machine makes late.
struct CapacityGroup: Measurement {
  private let way: (name: String, mode: Job.AppMode)
  private let context: Context
  /// The numbers of pairs, for whose files the folder has room.
  private let counts: [Int]

  /// The share of ticks, in percent, that the pairs may make late.
  static let limit = 1.0
  /// The share of ticks of timers alone, in percent, that may be late; above it, nothing is known about the pairs.
  static let machineLimit = 5.0
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
    [Row(id("pairs"), "\(way.name): most pairs with at most 1 % late by them", .pairs)]
      + counts.flatMap { count in
        let title = "\(way.name), \(count) pair\(count == 1 ? "" : "s")"
        return [
          Row(id("late", count), "\(title): late or missed ticks", .percent),
          Row(id("machine", count), "\(title): the same of their timers alone", .percent),
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
      context.showPart("\(count) pair\(count == 1 ? "" : "s")")
      let machine = try latePercentOfTimers(count)
      let step = try measure(count)
      figures[id("late", count)] = step.latePercent
      figures[id("machine", count)] = machine
      figures[id("cores", count)] = step.cores
      figures[id("memory", count)] = step.mebibytes
      switch step.verdict(machine: machine) {
      case .fits: figures[id("pairs")] = Double(count)
      case .tooMany: return figures
      case .unknown:
        figures[id("pairs")] = nil
        throw NotMeasured(
          reason: "of the ticks of timers alone, the machine made \(machine.figureText) % late",
          figures: figures)
      }
    }
    return figures
  }

  /// Whether a machine runs some pairs.
  enum Verdict { case fits, tooMany, unknown }

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
      latePercent = Ticks(due: due, late: late).latePercent
      self.cores = cores / Double(max(pairs.count, 1))
      mebibytes = bytes / Double(max(pairs.count, 1)) / 1_048_576
    }

    /// Whether the pairs fit, on a machine that makes this share of the ticks of timers alone late, in percent.
    func verdict(machine: Double) -> Verdict {
      if latePercent <= CapacityGroup.limit { return .fits }
      if machine > CapacityGroup.machineLimit { return .unknown }
      return latePercent - machine <= CapacityGroup.limit ? .fits : .tooMany
    }
  }

  private var job: Job {
    var job = Job(.timed, hasPixels: true, polling: .app(way.mode), for: context.pace.paced * 3)
    job.cores = context.allCores
    (job.width, job.height) = (context.size.width, context.size.height)
    return job
  }

  private func measure(_ count: Int) throws -> Step {
    let results = try run(
      (1...count).flatMap { number in
        [Job.Role.sender, .receiver].map { role in
          var job = job
          job.path = context.path("capacity-\(number)")
          job.role = role
          return job
        }
      })
    return Step(
      stride(from: 0, to: results.count, by: 2).map { (sender: results[$0], receiver: results[$0 + 1]) },
      ringByteCount: context.ringByteCount)
  }

  /// The share of late ticks of the timers that this number of pairs has, without their work.
  private func latePercentOfTimers(_ count: Int) throws -> Double {
    let intervals = way.mode == .poll ? [job.interval, job.interval * 2] : [job.interval]
    let results = try run(
      (1...count).flatMap { number in
        intervals.enumerated().map { index, interval in
          var job = job
          job.hasPixels = false
          (job.width, job.height) = (16, 16)
          job.interval = interval
          job.path = context.path("timer-\(number)-\(index)")
          return job
        }
      })
    let ticks = results.compactMap(\.ticks)
    return Ticks(due: ticks.reduce(0) { $0 + $1.due }, late: ticks.reduce(0) { $0 + $1.late }).latePercent
  }

  /// Runs processes beside each other, which begin at one moment; returns their results in the same order. A receiver
  /// follows its sender.
  private func run(_ jobs: [Job]) throws -> [JobResult] {
    var processes: [WorkerProcess] = []
    defer { processes.forEach { $0.end() } }
    for job in jobs { processes.append(try WorkerProcess(job)) }
    let start = SystemClock().now + .milliseconds(50)
    for process in processes { try process.begin(at: start) }
    let results = try processes.map { try $0.result() }
    for process in processes { try process.finish() }
    return results
  }
}
