import BroadcastTesting
import CommandLineSupport
import Foundation
import LaunchedPrograms
import Platform
import ToolSupport

/// The run of `stream`: one broadcast with frames, app audio and microphone, for the length of a call.
///
/// The consumer judges frames and audio. This run checks that all of them arrived, and that the resources of both programs
/// did not grow. A fault that host load may cause counts only if there was no host load.
@MainActor
final class StreamRun {
  private let context: RunContext
  private let programs: LaunchedBroadcast

  init(_ context: RunContext) throws {
    self.context = context
    programs = try context.programs()
  }

  func run() async throws {
    let pace = PaceMeter(allowing: .milliseconds(20))
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
    // Start the time here, so that the broadcast has the full length.
    context.run.clock = ProgressClock()
    while context.hasTime {
      try await Task.sleep(for: .milliseconds(250))
      guard app.isRunning, broadcaster.isRunning else { break }
      try consumer.sample()
      try producer.sample()
      guard let stats = app.received.takeAll().last(where: { $0.name == "stats" }) else { continue }
      let rates = ["In", "Out"].map { stats.number("framesPerSecond\($0)")?.text(decimals: 1) ?? "0" }
      context.run.progress("\(rates[0]) fps in, \(rates[1]) out; \(consumer.memoryText)")
    }
    broadcaster.send(SIGTERM)
    try await broadcaster.expectEnd()
    let levels = LevelTable([consumer, producer])
    try await judge(app, try await broadcaster.broadcastEnd(), levels, shortfall: pace.shortfall)
  }

  private func judge(
    _ app: LaunchedProgram, _ end: BroadcastEnd, _ levels: LevelTable, shortfall: String?
  ) async throws {
    // The failure that the consumer's verification of frames and audio reported.
    var fault: String?
    if try await app.end() == .exit(ExitCode.verificationFailed.rawValue) {
      fault = app.errors.trimmingCharacters(in: .whitespacesAndNewlines)
    } else {
      try await app.expectEnd()
    }
    let summary = try await app.summary()
    let audio = [("app audio", summary.appAudio), ("microphone", summary.microphone)]
    let time = context.options.time?.inSeconds ?? 0
    var failures = summary.isWhole ? [] : ["the frames were not intact: \(summary)"]
    failures += audio.filter { $0.1?.framesReceived ?? 0 == 0 }.map { "there was no \($0.0)" }
    if end.seconds < time {
      failures.append("the producer broadcast for \(end.seconds.text(decimals: 2)) s of \(time)")
    }
    if let fault, let shortfall {
      context.run.report("Not judged, because the host was overloaded (\(shortfall)): \(fault)")
    } else if let fault {
      failures.append("the consumer reported: \(fault)")
    }
    try context.finish(
      [
        figure(end.framesProduced, "frames produced"),
        figure(summary.framesVerified, "frames received and verified"),
        figure(summary.appAudio?.framesReceived ?? 0, "frames of app audio"),
        figure(summary.microphone?.framesReceived ?? 0, "frames of the microphone"),
        figure((audio.compactMap(\.1?.driftMs).max() ?? 0).text(decimals: 3), "ms of drift at most"),
        figure(fault == nil || shortfall == nil ? 0 : 1, "faults not judged"),
      ], levels: levels, failures: failures)
  }
}
