import CommandLineSupport
import Foundation
import ScreenBroadcast
import WorkerSupport

/// The run of `soak`: the real programs start, stop, change sizes, crash and pause, repeatedly.
///
/// One consumer watches many producers, and one producer has many consumers, each in a container of its own. The
/// resources of the two long-running processes must not grow, and every delivered frame must be whole.
final class SoakRun {
  /// How a short-lived program ends.
  private enum End: CaseIterable { case signal, flag, limit, kill }

  private static let watch = [
    "watch", "--verify", "--output-size", "native", "--poll-fps", "60", "--status-interval", "0.02",
  ]

  private let context: RunContext
  /// The containers of many producers and of many consumers.
  private let lives: AppGroupContainer, apps: AppGroupContainer
  private let watcher: RunningProgram
  private let broadcaster: RunningProgram
  private var producers = 0, consumers = 0, kills = 0, stops = 0, framesVerified = 0
  private var lastSize = PixelSize(width: 0, height: 0)

  init(_ context: RunContext) throws {
    self.context = context
    lives = try context.container("lives")
    apps = try context.container("apps")
    watcher = try RunningProgram("consumer", Self.watch, role: "the long-lived consumer", in: lives, context)
    broadcaster = try RunningProgram(
      "producer", ["--pattern", "proof", "--size", "320x240"], role: "the long-lived producer", in: apps,
      context)
  }

  func run() throws {
    try watcher.expect("status", "its first status")
    try broadcaster.expect("started", "that it started")
    // On a slow machine a short run lasts longer: the resources are judged by several samples.
    while context.hasTime || (watcher.samples.count < Flatness.fewest && !context.isInterrupted) {
      context.place = "after \(producers) producers, "
      try lifetime(End.allCases.randomElement(using: &context.random) ?? .signal)
      context.progress(progressText)
    }
    // The last producer ends in order; otherwise the watch exits with the code of a crash.
    try lifetime(.signal)
    watcher.process.send(SIGTERM)
    try expectSummary(of: watcher)
    broadcaster.process.send(SIGTERM)
    try expectFinish(of: broadcaster, "stoppedBySystem")
    try ContainerTree.check(lives, isAtRest: true)
    try ContainerTree.check(apps, isAtRest: true)
    try context.finish(
      [
        Figure("producerLives", producers, "producers, to one consumer"),
        Figure("consumerLives", consumers, "consumers, of one producer"), Figure("kills", kills, "kills"),
        Figure("stops", stops, "pauses"),
        Figure("framesVerified", framesVerified, "frames verified, none torn, none repeated"),
      ], levels: LevelTable([watcher, broadcaster], of: Resource.allCases), failures: [])
  }

  /// Runs one producer in the first container and one consumer in the second, from start to end.
  private func lifetime(_ end: End) throws {
    watcher.events.takeAll()
    broadcaster.events.takeAll()
    let size = nextSize()
    // A broadcast that ends by itself has one frame a second until it was reported: at full rate, it may be over before
    // the next poll on a busy machine.
    let rate = end == .limit ? "1" : "60"
    let producer = try RunningProgram(
      "producer", ["--pattern", "proof", "--size", "\(size)", "--fps", rate] + limit(end), role: "a producer",
      in: lives, context)
    let consumerEnd = [End.signal, .limit, .kill].randomElement(using: &context.random) ?? .limit
    let consumer = try RunningProgram(
      "consumer", Self.watch + limit(consumerEnd), role: "a consumer", in: apps, context)
    try watcher.expect("format", "the format of a broadcast of \(size)") {
      $0.integer("width") == size.width && $0.integer("height") == size.height
    }
    if end == .limit { try control("rate:60") }
    try consumer.expect("format", "the format of its first frame")
    context.random.sleep(upTo: .milliseconds(200))
    if context.random.once(in: 3) { pause([producer, watcher, consumer, broadcaster]) }
    try self.end(producer, end)
    try self.end(consumer, orKill: consumerEnd)
    for program in [watcher, broadcaster] {
      try expect(program.process.isRunning, "\(program.name) \(program.process.end().text)")
      try program.expectReadable()
      let isTorn = program.events.all.contains { $0.integer("framesTorn") ?? 0 > 0 }
      try expect(!isTorn, "\(program.name) reported torn frames")
      try program.sample(withFiles: true)
    }
  }

