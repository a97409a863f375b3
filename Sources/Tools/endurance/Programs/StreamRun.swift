import CommandLineSupport
import Foundation
import ScreenBroadcast
import WorkerSupport

/// The run of `stream`: one broadcast with frames, app audio and microphone, for the length of a call.
///
/// Every frame must be whole, no audio may be missing, audio and frames must stay in step, and the resources of both
/// programs must not grow.
struct StreamRun {
  struct Result: JSONEvent {
    static let event = "stream"
    var seed: UInt64
    var seconds: Double = 0
    var framesProduced = 0
    var framesDropped = 0
    var framesPerSecond: Double = 0
    var framesVerified = 0
    var appAudioFrames = 0
    var microphoneFrames = 0
    var driftMs: Double = 0
    var markOffsetMs: Double = 0
    var avOffsetMs: Double = 0
    /// The medians of the first and the last third of the run, unless it was too short.
    var avOffsetFirstMs: Double?
    var avOffsetLastMs: Double?
    var levels: [Level] = []
  }

  private let context: RunContext
  private let time: Duration
  private let size: PixelSize
  private let container: AppGroupContainer
  private var result: Result

  init(_ context: RunContext, time: Duration, size: PixelSize) throws(ProgramFailure) {
    self.context = context
    self.time = time
    self.size = size
    container = try context.container("stream")
    result = Result(seed: context.seed)
  }

  /// Runs for the given time; throws if a check fails.
  mutating func run() throws(ProgramFailure) {
    let context = context
    try context.finish(failures: try context.perform { try stream() })
  }

  /// Runs both programs to their end; returns the checks that failed.
  private mutating func stream() throws -> [String] {
    let consumer = try start("consumer", ["watch", "--verify", "--once"], role: "the consumer")
    defer { consumer.process.kill() }
    try consumer.expectEvent("its first status") { $0.event == "status" }
    let producer = try start(
      "producer",
      ["--pattern", "proof", "--size", "\(size)", "--app-audio", "tone", "--mic", "tone"],
      role: "the producer")
    defer { producer.process.kill() }
    try producer.expectEvent("that it started") { $0.event == "started" }
    try consumer.expectEvent("the format of its first frame") { $0.event == "format" }

    // The time starts here, so that the broadcast has the full length.
    var clock = ProgressClock()
    var samples: [(consumer: SoakSample, producer: SoakSample)] = []
    var offsets: [Double] = []
    var stats: SoakEvent?
    while clock.elapsed < time, !context.interruption.hasArrived {
      usleep(250_000)
      guard consumer.process.isRunning, producer.process.isRunning else { break }
      // The events are removed, because a long run has many.
      let new = consumer.events.takeAll().filter { $0.event == "stats" }
      offsets += new.compactMap { $0.avOffsetMs?.p50 }
      stats = new.last ?? stats
      samples.append((try sample(consumer), try sample(producer)))
      result.seconds = clock.elapsed.inSeconds
      context.progress(progressText(stats, samples.last?.consumer), at: &clock)
    }
    producer.process.send(SIGTERM)
    try producer.expectEnd(.exit(0))
    let finished = try producer.expectEvent("that it finished") { $0.event == "finished" }
    // A consumer that found a torn frame or missing audio exits with another code, and reports the reason.
    try consumer.expectEnd(.exit(0))
    let summary = try consumer.expectEvent("its summary") { $0.event == "summary" }
    return try report(finished, summary, offsets, samples)
  }

