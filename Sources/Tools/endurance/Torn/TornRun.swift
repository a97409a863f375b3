import CommandLineSupport
import Foundation
import ScreenBroadcast

/// The proof that no frame is torn: a writer at full speed, slow readers, and a parent that stops them all at
/// random moments.
struct TornRun {
  /// What came of it.
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

  private let stage: Stage
  private let goals: EnduranceOptions.TornGoals
  private let path: String
  private var random: SeededGenerator
  private var workers: [WorkerProcess] = []
  private var stops = 0
  private var timeOfGoal: Duration?
  /// How long to wait beyond the goal for a control that has not torn.
  private static let patience = Duration.seconds(30)
  /// The ring's slots. With four, two can be leased, and with five, three.
  private let slotCount: Int

  /// A run that has not begun.
  init(stage: Stage, goals: EnduranceOptions.TornGoals) throws(ProgramFailure) {
    self.stage = stage
    self.goals = goals
    path = try stage.folder.container("torn").framesFile
    random = SeededGenerator(seed: stage.seed)
    slotCount = Int.random(in: 3...5, using: &random)
  }

  /// Runs until a goal is reached; throws what did not hold.
  mutating func run() throws(ProgramFailure) {
    defer { workers.forEach { $0.process.kill() } }
    try startWorkers()
    var clock = ProgressClock()
    var tally = TornTally()
    var nextTally = ContinuousClock.now
    while !isOver(tally, clock.elapsed), !stage.interruption.isThere {
      disturb()
      guard ContinuousClock.now >= nextTally else { continue }
      nextTally = ContinuousClock.now + .milliseconds(100)
      try checkWorkers()
      tally = sum
      stage.progress(progressText(tally, clock.elapsed), at: &clock)
    }
    // Who wants to end in order tells its last tally.
    workers.reversed().forEach { $0.process.send(SIGTERM) }
    for worker in workers where worker.process.end() != .exit(0) { try checkWorkers() }
    try report(sum, seconds: clock.elapsed.inSeconds)
    if stage.interruption.isThere { throw stage.interrupted }
    let failures = sum.failures(wanted: goals.time == nil ? goals.checks ?? 1 : 1)
    guard failures.isEmpty else {
      throw stage.failure(sum.torn + sum.leasesTorn > 0 ? .verificationFailed : .internalError, failures)
    }
  }

  private var sum: TornTally { workers.map(\.mailbox.tally).reduce(TornTally(), +) }

  /// Whether something is torn, or a goal is reached; then it goes on for a while if the control has not torn yet,
  /// as on a machine that has much else to do.
  private mutating func isOver(_ tally: TornTally, _ elapsed: Duration) -> Bool {
    if tally.torn + tally.leasesTorn > 0 { return true }
    let isReached =
      goals.checks.map { tally.checks >= $0 } ?? false || goals.time.map { elapsed >= $0 } ?? false
    guard isReached else { return false }
    let reached = timeOfGoal ?? elapsed
    timeOfGoal = reached
    return tally.isTelling || elapsed - reached > Self.patience
  }

  private mutating func startWorkers() throws(ProgramFailure) {
    let writer = RingWriterWorker(
      path: path, width: goals.size?.width ?? 0, height: goals.size?.height ?? 0,
      slotCount: slotCount)
    try start(.ringWriter(writer), "the writer")
    for index in 0..<goals.readers {
      let reader = RingReaderWorker(
        path: path, isPicture: goals.size != nil, seed: stage.seed, index: UInt64(index))
      try start(.ringReader(reader), "reader \(index + 1)")
    }
  }

  private mutating func start(_ order: WorkerOrder, _ name: String) throws(ProgramFailure) {
    let worker = try WorkerProcess(order, name: name)
    workers.append(worker)
    guard
      holds(within: .seconds(10), { worker.mailbox.messages.contains(.ready) || !worker.process.isRunning }),
      worker.process.isRunning
    else {
      try checkWorkers()
      throw stage.failure(.internalError, ["\(name) did not begin within 10 s"])
    }
  }

  /// Stops a process in the middle of whatever it does, for up to 3 ms.
  private mutating func disturb() {
    usleep(useconds_t.random(in: 0...4000, using: &random))
    guard let worker = workers.randomElement(using: &random) else { return }
    worker.process.send(SIGSTOP)
    usleep(useconds_t.random(in: 0...3000, using: &random))
    worker.process.send(SIGCONT)
    stops += 1
  }

  /// Throws when a worker has complained or is gone.
  private func checkWorkers() throws(ProgramFailure) {
    for worker in workers {
      if let complaint = worker.mailbox.complaints.first {
        throw stage.failure(.internalError, ["\(worker.name): \(complaint)"])
      }
      guard !worker.process.isRunning, let ending = worker.process.end(), ending != .exit(0) else { continue }
      throw stage.failure(.internalError, ["\(worker.name) \(ending)"])
    }
  }

  private func progressText(_ tally: TornTally, _ elapsed: Duration) -> String {
    let of = goals.checks.map { " of \($0)" } ?? ""
    return
      "\(elapsed.inSeconds.text(decimals: 0)) s: \(tally.checks)\(of) frames judged, \(tally.torn) torn; "
      + "\(tally.overtaken) reads overtaken; control: \(tally.controlTorn) of \(tally.controlChecks) torn; "
      + "\(tally.leases) leases"
  }

  private func report(_ tally: TornTally, seconds: Double) throws(ProgramFailure) {
    let size = goals.size?.description ?? "\(NumberedWords.shortest) to \(NumberedWords.capacity) bytes"
    let result = Result(
      seed: stage.seed, seconds: seconds, size: size, framesJudged: tally.checks, framesTorn: tally.torn,
      readsOvertaken: tally.overtaken, controlJudged: tally.controlChecks, controlTorn: tally.controlTorn,
      slots: slotCount, leasesJudged: tally.leases, leasesTorn: tally.leasesTorn,
      leasesTakenBack: tally.leasesVoid, stops: stops)
    try stage.result(
      result,
      """
      frames judged    \(tally.checks) of \(size), by \(goals.readers) readers in \(seconds.text(decimals: 1)) s
      torn             \(tally.torn)
      reads overtaken  \(tally.overtaken), thrown away by the second look at the counter
      control          \(tally.controlTorn) of \(tally.controlChecks) torn, without the second look
      leases           \(tally.leases) judged at their end, \(tally.leasesTorn) torn
      taken back       \(tally.leasesVoid), of which \(tally.leasesVoidTorn) had changed, as their end said
      slots            \(slotCount)
      stops            \(stops), in the middle of whatever a process did
      """)
  }
}
