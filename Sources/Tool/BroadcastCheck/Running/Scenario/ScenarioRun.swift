import Causes
import CommandLineSupport
import EmulatedSystem
import Foundation
import LaunchedPrograms
import Platform

/// A run of a scenario: passes the steps of the scenario to a broadcast, and derives a verdict from the outcomes.
///
/// It blocks the calling thread until the scenario has ended.
final class ScenarioRun {
  private let broadcast: CheckedBroadcast
  private var steps: ScenarioSteps

  /// - Parameter folder: the folder of the scenario's containers and files.
  init(
    _ scenario: Scenario, of subject: CheckSubject, in folder: String, seed: UInt64,
    hangs: KnownHangs, interruption: Interruption
  ) throws(ProgramFailure) {
    broadcast = try CheckedBroadcast(
      scenario, of: subject, in: folder, hangs: hangs, interruption: interruption)
    steps = ScenarioSteps(scenario, of: subject, seed: seed)
  }

  func run() throws(ProgramFailure) -> ScenarioVerdict {
    let (scenario, start) = (steps.scenario, broadcast.clock.now)
    defer { broadcast.end() }
    var result = try result()
    if case .failed(let what) = result, scenario.runsAlone { result = .failed(what + Self.remarkOnTimes) }
    var verdict = ScenarioVerdict(
      scenario: scenario, result: result, duration: broadcast.clock.now - start, isCertain: steps.isCertain)
    for finished in broadcast.extensions.flatMap({ $0.events(as: BroadcastEnd.self) }) {
      verdict.frames.delivered += finished.framesProduced
      verdict.frames.read += finished.framesRead
      verdict.audioReads += finished.audioReads
    }
    if case .passed = result {
      (verdict.doubt, verdict.hasLateEncoder) = (steps.doubt, steps.hasLateEncoder)
      if scenario.isBuiltIn, scenario.tags.contains("audio"), verdict.audioReads == 0 {
        verdict.result = .notJudged("the handler reads no audio")
      }
    }
    if let what = verdict.failure, let fault = broadcast.fault ?? steps.appCrash {
      verdict.cause = fault
      verdict.handlerEnd = broadcast.handlerEnd(by: fault)
      // The sentence of the scenario says what the slowness causes, and the sentence about the app says where it ended.
      verdict.result = .failed(
        fault.kind == .slow ? "\(what) \(fault.sentence)" : fault.kind == .appCrashed ? what : fault.sentence)
      verdict.isCertain = !fault.mayBeHostLoad
    }
    return verdict
  }

  private func result() throws(ProgramFailure) -> ScenarioVerdict.Result {
    do throws(ScenarioStop) {
      var outcome = ScenarioSteps.Outcome.done
      while let step = steps.next(after: outcome) { outcome = try perform(step) }
    } catch {
      switch error {
      case .notJudged(let why): return .notJudged(why)
      case .failure(let failure): throw failure
      case .hung: break
      }
    }
    return steps.result ?? .passed(figures: steps.figures)
  }

  private func perform(_ step: ScenarioSteps.Step) throws(ScenarioStop) -> ScenarioSteps.Outcome {
    do throws(ScenarioStop) { return try broadcast.perform(step) } catch {
      guard case .hung(let hang) = error else { throw error }
      return broadcast.hung(hang)
    }
  }

  /// The remark that is added to a failure that depends on times.
  #if DEBUG
    private static let remarkOnTimes =
      " This is a debug build, in which pixel code is several times slower; repeat the check with 'swift build -c release'."
  #else
    private static let remarkOnTimes = ""
  #endif

  /// Writes the output of each process to a folder named after the scenario.
  func keep(in folder: String) -> ScenarioVerdict.SavedOutput {
    let path = "\(folder)/\(steps.scenario.name)"
    let files = FileManager.default
    do {
      // Remove the output that an earlier check kept.
      if files.fileExists(atPath: path) { try files.removeItem(atPath: path) }
      try files.createDirectory(atPath: path, withIntermediateDirectories: true)
      for (_, process) in broadcast.launched { try process.write(to: path) }
    } catch {
      return .failed("\(path) cannot be written: \(error.reasonText).")
    }
    return .folder(path)
  }
}
