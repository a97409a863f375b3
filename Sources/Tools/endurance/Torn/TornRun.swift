import CommandLineSupport
import Foundation
import ScreenBroadcast
import WorkerSupport

/// The run of `torn`: a writer at full speed, slow readers, and random stops of all of them.
struct TornRun {
  struct Result: JSONEvent {
    static let event = "torn"
    var seed: UInt64
    var seconds: Double
    var size: String
    var framesJudged: Int
    var framesTorn: Int
    var readsOvertaken: Int
    var controlJudged: Int
    var controlTorn: Int
    var slots: Int
    var leasesJudged: Int
    var leasesTorn: Int
    var leasesTakenBack: Int
    var stops: Int
  }

  private let context: RunContext
  private let goals: EnduranceOptions.TornGoals
  private let path: String
  private var random: SeededGenerator
  private var workers: [WorkerProcess] = []
  private var stops = 0
  private var timeOfGoal: Duration?
  /// The time after the goal in which the control may still read a torn frame.
  private static let extraTime = Duration.seconds(30)
  /// The slots of the ring. Two of four can be leased, and three of five.
  private let slotCount: Int

  init(_ context: RunContext, goals: EnduranceOptions.TornGoals) throws(ProgramFailure) {
    self.context = context
    self.goals = goals
    path = try context.container("torn").framesFile
    random = SeededGenerator(seed: context.seed)
    slotCount = Int.random(in: 3...5, using: &random)
  }

  /// Runs until a goal is reached; throws if a check fails.
  mutating func run() throws(ProgramFailure) {
    defer { workers.forEach { $0.process.kill() } }
    try startWorkers()
    var clock = ProgressClock()
    var tally = TornTally()
    var nextTally = ContinuousClock.now
    while !isOver(tally, clock.elapsed), !context.interruption.hasArrived {
      disturb()
      guard ContinuousClock.now >= nextTally else { continue }
      nextTally = ContinuousClock.now + .milliseconds(100)
      try checkWorkers()
      tally = sum
      context.progress(progressText(tally, clock.elapsed), at: &clock)
    }
    // A worker that ends in order reports its last tally.
    workers.reversed().forEach { $0.process.send(SIGTERM) }
    for worker in workers where worker.process.end() != .exit(0) { try checkWorkers() }
    try report(sum, seconds: clock.elapsed.inSeconds)
    try context.finish(
      sum.torn + sum.leasesTorn > 0 ? .verificationFailed : .internalError,
      failures: sum.failures(wanted: goals.time == nil ? goals.checks ?? 1 : 1))
  }

  private var sum: TornTally { workers.map(\.messages.tally).reduce(TornTally(), +) }

  /// Whether a frame is torn or a goal is reached. On a busy machine the control needs extra time to read a torn frame.
  private mutating func isOver(_ tally: TornTally, _ elapsed: Duration) -> Bool {
    if tally.torn + tally.leasesTorn > 0 { return true }
    let isReached =
      goals.checks.map { tally.checks >= $0 } ?? false || goals.time.map { elapsed >= $0 } ?? false
    guard isReached else { return false }
    let reached = timeOfGoal ?? elapsed
    timeOfGoal = reached
    return tally.isConclusive || elapsed - reached > Self.extraTime
  }

  private mutating func startWorkers() throws(ProgramFailure) {
    let writer = RingWriterWorker(
      path: path, width: goals.size?.width ?? 0, height: goals.size?.height ?? 0,
      slotCount: slotCount)
    try start(.ringWriter(writer), "the writer")
    for index in 0..<goals.readers {
      let reader = RingReaderWorker(
        path: path, isProof: goals.size != nil, seed: context.seed, index: UInt64(index))
      try start(.ringReader(reader), "reader \(index + 1)")
    }
  }

  private mutating func start(_ job: WorkerJob, _ name: String) throws(ProgramFailure) {
    let worker = try WorkerProcess(job, name: name)
    workers.append(worker)
    guard
      holds(within: .seconds(10), { worker.messages.all.contains(.ready) || !worker.process.isRunning }),
      worker.process.isRunning
    else {
      try checkWorkers()
      throw context.failure(.internalError, ["\(name) did not start within 10 s"])
    }
  }

  /// Stops a worker at a random moment, for up to 3 ms.
  private mutating func disturb() {
    usleep(useconds_t.random(in: 0...4000, using: &random))
    guard let worker = workers.randomElement(using: &random) else { return }
    worker.process.send(SIGSTOP)
    usleep(useconds_t.random(in: 0...3000, using: &random))
    worker.process.send(SIGCONT)
    stops += 1
  }

  /// Throws if a worker has reported a failure, or has ended by itself.
  private func checkWorkers() throws(ProgramFailure) {
    for worker in workers {
      if let failure = worker.messages.failures.first {
        throw context.failure(.internalError, ["\(worker.name): \(failure)"])
      }
      guard !worker.process.isRunning, let ending = worker.process.end(), ending != .exit(0) else { continue }
      throw context.failure(.internalError, ["\(worker.name) \(ending)"])
    }
  }

  private func progressText(_ tally: TornTally, _ elapsed: Duration) -> String {
    let of = goals.checks.map { " of \($0)" } ?? ""
    return
      "\(elapsed.inSeconds.text(decimals: 0)) s: \(tally.checks)\(of) frames checked, \(tally.torn) torn; "
      + "\(tally.overtaken) reads overtaken; control: \(tally.controlTorn) of \(tally.controlChecks) torn; "
      + "\(tally.leases) leases"
  }

  private func report(_ tally: TornTally, seconds: Double) throws(ProgramFailure) {
    let size = goals.size?.description ?? "\(NumberedWords.shortest) to \(NumberedWords.capacity) bytes"
    let result = Result(
      seed: context.seed, seconds: seconds, size: size, framesJudged: tally.checks, framesTorn: tally.torn,
      readsOvertaken: tally.overtaken, controlJudged: tally.controlChecks, controlTorn: tally.controlTorn,
      slots: slotCount, leasesJudged: tally.leases, leasesTorn: tally.leasesTorn,
      leasesTakenBack: tally.leasesVoid, stops: stops)
    try context.result(
      result,
      """
      frames checked   \(tally.checks) of \(size), by \(goals.readers) readers in \(seconds.text(decimals: 1)) s
      torn             \(tally.torn)
      reads overtaken  \(tally.overtaken), discarded by the second check of the counter
      control          \(tally.controlTorn) of \(tally.controlChecks) torn, without the second check
      leases           \(tally.leases) checked at their end, \(tally.leasesTorn) torn
      reclaimed        \(tally.leasesVoid), of which \(tally.leasesVoidTorn) had changed, as their end reported
      slots            \(slotCount)
      stops            \(stops), at random moments
      """)
  }
}
