import CommandLineSupport
import Foundation
import LaunchedPrograms
import Platform
import ScreenBroadcast
import ToolSupport

/// The run of `kill`: workers are killed at random times, and the others must continue. The resources of an app that is
/// never killed must not grow.
final class KillRun {
  private typealias Crash = (pid: Int32, time: MonotonicTime)

  /// The number of rounds after which all workers exit normally and the container is checked.
  private static let roundsBetweenRests = 50

  private let container: AppGroupContainer
  private let context: RunContext
  private var workers: [KillWorker.Role: WorkerProcess<KillWorker.Report>] = [:]
  private var killedHandlers: [Int32] = []
  private var activity = KillWorker.Activity.publishing
  private var rounds = 0, crashes = 0, takeovers = 0
  private var kills: [KillWorker.Role: Int] = [:]
  private var hits: [Moment: Int] = [:]

  init(_ context: RunContext) throws {
    self.context = context
    container = try context.container()
  }

  func run() throws {
    let wanted = context.options.rounds
    try KeyValueFile(container: container).set(true, forKey: KeyPattern.constant)
    let app = try WorkerProcess(worker(.watcher), name: "the app that is not killed")
    var longLived = LongLivedProcess(pid: app.process.pid)
    try launch(KillWorker.Role.allCases)
    while rounds < wanted, !context.run.isInterrupted {
      context.place = "in round \(rounds + 1), "
      try round()
      rounds += 1
      try app.check()
      _ = try app.takeReports()
      try longLived.sample()
      if rounds % Self.roundsBetweenRests == 0, rounds < wanted {
        try rest()
        try launch(KillWorker.Role.allCases)
      }
      context.run.progress(
        "round \(rounds) of \(wanted): \(kills.values.reduce(0, +)) kills, "
          + Moment.allCases.map { "\(hits[$0, default: 0]) \($0.rawValue)" }.joined(separator: ", ")
          + "; \(longLived.memoryText)")
    }
    try rest()
    app.finish()
    try app.expectEnd(.exit(0))
    let parts = KillWorker.Role.allCases.map { figure(kills[$0, default: 0], "of \($0.rawValue)") }
    let moments = Moment.allCases.map { figure(hits[$0, default: 0], $0.rawValue) }
    try context.finish(
      [figure(rounds, "rounds"), figure(kills.values.reduce(0, +), "kills")] + parts + moments + [
        figure(crashes, "crashes detected, each at the first poll after the kill"),
        figure(takeovers, "takeovers; nothing was lost or left behind"),
      ], levels: rounds < Levels.fewestSamples ? nil : LevelTable(longLived),
      failures: Moment.failures(hits: hits, rounds: rounds))
  }

  /// Kills one to four workers in random order, checks the files they left, and replaces them in another order.
  private func round() throws {
    context.random.sleep(upTo: .milliseconds(20))
    let roles = KillWorker.Role.allCases.shuffled(using: &context.random)
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
      kills[victim, default: 0] += 1
      if victim == .handler { killed = worker.process.pid }
    }
    let crash = killed.map { (pid: $0, time: SystemClock().now) }
    for moment in try Moment.left(in: container, handler: killed) { hits[moment, default: 0] += 1 }
    try ContainerTree.check(container, isIdle: false)
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

  private func worker(_ role: KillWorker.Role) -> KillWorker {
    KillWorker(
      role: role, activity: activity, root: context.run.folder.path, group: container.group,
      seed: context.random.next(), killed: killedHandlers.suffix(8))
  }