  private mutating func report(
    _ finished: SoakEvent, _ summary: SoakEvent, _ offsets: [Double],
    _ samples: [(consumer: SoakSample, producer: SoakSample)]
  ) throws(ProgramFailure) -> [String] {
    let judgement = StreamJudgement(
      secondsAsked: time.inSeconds, secondsProduced: finished.seconds ?? 0,
      framesProduced: finished.framesProduced ?? 0, framesPerSecond: finished.framesPerSecond ?? 0,
      avOffsetsMs: offsets)
    var failures = judgement.failures
    func check(_ holds: Bool, _ failure: String) { if !holds { failures.append(failure) } }
    let streams = [("app audio", summary.appAudio), ("microphone", summary.microphone)]
    result.framesProduced = finished.framesProduced ?? 0
    result.framesDropped = finished.framesDropped ?? 0
    result.framesPerSecond = finished.framesPerSecond ?? 0
    result.framesVerified = summary.framesVerified ?? 0
    result.appAudioFrames = summary.appAudio?.framesReceived ?? 0
    result.microphoneFrames = summary.microphone?.framesReceived ?? 0
    result.driftMs = streams.compactMap { $0.1?.driftMs }.max() ?? 0
    result.markOffsetMs = streams.compactMap { $0.1?.markOffsetMs }.max() ?? 0
    result.avOffsetMs = summary.avOffsetMs?.p50 ?? 0
    (result.avOffsetFirstMs, result.avOffsetLastMs) = (judgement.offsets?.first, judgement.offsets?.last)
    check(
      summary.framesTorn == 0 && summary.framesRepeated == 0
        && summary.framesVerified == summary.framesDelivered && result.framesVerified > 0,
      "the frames were not whole: \(summary)")
    check(finished.audioDropped == 0, "\(finished.audioDropped ?? -1) packets of audio were not delivered")
    for (name, audio) in streams {
      guard let audio, audio.framesReceived > 0 else {
        failures.append("there was no \(name)")
        continue
      }
      check(audio.gaps == 0 && audio.framesLost == 0, "the \(name) has \(audio.gaps) gaps")
      check(audio.driftMs <= StreamJudgement.longestDrift, "the \(name) drifted by \(audio.driftMs) ms")
      check(
        audio.marks ?? 0 > 0 && audio.markOffsetMs ?? .infinity <= StreamJudgement.longestDrift,
        "the time marks of the \(name) are off by \(audio.markOffsetMs.map { "\($0) ms" } ?? "all")")
    }
    var table = LevelTable()
    let metrics: [SoakMetric] = [.privateMemory, .descriptors, .threads]
    table.add("consumer", samples.map(\.consumer), of: metrics)
    table.add("producer", samples.map(\.producer), of: metrics)
    result.levels = table.levels
    let thirds = judgement.offsets.map {
      "; at first \($0.first.text(decimals: 1)), at last \($0.last.text(decimals: 1)) ms"
    }
    try context.result(
      result,
      """
      frames      \(result.framesProduced) in \(result.seconds.text(decimals: 0)) s = \
      \(result.framesPerSecond.text(decimals: 2)) fps, \(result.framesDropped) dropped; \
      \(result.framesVerified) verified, all whole
      audio       \(result.appAudioFrames) frames of app audio, \(result.microphoneFrames) of the microphone
      drift       \(result.driftMs.text(decimals: 3)) ms at most; time marks within \
      \(result.markOffsetMs.text(decimals: 3)) ms
      newest audio after newest frame, median  \(result.avOffsetMs.text(decimals: 1)) ms\
      \(thirds ?? "")

      \(table.text)
      """)
    return failures + table.failures
  }

  private func sample(_ program: SoakProgram) throws -> SoakSample {
    try SoakSample(of: program.process.pid, containerFiles: 0)
  }

  private func progressText(_ stats: SoakEvent?, _ sample: SoakSample?) -> String {
    let memory = sample?.values[.privateMemory] ?? 0
    return
      "\(result.seconds.text(decimals: 0)) s: \((stats?.framesPerSecondIn ?? 0).text(decimals: 1)) fps in, "
      + "\((stats?.framesPerSecondOut ?? 0).text(decimals: 1)) out; \(memory.text(decimals: 0)) KB private in the consumer"
  }

  private func start(
    _ program: String, _ arguments: [String], role: String
  ) throws(ProgramFailure) -> SoakProgram {
    try SoakProgram(program, arguments, role: role, container: container, folder: context.folder)
  }
}
