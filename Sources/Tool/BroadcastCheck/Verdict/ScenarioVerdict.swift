import Causes
import RunReports

/// The result of a scenario.
package struct ScenarioVerdict: Sendable {
  package var scenario: Scenario
  package var result: Result
  /// The time of the last run.
  package var duration: Duration
  /// Whether a failure does not depend on times: a process crashed or ended with an error.
  package var isCertain = false
  /// What went wrong, if the facts prove a cause: the same in each scenario that it fails.
  package var cause: Cause?
  /// How the handler ended the broadcast by the cause.
  var handlerEnd: HandlerEnd?
  /// The scenario that has failed by this cause before.
  package var earlier: String?
  /// What became of what the processes of a failed scenario wrote; `nil` if it was not to be kept.
  package var kept: Kept?
  /// The frames that the handler got in broadcasts that ended in order, and those of which it read pixels.
  package var frames = (delivered: UInt64(0), read: UInt64(0))
  /// How often it asked for the data of audio in them.
  package var audioReads = 0
  /// What may be wrong with a recording, if the scenario passed: a late machine may be why it is not proven.
  var doubt: String?
  /// How often the scenario ran: again after a failure on a machine that ran threads late.
  package var runs = 1

  /// How a handler ended a broadcast: the fingerprint of the cause, the time from the start, and the frames until then.
  struct HandlerEnd: Sendable {
    var cause: String
    var time: Duration
    var frames: Int
  }

  package enum Kept: Sendable {
    /// The path of the folder that has it.
    case folder(String)
    /// Why it could not be written, as a sentence.
    case failed(String)
  }

  package enum Result: Equatable, Sendable {
    /// The measured values that have bounds, each with its path and bounds.
    case passed(figures: [String])
    /// What happened, as a sentence.
    case failed(String)
    /// Why, without a full stop.
    case notJudged(String)
  }

  /// The folder with what the processes of a failed scenario wrote, if it was kept.
  var keptFolder: String? { if case .folder(let path) = kept { path } else { nil } }

  /// One word for machines.
  package var word: String {
    switch result {
    case .passed: "passed"
    case .failed: "failed"
    case .notJudged: "notJudged"
    }
  }

  package var hasFailed: Bool { failure != nil }

  /// What happened in a scenario that failed.
  var failure: String? { if case .failed(let what) = result { what } else { nil } }

  /// Whether the verdict is final; otherwise the scenario is to run again. A failure that may depend on times counts only on a
  /// machine that ran threads on time. After the last run it is not judged.
  ///
  /// - Parameters:
  ///   - shortfall: the delays that the machine caused, if it did.
  ///   - crowding: how many threads wanted to run, if they were too many. Only what is measured in time suffers from it.
  mutating func isFinal(shortfall: String?, crowding: String? = nil) -> Bool {
    let isMeasured = scenario.runsAlone || cause?.dependsOnPace == true || doubt != nil
    guard let failure = failure ?? doubt, !isCertain,
      let shortfall = shortfall ?? (isMeasured ? crowding : nil)
    else { return true }
    guard runs == CheckRun.lastRun else { return false }
    let seen = failure.hasSuffix(".") ? String(failure.dropLast()) : failure
    result = .notJudged("the machine was late (\(shortfall)), which may be why: \(seen)")
    cause = nil
    return true
  }

  /// The verdict in a report.
  package var verdict: Verdict {
    let result: Verdict.Result =
      switch self.result {
      case .passed(let figures): .passed(figures.joined(separator: "\n"))
      case .failed(let what): earlier.map { .notJudged("the same cause as \($0)") } ?? .failed(what)
      case .notJudged(let why): .notJudged(why)
      }
    return Verdict(
      scenario.name, scenario.checks, result, meaning: scenario.onDevice, duration: duration)
  }
}
