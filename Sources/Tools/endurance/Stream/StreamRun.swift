import BroadcastTesting
import CommandLineSupport
import Foundation
import Platform
import Programs

/// The run of `stream`: one broadcast with frames, app audio and microphone, for the length of a call.
///
/// Every frame must be whole, no audio may be missing, audio and frames must stay in step, and the resources of both
/// programs must not grow. What needs a machine that is on time is judged only where it was.
@MainActor
final class StreamRun {
  private let context: RunContext
  private let programs: BroadcastPrograms

  init(_ context: RunContext) throws {
    self.context = context
    programs = try context.programs("stream")
  }

  func run() async throws {
    let pace = MachinePace(allowing: StreamJudgement.allowedDelay)
    let app = try programs.start(
      ChildProcess.program("consumer"), ["watch", "--verify", "--once"], as: .app, named: "the consumer")
    try await app.event("status")
    let size = context.options.size?.description ?? ""
    let broadcaster = try programs.start(
      ChildProcess.program("producer"),
      ["--pattern", "proof", "--size", size, "--app-audio", "tone", "--mic", "tone"], as: .extension,
      named: "the producer")
    try await broadcaster.event("started")
    try await app.event("format")
    var consumer = LongLivedProcess("consumer", app.pid)
    var producer = LongLivedProcess("producer", broadcaster.pid)
    // The time starts here, so that the broadcast has the full length.
    context.clock = ProgressClock()
    var offsets: [Double] = []
    while context.hasTime {
      try await Task.sleep(for: .milliseconds(250))
      guard app.isRunning, broadcaster.isRunning else { break }
      let stats = app.received.takeAll().filter { $0.name == "stats" }
      offsets += stats.compactMap { $0.number("avOffsetMs") }
      try consumer.sample()
      try producer.sample()
      guard let stats = stats.last else { continue }
      let (rateIn, rateOut) = (
        stats.number("framesPerSecondIn") ?? 0, stats.number("framesPerSecondOut") ?? 0
      )
      context.progress(
        "\(rateIn.text(decimals: 1)) fps in, \(rateOut.text(decimals: 1)) out; \(consumer.memoryText)")
    }
    broadcaster.send(SIGTERM)
    try await broadcaster.expectEnd()
    let judgement = StreamJudgement(
      time: context.options.time ?? .zero, end: try await broadcaster.broadcastEnd(),
      audioFault: try await verificationFault(of: app), summary: try await app.summary(),
      avOffsetsMs: offsets, shortfall: pace.shortfall)
    if let reason = judgement.notJudged { context.report(reason) }
    let levels = LevelTable([consumer, producer], of: [.privateMemory, .descriptors, .threads])
    try context.finish(judgement.figures, levels: levels, failures: judgement.failures)
  }

  /// Waits for the end of the consumer, and returns what its verification of frames and audio reported; `nil` if it passed.
  private func verificationFault(of app: LaunchedProgram) async throws -> String? {
    guard try await app.end() == .exit(ExitCode.verificationFailed.rawValue) else {
      try await app.expectEnd()
      return nil
    }
    return app.errors.trimmingCharacters(in: .whitespacesAndNewlines)
  }
}
