import CommandLineSupport
import Foundation
import ScreenBroadcast

/// The soak: the real programs start, stop, change sizes, die and stand still, again and again.
///
/// One consumer lives through many producers, and one producer through many consumers, each pair in a container of
/// its own. What the two long lives take must not grow, and every frame that is shown must be whole.
struct SoakRun {
  /// What came of it.
  struct Result: JSONEvent {
    static let event = "soak"
    var seed: UInt64
    var seconds: Double = 0
    var producerLives = 0
    var consumerLives = 0
    var kills = 0
    var stops = 0
    var framesVerified = 0
    var levels: [Level] = []

    /// A run that has not begun.
    init(seed: UInt64) { self.seed = seed }
  }

  /// How a life ends.
  private enum End: CaseIterable { case signal, flag, limit, kill }

  private let stage: Stage
  private let time: Duration
  /// The container of many producers.
  private let lives: AppGroupContainer
  /// The container of many consumers.
  private let apps: AppGroupContainer
  private var random: SeededGenerator
  private var result: Result
  private var running: [SoakProgram] = []
  private var watcherSamples: [SoakSample] = []
  private var broadcasterSamples: [SoakSample] = []
  private var lastSize = ""

  /// A run that has not begun.
  init(stage: Stage, time: Duration) throws(ProgramFailure) {
    self.stage = stage
    self.time = time
    lives = try stage.folder.container("lives")
    apps = try stage.folder.container("apps")
    random = SeededGenerator(seed: stage.seed)
    result = Result(seed: stage.seed)
  }

  /// Runs until the time is over; throws what did not hold.
  mutating func run() throws(ProgramFailure) {
    defer { running.forEach { $0.process.kill() } }
    do {
      try soak()
    } catch let failure as BrokenPromise {
      throw stage.failure(.internalError, ["after \(result.producerLives) producers, \(failure)"])
    } catch let failure as ProgramFailure {
      throw failure
    } catch {
      throw stage.failure(.internalError, ["after \(result.producerLives) producers, \(error)"])
    }
    let failures = try report()
    if stage.interruption.isThere { throw stage.interrupted }
    guard failures.isEmpty else { throw stage.failure(.internalError, failures) }
  }

  private mutating func soak() throws {
    var clock = ProgressClock()
    let watcher = try start(
      "consumer",
      ["watch", "--verify", "--output-size", "native", "--status-interval", "0.02", "--poll-fps", "60"],
      role: "the long-lived consumer", in: lives)
    try watcher.expect("its first status") { $0.event == "status" }
    let broadcaster = try start(
      "producer", ["--pattern", "proof", "--size", "320x240"], role: "the long-lived producer", in: apps)
    try broadcaster.expect("that it started") { $0.event == "started" }

    while clock.elapsed < time, !stage.interruption.isThere {
      try life(
        End.allCases.randomElement(using: &random) ?? .signal, watcher: watcher, broadcaster: broadcaster)
      result.seconds = clock.elapsed.inSeconds
      stage.progress(progressText, at: &clock)
    }
    // The last life ends in order: otherwise the watch would have to tell a crash with its exit code.
    try life(.signal, watcher: watcher, broadcaster: broadcaster)
    watcher.process.send(SIGTERM)
    try expectSummary(of: watcher)
    broadcaster.process.send(SIGTERM)
    try broadcaster.expectEnd(.exit(0))
    try broadcaster.expect("that it finished") {
      $0.event == "finished" && $0.reason == "stoppedBySystem" && $0.framesProduced ?? 0 > 0
    }
    try expectRest(of: lives)
    try expectRest(of: apps)
    result.seconds = clock.elapsed.inSeconds
  }

  // MARK: A life

  /// One producer in the one container, from start to end, and one consumer in the other.
  private mutating func life(_ end: End, watcher: SoakProgram, broadcaster: SoakProgram) throws {
    watcher.events.forget()
    broadcaster.events.forget()
    let size = nextSize()
    let producer = try start(
      "producer",
      ["--pattern", "proof", "--size", size] + (end == .limit ? ["--frames", "\(frames())"] : []),
      role: "a producer", in: lives)
    let consumerEnd = [End.signal, .limit, .kill].randomElement(using: &random) ?? .limit
    let consumer = try start(
      "consumer",
      ["watch", "--verify", "--output-size", "native", "--poll-fps", "60", "--status-interval", "0.02"]
        + (consumerEnd == .limit ? ["--frames", "\(frames())"] : []),
      role: "a consumer", in: apps)

    try watcher.expect("the format of a broadcast of \(size)") {
      $0.event == "format" && "\($0.width ?? 0)x\($0.height ?? 0)" == size
    }
    try consumer.expect("the format of its first frame") { $0.event == "format" }
    usleep(useconds_t.random(in: 0...200_000, using: &random))
    if random.once(in: 3) { standStill(producer, watcher, consumer, broadcaster) }

    try finish(producer, end, watcher: watcher)
    try finish(consumer, consumerEnd)
    running.removeAll { $0 === producer || $0 === consumer }
    try expectHealth(watcher, broadcaster)
    watcherSamples.append(try SoakSample(of: watcher.process.pid, containerFiles: try files(in: lives)))
    broadcasterSamples.append(
      try SoakSample(of: broadcaster.process.pid, containerFiles: try files(in: apps)))
  }

