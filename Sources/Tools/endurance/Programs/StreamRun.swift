import CommandLineSupport
import Foundation
import ScreenBroadcast
import WorkerSupport

/// The run of `stream`: one broadcast with frames, app audio and microphone, for the length of a call.
///
/// Every frame must be whole, no audio may be missing, audio and frames must stay in step, and the resources of both
/// programs must not grow. What needs a machine that is on time is judged only where it was.
final class StreamRun {
  private let context: RunContext
  private let consumer: RunningProgram
  private let producer: RunningProgram

  init(_ context: RunContext) throws {
    self.context = context
    let container = try context.container("stream")
    consumer = try RunningProgram(
      "consumer", ["watch", "--verify", "--once"], role: "the consumer", in: container, context)
    try consumer.expect("status", "its first status")
    let size = context.options.size?.description ?? ""
    producer = try RunningProgram(
      "producer", ["--pattern", "proof", "--size", size, "--app-audio", "tone", "--mic", "tone"],
      role: "the producer", in: container, context)
  }

  func run() throws {
    let pace = MachinePace()
    try producer.expect("started", "that it started")
    try consumer.expect("format", "the format of its first frame")
    // The time starts here, so that the broadcast has the full length.
    context.clock = ProgressClock()
    var offsets: [Double] = []
    while context.hasTime {
      usleep(250_000)
      guard consumer.process.isRunning, producer.process.isRunning else { break }
      let stats = consumer.events.takeAll().filter { $0.name == "stats" }
      offsets += stats.compactMap { $0.number("avOffsetMs") }
      for program in [consumer, producer] { try program.sample(withFiles: false) }
      guard let stats = stats.last else { continue }
      let (rateIn, rateOut) = (
        stats.number("framesPerSecondIn") ?? 0, stats.number("framesPerSecondOut") ?? 0
      )
      context.progress(
        "\(rateIn.text(decimals: 1)) fps in, \(rateOut.text(decimals: 1)) out; \(consumer.memoryText)")
    }
    producer.process.send(SIGTERM)
    try producer.expectEnd(.exit(0))
    let finished = try producer.expect("finished", "that it finished")
      .decoded(as: BroadcastFigures.self)
    // A consumer that found a torn frame or missing audio exits with 65, and reports the reason.
    let audioFault = try consumer.verificationFault()
    let summary = try consumer.expect("summary", "its summary").decoded(as: WatchSummary.self)
    let judgement = StreamJudgement(
      time: context.options.time ?? .zero, finished: finished, summary: summary, avOffsetsMs: offsets,
      audioFault: audioFault, shortfall: pace.shortfall(allowing: StreamJudgement.allowedDelay))
    if let reason = judgement.notJudged { context.report(reason) }
    let levels = LevelTable([consumer, producer], of: [.privateMemory, .descriptors, .threads])
    try context.finish(judgement.figures, levels: levels, failures: judgement.failures)
  }
}
