import Causes
import RunReports

/// The result of a scenario.
package struct ScenarioVerdict: Sendable {
  package var scenario: Scenario
  package var result: Result
  /// The duration of the last run.
  package var duration: Duration
  /// Whether the failure does not depend on times (for example, a process crashed or ended with an error).
  package var isCertain = false
  /// The cause of the failure, if the facts prove one. A cause can fail several scenarios.
  package var cause: Cause?
  /// How the handler ended the broadcast because of the cause.
  var handlerEnd: HandlerEnd?
  /// The earlier scenario that failed because of the same cause.
  package var earlier: String?
  /// The output of the processes of a failed scenario; `nil` if it was not to be kept.
  package var kept: SavedOutput?
  /// The frames delivered to the handler in broadcasts that ended normally, and the frames of which it read pixels.
  package var frames = (delivered: UInt64(0), read: UInt64(0))
  /// How often the handler requested the data of audio samples in these broadcasts.
  package var audioReads = 0
  /// The possible problem of a recording in a scenario that passed. It is not proven, because host load may be the reason.
  var doubt: String?
  /// Whether the encoder of a recording was so late that the recording shows nothing.
  var hasLateEncoder = false
  /// How often the scenario ran. It runs again after a failure on an overloaded host.
  package var runs = 1

  /// How a handler ended a broadcast: the fingerprint of the cause, the time since the start, and the number of frames until
  /// then.
  struct HandlerEnd: Sendable {
    var cause: String
    var time: Duration
    var frames: Int
  }

  package enum SavedOutput: Sendable {
    /// The path of the folder with the output.
    case folder(String)
    /// The reason why the output could not be written, as a sentence.
    case failed(String)
  }

  package enum Result: Equatable, Sendable {
    /// The measured values that have bounds, each with its path and its bounds.
    case passed(figures: [String])
    /// The failure, as a sentence.
    case failed(String)
    /// The reason, without a full stop.
    case notJudged(String)
  }

  /// The folder with the output of the processes of a failed scenario; `nil` if it was not kept.
  var keptFolder: String? { if case .folder(let path) = kept { path } else { nil } }

  /// The result as one word for programs.
  package var word: String {
    switch result {
    case .passed: "passed"
    case .failed: "failed"
    case .notJudged: "notJudged"
    }
  }

  package var hasFailed: Bool { failure != nil }

  /// The failure, as a sentence; `nil` if the scenario did not fail.
  var failure: String? { if case .failed(let what) = result { what } else { nil } }

  /// Returns whether the verdict is final. If it is not, the scenario must run again. A failure that may depend on times is final
  /// only if the host was not overloaded. After the last run such a scenario is not judged.
  ///
  /// - Parameters:
  ///   - shortfall: the delays that host load caused, if any.
  ///   - crowding: how many threads were runnable, if there were too many. It matters only for measured times.
  mutating func isFinal(shortfall: String?, crowding: String? = nil) -> Bool {
    let isMeasured = scenario.runsAlone || cause?.mayBeHostLoad == true || doubt != nil
    guard let failure = failure ?? doubt, !isCertain,
      let shortfall = shortfall ?? (isMeasured ? crowding : nil)
        ?? (hasLateEncoder ? "an encoder was not ready" : nil)
    else { return true }
    guard runs == CheckRun.lastRun else { return false }
    let seen = failure.hasSuffix(".") ? String(failure.dropLast()) : failure
    result = .notJudged("the host was overloaded (\(shortfall)), which may be the cause: \(seen)")
    cause = nil
    return true
  }

  /// The verdict for a report.
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
