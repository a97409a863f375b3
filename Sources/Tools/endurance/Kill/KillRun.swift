import CommandLineSupport
import Foundation
import Platform
import ScreenBroadcast
import SharedMemory

/// The proof that a death breaks nothing: workers are killed at random moments, and the others go on.
struct KillRun {
  /// What came of it.
  struct Result: JSONEvent {
    static let event = "kill"
    var seed: UInt64
    var seconds = 0.0
    var rounds = 0
    var kills = 0
    var extensionsKilled = 0
    var appsKilled = 0
    var leasersKilled = 0
    var keyWritersKilled = 0
    var insidePublish = 0
    var insideRingMaking = 0
    var insideKeyWrite = 0
    var insideLease = 0
    var crashesTold = 0
    var takeovers = 0

    /// A run that has not begun.
    init(seed: UInt64) { self.seed = seed }
  }

  /// What a worker stands for.
  private enum Role: CaseIterable {
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

  /// From so many rounds on, every kind of moment must have been hit.
  static let roundsThatHitAll = 1000
  /// The longest time between a takeover and the next kill, in microseconds.
  private static let longestDelay: useconds_t = 20_000
  /// So often all workers end in order and the container is looked at, at rest.
  private static let roundsBetweenRests = 50

  private let stage: Stage
  private let rounds: Int
  private let container: AppGroupContainer
  private var random: SeededGenerator
  private var workers: [Role: WorkerProcess] = [:]
  private var deadHandlers: [Int32] = []
  /// What the extension of now spends its time with.
  private var habit = HandlerWorker.Habit.publishing
  private var result: Result

  /// A run that has not begun.
  init(stage: Stage, rounds: Int) throws(ProgramFailure) {
    self.stage = stage
    self.rounds = rounds
    container = try stage.folder.container("kill")
    random = SeededGenerator(seed: stage.seed)
    result = Result(seed: stage.seed)
  }

  /// Runs all rounds; throws what did not hold.
  mutating func run() throws(ProgramFailure) {
    defer { workers.values.forEach { $0.process.kill() } }
    var clock = ProgressClock()
    do {
      try KeyValueFile(container: container).set(true, forKey: KeyLadder.constant)
      try replace(Role.allCases)
      while result.rounds < rounds, !stage.interruption.isThere {
        try round()
        result.rounds += 1
        if result.rounds % Self.roundsBetweenRests == 0, result.rounds < rounds {
          try rest()
          try replace(Role.allCases)
        }
        result.seconds = clock.elapsed.inSeconds
        stage.progress(progressText, at: &clock)
      }
      try rest()
    } catch let failure as BrokenPromise {
      throw stage.failure(.internalError, ["in round \(result.rounds + 1), \(failure)"])
    } catch let failure as ProgramFailure {
      throw failure
    } catch {
      throw stage.failure(.internalError, ["in round \(result.rounds + 1), \(error)"])
    }
    try report()
    if stage.interruption.isThere { throw stage.interrupted }
    let missed = Self.missedMoments(of: result)
    guard missed.isEmpty else { throw stage.failure(.internalError, missed) }
  }

  /// What was never hit in a run that was long enough to hit everything.
  static func missedMoments(of result: Result) -> [String] {
    guard result.rounds >= roundsThatHitAll else { return [] }
    let hits = [result.insidePublish, result.insideRingMaking, result.insideKeyWrite, result.insideLease]
    return zip(Remains.moments, hits).filter { $1 == 0 }
      .map { "no kill landed \($0.0.name): this run proves nothing about it" }
  }

  // MARK: A round

  /// Kills one to four workers in some order, looks at what they left, and replaces them in another order.
  private mutating func round() throws {
    usleep(useconds_t.random(in: 0...Self.longestDelay, using: &random))
    let victims = Array(
      Role.allCases.shuffled(using: &random).prefix(Int.random(in: 1...4, using: &random)))
    try checkComplaints()
    if random.once(in: 2) { waitForAFileInTheMaking() }
    for victim in victims {
      workers[victim]?.process.send(SIGKILL)
      if random.once(in: 2) { usleep(useconds_t.random(in: 0...2000, using: &random)) }
    }
    var deadHandler: Int32?
    for victim in victims {
      guard let worker = workers[victim] else { continue }
      let ending = worker.process.end()
      try expect(ending == .signal(SIGKILL), "\(victim.name) \(ending.text)")
      try expectNoComplaint(of: worker)
      if victim == .handler { deadHandler = worker.process.pid }
      workers[victim] = nil
    }
    let death = SystemClock().now.nanoseconds
    try examine(victims, deadHandler: deadHandler)
    try lookAtTheCrash(of: deadHandler, death: death)
    try replace(victims.shuffled(using: &random), crashed: deadHandler, death: death)
    try examineDefaults()
  }