  /// Makes an event happen to the short-lived producer.
  private func control(_ event: String) throws {
    try RunningProgram(
      "producer", ["control", event], role: "the subcommand control", in: lives, context
    ).expectEnd(.exit(0))
  }

  private func limit(_ end: End) -> [String] {
    end == .limit ? ["--frames", "\(Int.random(in: 5...30, using: &context.random))"] : []
  }

  /// Ends a producer, and checks that the consumer reports it.
  private func end(_ producer: RunningProgram, _ end: End) throws {
    producers += 1
    switch end {
    case .kill:
      let pid = producer.process.pid
      try kill(producer)
      try watcher.expect("crashed", "the crash of process \(pid)") { $0.integer("pid") == Int(pid) }
      return
    case .flag:
      try RunningProgram("consumer", ["stop"], role: "the subcommand stop", in: lives, context).expectEnd(
        .exit(0))
      try expectFinish(of: producer, "stoppedByApp")
    case .limit: try expectFinish(of: producer, "frames")
    case .signal:
      producer.process.send(SIGTERM)
      try expectFinish(of: producer, "stoppedBySystem")
    }
    // It was active before; otherwise there was no frame.
    let isReported = holds(within: .seconds(15)) {
      watcher.events.all.last { $0.name == "status" }?.boolean("active") == false
    }
    try expect(isReported, "\(watcher.name) did not report the end of a broadcast")
    try ContainerTree.check(lives, isAtRest: true)
  }

  private func end(_ consumer: RunningProgram, orKill end: End) throws {
    consumers += 1
    if end == .kill { return try kill(consumer) }
    if end == .signal { consumer.process.send(SIGTERM) }
    try expectSummary(of: consumer)
  }

  private func kill(_ program: RunningProgram) throws {
    program.process.send(SIGKILL)
    try program.expectEnd(.signal(SIGKILL))
    kills += 1
  }

  private func expectFinish(of producer: RunningProgram, _ reason: String) throws {
    try producer.expectEnd(.exit(0))
    let finished = try producer.expect("finished", "that it finished: \(reason)")
    try expect(
      finished.text("reason") == reason && finished.integer("framesProduced") ?? 0 > 0,
      "\(producer.name) reported \(finished.value.text)")
  }

  /// Waits for the end of a watch, and checks the frames in its summary.
  private func expectSummary(of consumer: RunningProgram) throws {
    try consumer.expectEnd(.exit(0))
    let summary = try consumer.expect("summary", "its summary").decoded(as: WatchSummary.self)
    try expect(summary.isWhole, "the summary of \(consumer.name) is wrong: \(summary)")
    framesVerified += summary.framesDelivered
  }

  /// Stops one of the processes for up to 0.3 s.
  private func pause(_ programs: [RunningProgram]) {
    guard let process = programs.randomElement(using: &context.random)?.process else { return }
    process.send(SIGSTOP)
    context.random.sleep(upTo: .milliseconds(300))
    process.send(SIGCONT)
    stops += 1
  }

  /// A size other than the last one, so that the consumer reports it. Two frames of the largest size take half a
  /// megabyte, which is below the tolerance of the memory.
  private func nextSize() -> PixelSize {
    let sizes = [(160, 120), (320, 240), (480, 320), (64, 48), (590, 240)].map {
      PixelSize(width: $0, height: $1)
    }.filter { $0 != lastSize }
    lastSize = sizes.randomElement(using: &context.random) ?? sizes[0]
    return lastSize
  }

  private var progressText: String {
    "\(producers) producers, \(consumers) consumers, \(kills) kills, "
      + "\(stops) pauses; \(watcher.memoryText)"
  }
}
