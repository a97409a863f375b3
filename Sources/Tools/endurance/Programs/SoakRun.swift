import CommandLineSupport
import Foundation
import ScreenBroadcast
import WorkerSupport

/// The run of `soak`: the real programs start, stop, change sizes, crash and pause, repeatedly.
///
/// One consumer watches many producers, and one producer has many consumers, each in a container of its own. The
/// resources of the two long-running processes must not grow, and every delivered frame must be whole.
struct SoakRun {
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

    init(seed: UInt64) { self.seed = seed }
  }

  /// How a short-lived program ends.
  private enum End: CaseIterable { case signal, flag, limit, kill }

  private let context: RunContext
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

  init(_ context: RunContext, time: Duration) throws(ProgramFailure) {
    self.context = context
    self.time = time
    lives = try context.container("lives")
    apps = try context.container("apps")
    random = SeededGenerator(seed: context.seed)
    result = Result(seed: context.seed)
  }

  /// Runs for the given time; throws if a check fails.
  mutating func run() throws(ProgramFailure) {
    defer { running.forEach { $0.process.kill() } }
    let context = context
    try context.perform({ "after \(result.producerLives) producers" }) { try soak() }
    try context.finish(failures: try report())
  }

  private mutating func soak() throws {
    var clock = ProgressClock()
    let watcher = try start(
      "consumer",
      ["watch", "--verify", "--output-size", "native", "--status-interval", "0.02", "--poll-fps", "60"],
      role: "the long-lived consumer", in: lives)
    try watcher.expectEvent("its first status") { $0.event == "status" }
    let broadcaster = try start(
      "producer", ["--pattern", "proof", "--size", "320x240"], role: "the long-lived producer", in: apps)
    try broadcaster.expectEvent("that it started") { $0.event == "started" }

    while clock.elapsed < time, !context.interruption.hasArrived {
      try lifetime(
        End.allCases.randomElement(using: &random) ?? .signal, watcher: watcher, broadcaster: broadcaster)
      result.seconds = clock.elapsed.inSeconds
      context.progress(progressText, at: &clock)
    }
    // The last producer ends in order; otherwise the watch exits with the code of a crash.
    try lifetime(.signal, watcher: watcher, broadcaster: broadcaster)
    watcher.process.send(SIGTERM)
    try expectSummary(of: watcher)
    broadcaster.process.send(SIGTERM)
    try broadcaster.expectEnd(.exit(0))
    try broadcaster.expectEvent("that it finished") {
      $0.event == "finished" && $0.reason == "stoppedBySystem" && $0.framesProduced ?? 0 > 0
    }
    try expectRest(of: lives)
    try expectRest(of: apps)
    result.seconds = clock.elapsed.inSeconds
  }

  /// Runs one producer in the first container and one consumer in the second, from start to end.
  private mutating func lifetime(_ end: End, watcher: SoakProgram, broadcaster: SoakProgram) throws {
    watcher.events.takeAll()
    broadcaster.events.takeAll()
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

    try watcher.expectEvent("the format of a broadcast of \(size)") {
      $0.event == "format" && "\($0.width ?? 0)x\($0.height ?? 0)" == size
    }
    try consumer.expectEvent("the format of its first frame") { $0.event == "format" }
    usleep(useconds_t.random(in: 0...200_000, using: &random))
    if random.once(in: 3) { pause([producer, watcher, consumer, broadcaster]) }

    try finish(producer, end, watcher: watcher)
    try finish(consumer, consumerEnd)
    running.removeAll { $0 === producer || $0 === consumer }
    try checkHealth(of: [watcher, broadcaster])
    watcherSamples.append(try SoakSample(of: watcher.process.pid, containerFiles: try files(in: lives)))
    broadcasterSamples.append(
      try SoakSample(of: broadcaster.process.pid, containerFiles: try files(in: apps)))
  }

  /// Ends a producer, and checks that the consumer reports it.
  private mutating func finish(_ producer: SoakProgram, _ end: End, watcher: SoakProgram) throws {
    switch end {
    case .kill:
      producer.process.send(SIGKILL)
      try producer.expectEnd(.signal(SIGKILL))
      let pid = producer.process.pid
      try watcher.expectEvent("the crash of process \(pid)") { $0.event == "crashed" && $0.pid == pid }
      result.kills += 1
    case .flag:
      let stop = try start("consumer", ["stop"], role: "the subcommand stop", in: lives)
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
    try producer.expectEvent("that it finished: \(reason)") { $0.event == "finished" && $0.reason == reason }
    // It was active before; otherwise there was no frame.
    let isReported = holds(within: .seconds(15)) {
      watcher.events.all.last { $0.event == "status" }?.active == false
    }
    try expect(isReported, "\(watcher.name) did not report the end of a broadcast")
    try expectRest(of: lives)
  }

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

  /// Waits for the end of a watch, and checks the frames in its summary.
  private mutating func expectSummary(of consumer: SoakProgram) throws {
    try consumer.expectEnd(.exit(0))
    let summary = try consumer.expectEvent("its summary") { $0.event == "summary" }
    guard let delivered = summary.framesDelivered, delivered > 0, summary.framesVerified == delivered,
      summary.framesTorn == 0, summary.framesRepeated == 0
    else { throw CheckFailure("the summary of \(consumer.name) is wrong: \(summary)") }
    result.framesVerified += delivered
  }

  /// Stops one of the processes for up to 0.3 s.
  private mutating func pause(_ programs: [SoakProgram]) {
    guard let program = programs.randomElement(using: &random) else { return }
    program.process.send(SIGSTOP)
    usleep(useconds_t.random(in: 10_000...300_000, using: &random))
    program.process.send(SIGCONT)
    result.stops += 1
  }

  private func checkHealth(of programs: [SoakProgram]) throws {
    for program in programs {
      try expect(program.process.isRunning, "\(program.name) \(program.process.end().text)")
      try program.expectReadable()
      if let stats = program.events.all.first(where: { $0.framesTorn ?? 0 > 0 }) {
        throw CheckFailure("\(program.name) reported torn frames: \(stats)")
      }
    }
  }

  private func expectRest(of container: AppGroupContainer) throws {
    let leaks = try ContainerTree(of: container).leaks(isAtRest: true)
    try expect(leaks.isEmpty, "at rest the container contains \(leaks.joined(separator: ", "))")
  }

  private func files(in container: AppGroupContainer) throws -> Int {
    let tree = try ContainerTree(of: container)
    let leaks = tree.leaks(isAtRest: false)
    try expect(leaks.isEmpty, "the container contains \(leaks.joined(separator: ", "))")
    return tree.count
  }

  private mutating func start(
    _ program: String, _ arguments: [String], role: String, in container: AppGroupContainer
  ) throws(ProgramFailure) -> SoakProgram {
    let started = try SoakProgram(
      program, arguments, role: role, container: container, folder: context.folder)
    running.append(started)
    return started
  }

  /// A size other than the last one, so that the consumer reports it. Two frames of the largest size take half a
  /// megabyte, which is below the tolerance of the memory.
  private mutating func nextSize() -> String {
    let sizes = ["160x120", "320x240", "480x320", "64x48", "590x240"].filter { $0 != lastSize }
    lastSize = sizes.randomElement(using: &random) ?? "160x120"
    return lastSize
  }

  private mutating func frames() -> Int { Int.random(in: 5...30, using: &random) }

  private var progressText: String {
    let memory = watcherSamples.last?.values[.privateMemory] ?? 0
    return "\(result.seconds.text(decimals: 0)) s: \(result.producerLives) producers, "
      + "\(result.consumerLives) consumers, \(result.kills) kills, \(result.stops) pauses; "
      + "\(memory.text(decimals: 0)) KB private in the long-lived consumer"
  }

  /// Prints the result; returns the levels that are too high.
  private mutating func report() throws(ProgramFailure) -> [String] {
    var table = LevelTable()
    table.add("consumer", watcherSamples, of: SoakMetric.allCases)
    table.add("producer", broadcasterSamples, of: SoakMetric.allCases)
    result.levels = table.levels
    try context.result(
      result,
      """
      producers        \(result.producerLives), in \(result.seconds.text(decimals: 0)) s, to one consumer
      consumers        \(result.consumerLives), of one producer
      kills            \(result.kills)
      pauses           \(result.stops)
      frames verified  \(result.framesVerified), none torn, none repeated

      \(table.text)
      """)
    return table.failures
  }
}