  /// Waits until somebody is just making a file, for some milliseconds: a moment that chance would hit rarely.
  private mutating func waitForAFileInTheMaking() {
    let path = random.once(in: 2) ? container.preferencesFile : container.framesFile
    let deadline = ContinuousClock.now + .milliseconds(5)
    while !FileManager.default.fileExists(atPath: path + ".new"), ContinuousClock.now < deadline {}
  }

  /// What the dead left: nothing but what is documented, and nothing that stands in anybody's way.
  private mutating func examine(_ victims: [Role], deadHandler: Int32?) throws {
    result.kills += victims.count
    for victim in victims {
      switch victim {
      case .handler: result.extensionsKilled += 1
      case .watcher: result.appsKilled += 1
      case .leaser: result.leasersKilled += 1
      case .keys: result.keyWritersKilled += 1
      }
    }
    let remains = try Remains(
      in: container, handler: deadHandler, leaser: victims.contains(.leaser))
    if remains.contains(.publish) { result.insidePublish += 1 }
    if remains.contains(.ringMaking) { result.insideRingMaking += 1 }
    if remains.contains(.keyWrite) { result.insideKeyWrite += 1 }
    if remains.contains(.lease) { result.insideLease += 1 }
    let leaks = try ContainerTree(of: container).leaks(isAtRest: false)
    try expect(leaks.isEmpty, "the container holds \(leaks.joined(separator: ", "))")
    try examineDefaults()
  }

  /// The property list: whole, with all keys of others, and free to be written.
  private func examineDefaults() throws {
    guard let ladder = KeyLadder(try KeyLadder.values(in: container)) else {
      throw BrokenPromise("the key \(KeyLadder.constant) is lost")
    }
    try expect(ladder.isWhole, "an update of other keys is lost: \(ladder.rungs)")
    let setAside = try KeyValueFile(container: container).set(true, forKey: KeyLadder.constant)
    try expect(setAside == nil, "the property list was damaged")
  }

  /// After the death of an extension: nobody holds its lock, the first look tells the crash, and a reader that
  /// comes now is shown nothing.
  private mutating func lookAtTheCrash(of handler: Int32?, death: UInt64) throws {
    guard let handler else { return }
    deadHandlers.append(handler)
    let verdict = try self.verdict()
    switch verdict {
    case .active(let pid), .changing(let pid):
      throw BrokenPromise("process \(pid) is dead and still counts as broadcasting")
    case .inactive, .unclaimed: return
    case .crashed(let pid):
      // It died before it took the broadcast, and the crash is that of one before it, which was told.
      guard pid == handler else { return }
    }
    let frames = BroadcastBufferContext(container: container, framePollTimer: StepTimer())
    let nobody = Nobody()
    frames.subscribe(nobody)
    for _ in 0..<3 { frames.poll() }
    try expect(
      frames.statistics.framesDelivered == 0, "a frame of the dead process \(handler) is still shown")
    if workers[.watcher] != nil { try expectCrashTold(of: handler, death: death) }
  }

  private func verdict() throws -> BroadcastCrashDetector.Verdict {
    let status = BroadcastStatusManagerImpl(
      defaults: KeyValueFile(container: container), timer: StepTimer())
    return try BroadcastCrashDetector(container: container, status: status, timer: StepTimer()).verdict()
  }

  /// The app that runs told the crash at its first look after the death.
  private mutating func expectCrashTold(of handler: Int32, death: UInt64) throws {
    guard let watcher = workers[.watcher] else { return }
    var notice: CrashNotice?
    try wait(for: "the app to tell the crash of process \(handler)") {
      notice =
        watcher.mailbox.messages.reversed().lazy.compactMap {
          if case .crash(let notice) = $0, notice.pid == handler { notice } else { nil }
        }.first
      return notice != nil
    }
    if let notice {
      try expect(
        notice.before <= death, "the app looked after process \(handler) had died and did not see it")
      result.crashesTold += 1
    }
  }

  // MARK: Workers

  /// Starts workers and waits until each works with the others.
  private mutating func replace(_ roles: [Role], crashed: Int32? = nil, death: UInt64 = 0) throws {
    for role in roles {
      workers[role] = try WorkerProcess(order(for: role), name: role.name)
      // The app was killed too, and its successor is there before that of the extension: it is told as well.
      if role == .watcher, let crashed, workers[.handler] == nil, try verdict() == .crashed(pid: crashed) {
        try expectCrashTold(of: crashed, death: death)
      }
    }
    guard let handler = workers[.handler], let watcher = workers[.watcher], let keys = workers[.keys],
      let leaser = workers[.leaser]
    else { return }
    try wait(for: "the app to be shown frames of process \(handler.process.pid)") {
      watcher.mailbox.messages.contains(.frames(from: handler.process.pid))
    }
    try wait(for: "the writer of other keys to write") { keys.mailbox.messages.contains(.ready) }
    try wait(for: "the reader with leases to begin") { leaser.mailbox.messages.contains(.ready) }
    // The other habits' rings are gone before anybody can lease in them.
    if habit == .publishing {
      try wait(for: "a frame of process \(handler.process.pid) to be leased") {
        leaser.mailbox.messages.contains(.leased(from: handler.process.pid))
      }
    }
    result.takeovers += 1
  }

