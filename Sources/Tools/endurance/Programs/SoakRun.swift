import BroadcastTesting
import CommandLineSupport
import Foundation
import Programs
import ScreenBroadcast
import ToolSupport

/// The run of `soak`: the real programs start, stop, change sizes, crash and pause, repeatedly.
///
/// One consumer watches many producers, and one producer has many consumers, each in a container of its own. The
/// resources of the two long-running processes must not grow, and every delivered frame must be whole.
@MainActor
final class SoakRun {
  /// How a short-lived program ends.
  private enum End: CaseIterable { case signal, flag, limit, kill }

  private static let watch = [
    "watch", "--verify", "--output-size", "native", "--poll-fps", "60", "--status-interval", "0.02",
  ]

  private static let broadcast = ["--pattern", "proof", "--app-audio", "off"]

  private let context: RunContext
  /// The programs of the containers of many producers and of many consumers.
  private let lives: BroadcastPrograms, apps: BroadcastPrograms
  private var watcher: LongLivedProgram
  private var broadcaster: LongLivedProgram
  private var producers = 0, consumers = 0, kills = 0
  private var framesVerified: UInt64 = 0
  private var lastSize = PixelSize(width: 0, height: 0)

  private static let producer = ChildProcess.program("producer")
  private static let consumer = ChildProcess.program("consumer")

  init(_ context: RunContext) throws {
    self.context = context
    (lives, apps) = (try context.programs("lives"), try context.programs("apps"))
    watcher = LongLivedProgram(
      try lives.start(Self.consumer, Self.watch, named: "the long-lived consumer"), program: "consumer")
    broadcaster = LongLivedProgram(
      try apps.start(
        Self.producer, Self.broadcast + ["--size", "320x240"], named: "the long-lived producer"),
      program: "producer")
  }

  func run() async throws {
    try await watcher.launched.event("status")
    try await broadcaster.launched.event("started")
    // On a slow machine a short run lasts longer: the resources are judged by several samples.
    while context.hasTime || (watcher.samples.count < Flatness.fewest && !context.isInterrupted) {
      context.place = "after \(producers) producers, "
      try await lifetime(End.allCases.randomElement(using: &context.random) ?? .signal)
      context.progress(progressText)
    }
    // The last producer ends in order; otherwise the watch exits with the code of a crash.
    try await lifetime(.signal)
    watcher.launched.send(SIGTERM)
    try await expectSummary(of: watcher.launched)
    broadcaster.launched.send(SIGTERM)
    try await expectFinish(of: broadcaster.launched, "stoppedBySystem")
    try ContainerTree.check(lives.container, isAtRest: true)
    try ContainerTree.check(apps.container, isAtRest: true)
    try context.finish(
      [
        Figure("producerLives", producers, "producers, to one consumer"),
        Figure("consumerLives", consumers, "consumers, of one producer"), Figure("kills", kills, "kills"),
        Figure("stops", context.stops, "pauses"),
        Figure("framesVerified", framesVerified, "frames verified, none torn, none repeated"),
      ], levels: LevelTable([watcher, broadcaster], of: Resource.allCases), failures: [])
  }

  /// Runs one producer in the first container and one consumer in the second, from start to end.
  private func lifetime(_ end: End) async throws {
    let (watcher, broadcaster) = (watcher.launched, broadcaster.launched)
    for program in [watcher, broadcaster] { program.received.takeAll() }
    let size = nextSize()
    // A broadcast that ends by itself has one frame a second until it was reported: at full rate, it may be over before
    // the next poll on a busy machine.
    let rate = end == .limit ? "1" : "60"
    let producer = try lives.start(
      Self.producer, Self.broadcast + ["--size", "\(size)", "--fps", rate] + limit(end), named: "a producer")
    let consumerEnd = [End.signal, .limit, .kill].randomElement(using: &context.random) ?? .limit
    let consumer = try apps.start(Self.consumer, Self.watch + limit(consumerEnd), named: "a consumer")
    try await watcher.event("format") {
      $0.integer("width") == size.width && $0.integer("height") == size.height
    }
    if end == .limit { try await request("control", "rate:60", of: Self.producer) }
    try await consumer.event("format")
    context.random.sleep(upTo: .milliseconds(200))
    if context.random.once(in: 3) {
      context.pause([producer, watcher, consumer, broadcaster].map(\.process), upTo: .milliseconds(300))
    }
    try await self.end(producer, end)
    try await self.end(consumer, orKill: consumerEnd)
    for program in [watcher, broadcaster] {
      guard program.isRunning else { throw program.failure(program.process.end().text) }
      let isTorn = try program.events().contains { $0.integer("framesTorn") ?? 0 > 0 }
      try expect(!isTorn, "\(program.name) reported torn frames")
    }
    try self.watcher.sample(with: lives.container)
    try self.broadcaster.sample(with: apps.container)
  }

  /// Requests something from the short-lived producer by a subcommand.
  private func request(_ words: String..., of program: URL) async throws {
    try await lives.start(program, words, named: "the subcommand \(words[0])").expectEnd()
  }

  private func limit(_ end: End) -> [String] {
    end == .limit ? ["--frames", "\(Int.random(in: 5...30, using: &context.random))"] : []
  }

  /// Ends a producer, and checks that the consumer reports it.
  private func end(_ producer: LaunchedProgram, _ end: End) async throws {
    producers += 1
    let watcher = watcher.launched
    switch end {
    case .kill:
      try await kill(producer)
      try await watcher.event("crashed") { $0.integer("pid") == Int(producer.pid) }
      return
    case .flag:
      try await request("stop", of: Self.consumer)
      try await expectFinish(of: producer, "stoppedByApp")
    case .limit: try await expectFinish(of: producer, "frames")
    case .signal:
      producer.send(SIGTERM)
      try await expectFinish(of: producer, "stoppedBySystem")
    }
    // It was active before; otherwise there was no frame.
    let isReported = try await firstValue {
      try watcher.events("status").last?.boolean("active") == false ? true : nil
    }
    try expect(isReported == true, "\(watcher.name) did not report the end of a broadcast")
    try ContainerTree.check(lives.container, isAtRest: true)
  }

  private func end(_ consumer: LaunchedProgram, orKill end: End) async throws {
    consumers += 1
    if end == .kill { return try await kill(consumer) }
    if end == .signal { consumer.send(SIGTERM) }
    try await expectSummary(of: consumer)
  }

  private func kill(_ program: LaunchedProgram) async throws {
    program.send(SIGKILL)
    try await program.expectEnd(.signal(SIGKILL))
    kills += 1
  }

  private func expectFinish(of producer: LaunchedProgram, _ reason: String) async throws {
    try await producer.expectEnd()
    let end = try await producer.broadcastEnd()
    guard end.reason == reason, end.framesProduced > 0 else {
      throw producer.failure("reported \(end), not \(reason)")
    }
  }

  /// Waits for the end of a watch, and checks the frames in its summary.
  private func expectSummary(of consumer: LaunchedProgram) async throws {
    try await consumer.expectEnd()
    let summary = try await consumer.summary()
    guard summary.isWhole else { throw consumer.failure("reported \(summary)") }
    framesVerified += summary.framesDelivered
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
      + "\(context.stops) pauses; \(watcher.memoryText)"
  }
}