  /// Launches workers and waits until each works with the others.
  private func launch(_ roles: [KillWorker.Role], after crash: Crash? = nil) throws {
    for role in roles {
      if role == .handler {
        activity = KillWorker.Activity.allCases.randomElement(using: &context.random) ?? .publishing
      }
      workers[role] = try WorkerProcess(worker(role), name: role.rawValue)
      // An app that is launched before the next extension detects the crash as well.
      if role == .watcher, let crash, workers[.handler] == nil, try verdict() == .crashed(pid: crash.pid) {
        try expectDetection(of: crash)
      }
    }
    guard let pid = workers[.handler]?.process.pid else { return }
    try wait(for: .watcher, "to get frames of process \(pid)") { $0.reports.contains(.frame(from: pid)) }
    try wait(for: .keys, "to write") { $0.isReady }
    try wait(for: .sleeper, "to begin") { $0.isReady }
    // With other activities the rings may be removed before the sleeper reads a frame.
    if activity == .publishing {
      try wait(for: .sleeper, "to read a frame of process \(pid)") { $0.reports.contains(.frame(from: pid)) }
    }
    takeovers += 1
  }

  /// Waits until a worker has done something. Throws if any worker fails.
  private func wait(
    for role: KillWorker.Role, _ event: String, _ hasHappened: (WorkerProcess<KillWorker.Report>) -> Bool
  ) throws {
    let happened = try holds {
      for worker in workers.values { try worker.check() }
      return workers[role].map(hasHappened) ?? false
    }
    try expect(happened, "waiting \(ChildProcess.waitLimit) was not enough for \(role.rawValue) \(event)")
  }

  /// Ends all workers normally, and checks that they leave only the documented files.
  private func rest() throws {
    for worker in workers.values {
      worker.finish()
      try worker.expectEnd(.exit(0))
    }
    workers = [:]
    try ContainerTree.check(container, isIdle: true)
    let (holder, verdict) = (try ProcessLock.holder(at: container.producerLockFile), try verdict())
    try expect(holder == .unheld, "when idle, the lock is \(holder)")
    try expect(verdict == .inactive, "when idle, the broadcast is \(verdict)")
    try checkDefaults()
  }

  /// Checks that the property list is intact, contains all keys of other writers, and can be written.
  private func checkDefaults() throws {
    let pattern = try KeyPattern(in: container)
    try expect(pattern.isWhole, "an update of other keys is lost: \(pattern.values)")
    let damaged = try KeyValueFile(container: container).set(true, forKey: KeyPattern.constant)
    try expect(damaged == nil, "the property list was damaged")
  }

  /// Checks that, after the kill of an extension, its lock is free, the next poll detects the crash, and a new reader gets
  /// no frame.
  private func checkDetection(of crash: Crash) throws {
    switch try verdict() {
    case .active(let pid), .changing(let pid):
      throw CheckFailure("process \(pid) was killed and still counts as broadcasting")
    case .inactive, .unclaimed: return
    case .crashed(let pid):
      // The process may have been killed before its broadcast. The crash is then an earlier one.
      guard pid == crash.pid else { return }
    }
    let frames = BroadcastBufferContext(container: container, framePollTimer: StepTimer())
    for _ in 0..<3 { frames.poll() }
    try expect(
      frames.statistics.framesDelivered == 0, "a frame of the killed process \(crash.pid) is still delivered")
    if workers[.watcher] != nil { try expectDetection(of: crash) }
  }

  private func verdict() throws -> BroadcastCrashDetector.Verdict {
    let status = BroadcastStatusManagerImpl(defaults: KeyValueFile(container: container), timer: StepTimer())
    return try BroadcastCrashDetector(container: container, status: status, timer: StepTimer()).verdict()
  }

  /// Expects that the running app detects the crash at its first poll after the kill.
  private func expectDetection(of crash: Crash) throws {
    var lastPoll: UInt64?
    try wait(for: .watcher, "to report the crash of process \(crash.pid)") {
      for case .crash(crash.pid, let before) in $0.reports { lastPoll = before }
      return lastPoll != nil
    }
    try expect(
      lastPoll ?? .max <= crash.time.nanoseconds,
      "the app polled after process \(crash.pid) was killed and did not detect it")
    crashes += 1
  }
}
