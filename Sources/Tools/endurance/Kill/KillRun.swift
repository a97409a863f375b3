import CommandLineSupport
import Foundation
import Platform
import ScreenBroadcast
import WorkerSupport

/// The run of `kill`: workers are killed at random times, and the others must continue.
struct KillRun {
  /// The part of a worker.
  enum Role: CaseIterable {
    case handler, watcher, leaser, keys

    var name: String {
      switch self {
      case .handler: "the extension"
      case .watcher: "the app"
      case .leaser: "the reader with leases"
      case .keys: "the writer of other keys"
      }
    }
  }

  /// The longest time between a takeover and the next kill, in microseconds.
  private static let longestDelay: useconds_t = 20_000
  /// The number of rounds after which all workers end in order and the container is checked.
  private static let roundsBetweenRests = 50

  let context: RunContext
  let container: AppGroupContainer
  private let rounds: Int
  var random: SeededGenerator
  var workers: [Role: WorkerProcess] = [:]
  var killedHandlers: [Int32] = []
  /// The activity of the current extension.
  var activity = HandlerWorker.Activity.publishing
  var result: KillResult

  init(_ context: RunContext, rounds: Int) throws(ProgramFailure) {
    self.context = context
    self.rounds = rounds
    container = try context.container("kill")
    random = SeededGenerator(seed: context.seed)
    result = KillResult(seed: context.seed)
  }

  /// Runs all rounds; throws if a check fails.
  mutating func run() throws(ProgramFailure) {
    defer { workers.values.forEach { $0.process.kill() } }
    let context = context
    try context.perform({ "in round \(result.rounds + 1)" }) { try runRounds() }
    try context.result(result, result.text)
    try context.finish(failures: result.missedMoments)
  }

  private mutating func runRounds() throws {
    var clock = ProgressClock()
    try KeyValueFile(container: container).set(true, forKey: KeyPattern.constant)
    try launch(Role.allCases)
    while result.rounds < rounds, !context.interruption.hasArrived {
      try round()
      result.rounds += 1
      if result.rounds % Self.roundsBetweenRests == 0, result.rounds < rounds {
        try rest()
        try launch(Role.allCases)
      }
      result.seconds = clock.elapsed.inSeconds
      context.progress("round \(result.rounds) of \(rounds), \(result.progress)", at: &clock)
    }
    try rest()
  }

  /// Kills one to four workers in random order, checks what they left, and replaces them in another order.
  private mutating func round() throws {
    usleep(useconds_t.random(in: 0...Self.longestDelay, using: &random))
    let victims = Array(
      Role.allCases.shuffled(using: &random).prefix(Int.random(in: 1...4, using: &random)))
    try checkReports()
    if random.once(in: 2) { waitForTemporaryFile() }
    for victim in victims {
      workers[victim]?.process.send(SIGKILL)
      if random.once(in: 2) { usleep(useconds_t.random(in: 0...2000, using: &random)) }
    }
    var killedHandler: Int32?
    for victim in victims {
      guard let worker = workers[victim] else { continue }
      let ending = worker.process.end()
      try expect(ending == .signal(SIGKILL), "\(victim.name) \(ending.text)")
      try worker.checkReports()
      if victim == .handler { killedHandler = worker.process.pid }
      workers[victim] = nil
    }
    let death = SystemClock().now
    try checkContainer(after: victims, killedHandler: killedHandler)
    try checkCrashDetection(of: killedHandler, death: death)
    try launch(victims.shuffled(using: &random), crashed: killedHandler, death: death)
    try checkDefaults()
  }

  /// Waits a few milliseconds for a temporary file, because a random kill rarely hits its short life.
  private mutating func waitForTemporaryFile() {
    let path = random.once(in: 2) ? container.preferencesFile : container.framesFile
    let deadline = ContinuousClock.now + .milliseconds(5)
    while !FileManager.default.fileExists(atPath: path + ".new"), ContinuousClock.now < deadline {}
  }

  /// Ends all workers in order, and checks that they leave only the documented files.
  private mutating func rest() throws {
    for (role, worker) in workers {
      worker.process.send(SIGTERM)
      let ending = worker.process.end()
      try worker.checkReports()
      try expect(ending == .exit(0), "\(role.name) \(ending.text)")
    }
    workers = [:]
    let tree = try ContainerTree(of: container)
    let (leaks, missing) = (tree.leaks(isAtRest: true), tree.missing)
    try expect(leaks.isEmpty, "at rest the container contains \(leaks.joined(separator: ", "))")
    try expect(missing.isEmpty, "at rest the container lacks \(missing.joined(separator: ", "))")
    let (holder, verdict) = (try ProducerLock.holder(at: container.producerLockFile), try verdict())
    try expect(holder == .unheld, "at rest the lock is \(holder)")
    try expect(verdict == .inactive, "at rest the broadcast is \(verdict)")
    try checkDefaults()
  }
}
