import CommandLineSupport
import Foundation
import ScreenBroadcast
import WorkerSupport

/// The run of `stream`: one broadcast with frames, app audio and microphone, for the length of a call.
///
/// Every frame must be whole, no audio may be missing, audio and frames must stay in step, and the resources of both
/// programs must not grow.
final class StreamRun {
  struct Result: JSONEvent {
    static let event = "stream"
    var seed: UInt64
    var seconds: Double
    var framesProduced: Int, framesDropped: Int, framesVerified: Int
    var framesPerSecond: Double
    var appAudioFrames: Int, microphoneFrames: Int
    var driftMs: Double, markOffsetMs: Double, avOffsetMs: Double
    /// The medians of the first and the last third of the run, unless it was too short.
    var avOffsetFirstMs: Double?, avOffsetLastMs: Double?
    var levels: [Level]

    init(_ judgement: StreamJudgement, seed: UInt64, seconds: Double, levels: [Level]) {
      let (finished, summary) = (judgement.finished, judgement.summary)
      let audio = judgement.audio.compactMap(\.stream)
      (self.seed, self.seconds, self.levels) = (seed, seconds, levels)
      framesProduced = finished.framesProduced
      framesDropped = finished.framesDropped
      framesPerSecond = finished.framesPerSecond
      framesVerified = summary.framesVerified
      appAudioFrames = summary.appAudio?.framesReceived ?? 0
      microphoneFrames = summary.microphone?.framesReceived ?? 0
      driftMs = audio.map(\.driftMs).max() ?? 0
      markOffsetMs = audio.map(\.markOffsetMs).max() ?? 0
      avOffsetMs = summary.avOffsetMs?.p50 ?? 0
      (avOffsetFirstMs, avOffsetLastMs) = (judgement.offsets?.first, judgement.offsets?.last)
    }
  }

  private let context: RunContext
  private let consumer: RunningProgram
  private let producer: RunningProgram

  init(_ context: RunContext) throws {
    self.context = context
    let container = try context.container("stream")
    consumer = try RunningProgram(
      "consumer", ["watch", "--verify", "--once"], role: "the consumer", in: container, context)
    try consumer.expect(ProgramEvent.Status.self, "its first status")
    let size = context.options.size?.description ?? ""
    producer = try RunningProgram(
      "producer", ["--pattern", "proof", "--size", size, "--app-audio", "tone", "--mic", "tone"],
      role: "the producer", in: container, context)
  }

  func run() throws {
    try producer.expect(ProgramEvent.Started.self, "that it started")
    try consumer.expect(ProgramEvent.Format.self, "the format of its first frame")
    // The time starts here, so that the broadcast has the full length.
    context.clock = ProgressClock()
    var offsets: [Double] = []
    var seconds = 0.0
    while context.hasTime {
      usleep(250_000)
      guard consumer.process.isRunning, producer.process.isRunning else { break }
      let stats = consumer.events.takeAll().of(ProgramEvent.Stats.self)
      offsets += stats.compactMap(\.avOffsetMs)
      for program in [consumer, producer] { try program.sample(withFiles: false) }
      seconds = context.clock.elapsed.inSeconds
      guard let stats = stats.last else { continue }
      context.progress(
        "\(stats.framesPerSecondIn.text(decimals: 1)) fps in, "
          + "\(stats.framesPerSecondOut.text(decimals: 1)) out; \(consumer.memoryText)")
    }
    producer.process.send(SIGTERM)
    try producer.expectEnd(.exit(0))
    let finished = try producer.expect(ProgramEvent.Finished.self, "that it finished")
    // A consumer that found a torn frame or missing audio exits with another code, and reports the reason.
    try consumer.expectEnd(.exit(0))
    let summary = try consumer.expect(ProgramEvent.Summary.self, "its summary")
    try finish(
      StreamJudgement(
        time: context.options.time ?? .zero, finished: finished, summary: summary, avOffsetsMs: offsets),
      seconds)
  }

  private func finish(_ judgement: StreamJudgement, _ seconds: Double) throws {
    let table = LevelTable([consumer, producer], of: [.privateMemory, .descriptors, .threads])
    let result = Result(judgement, seed: context.seed, seconds: seconds, levels: table.levels)
    let thirds = judgement.offsets.map {
      "; at first \($0.first.text(decimals: 1)), at last \($0.last.text(decimals: 1)) ms"
    }
    try context.finish(
      result,
      """
      frames      \(result.framesProduced) in \(seconds.text(decimals: 0)) s = \
      \(result.framesPerSecond.text(decimals: 2)) fps, \(result.framesDropped) dropped; \
      \(result.framesVerified) verified, all whole
      audio       \(result.appAudioFrames) frames of app audio, \(result.microphoneFrames) of the microphone
      drift       \(result.driftMs.text(decimals: 3)) ms at most; time marks within \
      \(result.markOffsetMs.text(decimals: 3)) ms
      newest audio after newest frame, median  \(result.avOffsetMs.text(decimals: 1)) ms\
      \(thirds ?? "")

      \(table.text)
      """, failures: judgement.failures + table.failures)
  }
}