  private mutating func order(for role: Role) -> WorkerOrder {
    switch role {
    case .handler:
      habit = HandlerWorker.Habit.allCases.randomElement(using: &random) ?? .publishing
      return .handler(HandlerWorker(root: stage.folder.path, group: container.group, habit: habit))
    case .watcher:
      return .watcher(
        WatcherWorker(root: stage.folder.path, group: container.group, dead: deadHandlers.suffix(8)))
    case .leaser:
      return .leaser(
        LeaserWorker(root: stage.folder.path, group: container.group, seed: random.next()))
    case .keys:
      return .keys(
        KeyWorker(root: stage.folder.path, group: container.group, seed: random.next()))
    }
  }

  /// Ends all workers in order, and looks at what is left: nothing but what is documented.
  private mutating func rest() throws {
    for (role, worker) in workers {
      worker.process.send(SIGTERM)
      let ending = worker.process.end()
      try expectNoComplaint(of: worker)
      try expect(ending == .exit(0), "\(role.name) \(ending.text)")
    }
    workers = [:]
    let tree = try ContainerTree(of: container)
    let (leaks, missing) = (tree.leaks(isAtRest: true), tree.missing)
    try expect(leaks.isEmpty, "at rest the container holds \(leaks.joined(separator: ", "))")
    try expect(missing.isEmpty, "at rest the container lacks \(missing.joined(separator: ", "))")
    let (holder, verdict) = (try ProducerLock.holder(at: container.producerLockFile), try verdict())
    try expect(holder == .nobody, "at rest the lock is \(holder)")
    try expect(verdict == .inactive, "at rest the broadcast is \(verdict)")
    try examineDefaults()
  }

  private func wait(for what: String, _ condition: () -> Bool) throws {
    let came = try holds(within: .seconds(10)) {
      try checkComplaints()
      return condition()
    }
    try expect(came, "10 s were not enough for \(what)")
  }

  /// Throws when a worker has complained, or has ended although nobody wanted it to.
  private func checkComplaints() throws {
    for worker in workers.values {
      try expectNoComplaint(of: worker)
      guard !worker.process.isRunning else { continue }
      let ending = worker.process.end().text
      try expectNoComplaint(of: worker)
      throw BrokenPromise("\(worker.name) \(ending)")
    }
  }

  private func expectNoComplaint(of worker: WorkerProcess) throws {
    if let complaint = worker.mailbox.complaints.first {
      throw BrokenPromise("\(worker.name) complained: \(complaint)")
    }
  }

  private func expect(_ condition: Bool, _ complaint: @autoclosure () -> String) throws(BrokenPromise) {
    if !condition { throw BrokenPromise(complaint()) }
  }

  // MARK: Reports

  private var progressText: String {
    "round \(result.rounds) of \(rounds), \(result.seconds.text(decimals: 0)) s: \(result.kills) kills, "
      + "\(result.insidePublish) inside a publish, \(result.insideRingMaking) inside the making of a ring, "
      + "\(result.insideKeyWrite) inside a write of keys, \(result.insideLease) inside a lease; "
      + "\(result.crashesTold) crashes told at the next look"
  }

  private func report() throws(ProgramFailure) {
    try stage.result(
      result,
      """
      rounds             \(result.rounds), in \(result.seconds.text(decimals: 1)) s
      kills              \(result.kills): \(result.extensionsKilled) of the extension, \(result.appsKilled) of the app,
                         \(result.leasersKilled) of the reader with leases, \(result.keyWritersKilled) of the writer of other keys
      inside a publish   \(result.insidePublish)
      in a ring's making \(result.insideRingMaking)
      in a key write     \(result.insideKeyWrite)
      inside a lease     \(result.insideLease)
      crashes told       \(result.crashesTold), each at the first look after the death
      takeovers          \(result.takeovers); nothing was lost or left behind
      """)
  }

  /// A subscriber that wants nothing.
  private final class Nobody: BroadcastBufferContextSubscriber {
    func onFrame(_ frame: BroadcastFrame) {}
    func onFailure(_ failure: BroadcastBufferContext.Failure) {}
  }
}