  /// Ends a producer in one of the ways it can end, and sees that the consumer tells it.
  private mutating func finish(_ producer: SoakProgram, _ end: End, watcher: SoakProgram) throws {
    switch end {
    case .kill:
      producer.process.send(SIGKILL)
      try producer.expectEnd(.signal(SIGKILL))
      let pid = producer.process.pid
      try watcher.expect("the crash of process \(pid)") { $0.event == "crashed" && $0.pid == pid }
      result.kills += 1
    case .flag:
      let stop = try start("consumer", ["stop"], role: "the verb stop", in: lives)
      try stop.expectEnd(.exit(0))
      running.removeAll { $0 === stop }
      try expectFinished(producer, "stoppedByApp", watcher: watcher)
    case .limit:
      try expectFinished(producer, "frames", watcher: watcher)
    case .signal:
      producer.process.send(SIGTERM)
      try expectFinished(producer, "stoppedBySystem", watcher: watcher)
    }
    result.producerLives += 1
  }

  private func expectFinished(_ producer: SoakProgram, _ reason: String, watcher: SoakProgram) throws {
    try producer.expectEnd(.exit(0))
    try producer.expect("that it finished: \(reason)") { $0.event == "finished" && $0.reason == reason }
    // It was active before, or there would have been no frame.
    try holdsOrThrow("\(watcher.name) did not tell the end of a broadcast") {
      watcher.events.all.last { $0.event == "status" }?.active == false
    }
    try expectRest(of: lives)
  }

  /// Ends a consumer in one of the ways it can end.
  private mutating func finish(_ consumer: SoakProgram, _ end: End) throws {
    if end == .kill {
      consumer.process.send(SIGKILL)
      try consumer.expectEnd(.signal(SIGKILL))
      result.kills += 1
    } else {
      if end == .signal { consumer.process.send(SIGTERM) }
      try expectSummary(of: consumer)
    }
    result.consumerLives += 1
  }

  /// Waits for the end of a watch, and looks at what it says of its frames.
  private mutating func expectSummary(of consumer: SoakProgram) throws {
    try consumer.expectEnd(.exit(0))
    let summary = try consumer.expect("its summary") { $0.event == "summary" }
    guard let delivered = summary.framesDelivered, delivered > 0, summary.framesVerified == delivered,
      summary.framesTorn == 0, summary.framesRepeated == 0
    else { throw BrokenPromise("\(consumer.name) summed up \(summary)") }
    result.framesVerified += delivered
  }

  /// Stops one of the processes for a while.
  private mutating func standStill(_ programs: SoakProgram...) {
    guard let program = programs.randomElement(using: &random) else { return }
    program.process.send(SIGSTOP)
    usleep(useconds_t.random(in: 10_000...300_000, using: &random))
    program.process.send(SIGCONT)
    result.stops += 1
  }

  // MARK: What must hold

  private func expectHealth(_ programs: SoakProgram...) throws {
    for program in programs {
      guard program.process.isRunning else {
        throw BrokenPromise("\(program.name) \(program.process.end().text)")
      }
      try program.expectReadable()
      if let stats = program.events.all.first(where: { $0.framesTorn ?? 0 > 0 }) {
        throw BrokenPromise("\(program.name) told of torn frames: \(stats)")
      }
    }
  }

  private func expectRest(of container: AppGroupContainer) throws {
    let leaks = try ContainerTree(of: container).leaks(isAtRest: true)
    guard leaks.isEmpty else {
      throw BrokenPromise("at rest the container holds \(leaks.joined(separator: ", "))")
    }
  }

  private func files(in container: AppGroupContainer) throws -> Int {
    let tree = try ContainerTree(of: container)
    let leaks = tree.leaks(isAtRest: false)
    guard leaks.isEmpty else { throw BrokenPromise("the container holds \(leaks.joined(separator: ", "))") }
    return tree.count
  }

  private func holdsOrThrow(_ complaint: String, _ condition: () -> Bool) throws(BrokenPromise) {
    guard holds(within: .seconds(15), condition) else { throw BrokenPromise(complaint) }
  }

  // MARK: Choices

  private mutating func start(
    _ program: String, _ arguments: [String], role: String, in container: AppGroupContainer
  ) throws(ProgramFailure) -> SoakProgram {
    let started = try SoakProgram(
      program, arguments, role: role, container: container, folder: stage.folder)
    running.append(started)
    return started
  }

  /// Another size than the last one, so that the consumer tells it. Two pictures of the largest take half a megabyte: what
  /// a life takes by its size must stay below what may grow.
  private mutating func nextSize() -> String {
    let sizes = ["160x120", "320x240", "480x320", "64x48", "590x240"].filter { $0 != lastSize }
    lastSize = sizes.randomElement(using: &random) ?? "160x120"
    return lastSize
  }

  private mutating func frames() -> Int { Int.random(in: 5...30, using: &random) }

  // MARK: Reports

  private var progressText: String {
    let memory = watcherSamples.last?.values[.privateMemory] ?? 0
    return "\(result.seconds.text(decimals: 0)) s: \(result.producerLives) producers, "
      + "\(result.consumerLives) consumers, \(result.kills) kills, \(result.stops) stops; "
      + "\(memory.text(decimals: 0)) KB private in the long-lived consumer"
  }

  /// Tells the levels; what of them is too high.
  private mutating func report() throws(ProgramFailure) -> [String] {
    var table = LevelTable()
    table.judge("consumer", watcherSamples, of: SoakMetric.allCases)
    table.judge("producer", broadcasterSamples, of: SoakMetric.allCases)
    result.levels = table.levels
    try stage.result(
      result,
      """
      producers        \(result.producerLives), in \(result.seconds.text(decimals: 0)) s, to one consumer
      consumers        \(result.consumerLives), of one producer
      kills            \(result.kills)
      stops            \(result.stops)
      frames verified  \(result.framesVerified), none torn, none repeated

      \(table.text)
      """)
    return table.failures
  }
}
