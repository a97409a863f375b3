import CommandLineSupport
import Foundation
import ScreenBroadcast

/// The stream: one broadcast with picture and both sounds, as long as a call lasts.
///
/// Every picture must be whole, no sound may be missing, sound and pictures must stay in step, and neither program may
/// take more at the end than at the beginning.
struct StreamRun {
  /// What came of it.
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

  private let stage: Stage
  private let time: Duration
  private let size: PixelSize
  private let container: AppGroupContainer
  private var result: Result

  /// A run that has not begun.
  init(stage: Stage, time: Duration, size: PixelSize) throws(ProgramFailure) {
    self.stage = stage
    self.time = time
    self.size = size
    container = try stage.folder.container("stream")
    result = Result(seed: stage.seed)
  }

  /// Runs until the time is over; throws what did not hold.
  mutating func run() throws(ProgramFailure) {
    let failures: [String]
    do { failures = try stream() } catch let failure as ProgramFailure { throw failure } catch {
      throw stage.failure(.internalError, ["\(error)"])
    }
    if stage.interruption.isThere { throw stage.interrupted }
    guard failures.isEmpty else { throw stage.failure(.internalError, failures) }
  }

  /// What did not hold although both programs came to their end.
  private mutating func stream() throws -> [String] {
    let consumer = try start("consumer", ["watch", "--verify", "--once"], role: "the consumer")
    defer { consumer.process.kill() }
    try consumer.expect("its first status") { $0.event == "status" }
    let producer = try start(
      "producer",
      ["--pattern", "proof", "--size", "\(size)", "--app-audio", "tone", "--mic", "tone"],
      role: "the producer")
    defer { producer.process.kill() }
    try producer.expect("that it started") { $0.event == "started" }
    try consumer.expect("the format of its first frame") { $0.event == "format" }

    // From here on, so that the broadcast is as long as was asked for.
    var clock = ProgressClock()
    var samples: [(consumer: SoakSample, producer: SoakSample)] = []
    var offsets: [Double] = []
    var stats: SoakEvent?
    while clock.elapsed < time, !stage.interruption.isThere {
      usleep(250_000)
      guard consumer.process.isRunning, producer.process.isRunning else { break }
      // What they told meanwhile is kept nowhere: a long run has many events.
      let told = consumer.events.takeAll().filter { $0.event == "stats" }
      offsets += told.compactMap { $0.avOffsetMs?.p50 }
      stats = told.last ?? stats
      samples.append((try sample(consumer), try sample(producer)))
      result.seconds = clock.elapsed.inSeconds
      stage.progress(progressText(stats, samples.last?.consumer), at: &clock)
    }
    producer.process.send(SIGTERM)
    try producer.expectEnd(.exit(0))
    let finished = try producer.expect("that it finished") { $0.event == "finished" }
    // A consumer that found a frame torn or a sound missing leaves with another code, and says why.
    try consumer.expectEnd(.exit(0))
    let summary = try consumer.expect("its summary") { $0.event == "summary" }
    return try judge(finished, summary, offsets, samples)
  }

  private mutating func judge(
    _ finished: SoakEvent, _ summary: SoakEvent, _ offsets: [Double],
    _ samples: [(consumer: SoakSample, producer: SoakSample)]
  ) throws(ProgramFailure) -> [String] {
    let judgement = StreamJudgement(
      secondsAsked: time.inSeconds, secondsProduced: finished.seconds ?? 0,
      framesProduced: finished.framesProduced ?? 0, framesPerSecond: finished.framesPerSecond ?? 0,
      avOffsetsMs: offsets)
    var failures = judgement.failures
    func expect(_ holds: Bool, _ complaint: String) { if !holds { failures.append(complaint) } }
    let sounds = [("app audio", summary.appAudio), ("microphone", summary.microphone)]
    result.framesProduced = finished.framesProduced ?? 0
    result.framesDropped = finished.framesDropped ?? 0
    result.framesPerSecond = finished.framesPerSecond ?? 0
    result.framesVerified = summary.framesVerified ?? 0
    result.appAudioFrames = summary.appAudio?.framesReceived ?? 0
    result.microphoneFrames = summary.microphone?.framesReceived ?? 0
    result.driftMs = sounds.compactMap { $0.1?.driftMs }.max() ?? 0
    result.markOffsetMs = sounds.compactMap { $0.1?.markOffsetMs }.max() ?? 0
    result.avOffsetMs = summary.avOffsetMs?.p50 ?? 0
    (result.avOffsetFirstMs, result.avOffsetLastMs) = (judgement.offsets?.first, judgement.offsets?.last)
    expect(
      summary.framesTorn == 0 && summary.framesRepeated == 0
        && summary.framesVerified == summary.framesDelivered && result.framesVerified > 0,
      "the pictures were not whole: \(summary)")
    expect(finished.audioDropped == 0, "\(finished.audioDropped ?? -1) packets of sound were not delivered")
    for (name, sound) in sounds {
      guard let sound, sound.framesReceived > 0 else {
        failures.append("there was no \(name)")
        continue
      }
      expect(sound.gaps == 0 && sound.framesLost == 0, "the \(name) has \(sound.gaps) gaps")
      expect(sound.driftMs <= StreamJudgement.longestDrift, "the \(name) drifted by \(sound.driftMs) ms")
      expect(
        sound.marks ?? 0 > 0 && sound.markOffsetMs ?? .infinity <= StreamJudgement.longestDrift,
        "the time marks of the \(name) are off by \(sound.markOffsetMs.map { "\($0) ms" } ?? "all")")
    }
    var table = LevelTable()
    let metrics: [SoakMetric] = [.privateMemory, .descriptors, .threads]
    table.judge("consumer", samples.map(\.consumer), of: metrics)
    table.judge("producer", samples.map(\.producer), of: metrics)
    result.levels = table.levels
    let thirds = judgement.offsets.map {
      "; at first \($0.first.text(decimals: 1)), at last \($0.last.text(decimals: 1)) ms"
    }
    try stage.result(
      result,
      """
      pictures    \(result.framesProduced) in \(result.seconds.text(decimals: 0)) s = \
      \(result.framesPerSecond.text(decimals: 2)) fps, \(result.framesDropped) dropped; \
      \(result.framesVerified) seen, all whole
      sound       \(result.appAudioFrames) frames of app audio, \(result.microphoneFrames) of the microphone
      drift       \(result.driftMs.text(decimals: 3)) ms at most; time marks within \
      \(result.markOffsetMs.text(decimals: 3)) ms
      newest sound after newest picture, median  \(result.avOffsetMs.text(decimals: 1)) ms\
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
    try SoakProgram(program, arguments, role: role, container: container, folder: stage.folder)
  }
}
