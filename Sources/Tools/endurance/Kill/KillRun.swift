import CommandLineSupport
import Foundation
import Platform
import ScreenBroadcast
import WorkerSupport

/// The run of `kill`: workers are killed at random times, and the others must continue.
final class KillRun {
  /// The part of a worker.
  enum Role: String, CaseIterable {
    case handler = "the extension"
    case watcher = "the app"
    case leaser = "the reader with leases"
    case keys = "the writer of other keys"
  }

  /// An extension that was killed.
  struct Crash {
    var pid: Int32
    var time: MonotonicTime
  }

  /// The number of rounds after which all workers end in order and the container is checked.
  private static let roundsBetweenRests = 50

  let container: AppGroupContainer
  private let context: RunContext
  private let rounds: Int
  var workers: [Role: WorkerProcess] = [:]
  private var killedHandlers: [Int32] = []
  /// The activity of the current extension.
  private var activity = HandlerWorker.Activity.publishing
  var result: KillResult

  init(_ context: RunContext, rounds: Int) throws {
    self.context = context
    self.rounds = rounds
    container = try context.container("kill")
    result = KillResult(seed: context.seed)
  }

  /// Runs all rounds; throws if a check fails.
  func run() throws {
    defer { workers.values.forEach { $0.process.kill() } }
    try KeyValueFile(container: container).set(true, forKey: KeyPattern.constant)
    try launch(Role.allCases)
    while result.rounds < rounds, !context.isInterrupted {
      context.place = "in round \(result.rounds + 1), "
      try round()
      result.rounds += 1
      if result.rounds % Self.roundsBetweenRests == 0, result.rounds < rounds {
        try rest()
        try launch(Role.allCases)
      }
      result.seconds = context.clock.elapsed.inSeconds
      context.progress("round \(result.rounds) of \(rounds), \(result.progress)")
    }
    try rest()
    try context.finish(result, result.text, failures: result.missedMoments)
  }

  /// Kills one to four workers in random order, checks what they left, and replaces them in another order.
  private func round() throws {
    context.random.sleep(upTo: .milliseconds(20))
    let roles = Role.allCases.shuffled(using: &context.random)
    let victims = Array(roles.prefix(Int.random(in: 1...4, using: &context.random)))
    for worker in workers.values { try worker.check() }
    if context.random.once(in: 2) { waitForTemporaryFile() }
    for victim in victims {
      workers[victim]?.process.send(SIGKILL)
      if context.random.once(in: 2) { context.random.sleep(upTo: .milliseconds(2)) }
    }
    var killed: Int32?
    for victim in victims {
      guard let worker = workers.removeValue(forKey: victim) else { continue }
      try worker.expectEnd(.signal(SIGKILL))
      result.countKill(of: victim)
      if victim == .handler { killed = worker.process.pid }
    }
    let crash = killed.map { Crash(pid: $0, time: SystemClock().now) }
    try Moment.left(in: container, handler: killed, leaser: victims.contains(.leaser))
      .forEach { result.count($0) }
    try ContainerTree.check(container, isAtRest: false)
    try checkDefaults()
    if let crash {
      killedHandlers.append(crash.pid)
      try checkDetection(of: crash)
    }
    try launch(victims.shuffled(using: &context.random), after: crash)
    try checkDefaults()
  }

  /// Waits a few milliseconds for a temporary file, because a random kill rarely hits its short life.
  private func waitForTemporaryFile() {
    let path = context.random.once(in: 2) ? container.preferencesFile : container.framesFile
    let deadline = ContinuousClock.now + .milliseconds(5)
    while !FileManager.default.fileExists(atPath: path + ".new"), ContinuousClock.now < deadline {}
  }

  /// Launches workers and waits until each works with the others.
  private func launch(_ roles: [Role], after crash: Crash? = nil) throws {
    for role in roles {
      workers[role] = try launch(role)
      // An app that is launched before the next extension detects the crash as well.
      if role == .watcher, let crash, workers[.handler] == nil, try verdict() == .crashed(pid: crash.pid) {
        try expectDetection(of: crash)
      }
    }
    guard let pid = workers[.handler]?.process.pid else { return }
    try wait(for: .watcher, "to get frames of process \(pid)") { $0.hasSent(.frame(from: pid)) }
    try wait(for: .keys, "to write") { $0.hasSent(.ready) }
    try wait(for: .leaser, "to begin") { $0.hasSent(.ready) }
    // With other activities the rings are removed before a lease.
    if activity == .publishing {
      try wait(for: .leaser, "to lease a frame of process \(pid)") { $0.hasSent(.frame(from: pid)) }
    }
    result.takeovers += 1
  }

  private func launch(_ role: Role) throws -> WorkerProcess {
    let (root, group, name) = (context.folder.path, container.group, role.rawValue)
    switch role {
    case .handler:
      activity = HandlerWorker.Activity.allCases.randomElement(using: &context.random) ?? .publishing
      return try WorkerProcess(HandlerWorker(root: root, group: group, activity: activity), name: name)
    case .watcher:
      let killed = Array(killedHandlers.suffix(8))
      return try WorkerProcess(WatcherWorker(root: root, group: group, killed: killed), name: name)
    case .leaser:
      return try WorkerProcess(
        LeaserWorker(root: root, group: group, seed: context.random.next()), name: name)
    case .keys:
      return try WorkerProcess(KeyWorker(root: root, group: group, seed: context.random.next()), name: name)
    }
  }

  /// Waits until a worker has done something; throws if any worker fails.
  func wait(for role: Role, _ event: String, _ hasHappened: (WorkerProcess) -> Bool) throws {
    let happened = try holds(within: .seconds(10)) {
      for worker in workers.values { try worker.check() }
      return workers[role].map(hasHappened) ?? false
    }
    try expect(happened, "waiting 10 s was not enough for \(role.rawValue) \(event)")
  }

  /// Ends all workers in order, and checks that they leave only the documented files.
  private func rest() throws {
    for worker in workers.values {
      worker.process.send(SIGTERM)
      try worker.expectEnd(.exit(0))
    }
    workers = [:]
    try ContainerTree.check(container, isAtRest: true)
    let (holder, verdict) = (try ProducerLock.holder(at: container.producerLockFile), try verdict())
    try expect(holder == .nobody, "at rest the lock is \(holder)")
    try expect(verdict == .inactive, "at rest the broadcast is \(verdict)")
    try checkDefaults()
  }
}
