import CommandLineSupport

/// The result of one check of a run: a row of a report, and a test case for a CI system.
package struct Verdict: Codable, Equatable, Sendable {
  package enum Result: Codable, Equatable, Sendable {
    /// The measured values (may be empty).
    case passed(String)
    /// The failure, as a sentence.
    case failed(String)
    /// The reason why it was not judged, without a full stop.
    case notJudged(String)

    /// The failure; `nil` if the check has not failed.
    package var failure: String? { if case .failed(let what) = self { what } else { nil } }
  }

  /// A one-word name, unique in a report.
  package var name: String
  /// The checked behaviour, as a sentence.
  package var text: String
  package var result: Result
  /// The effect of a failure on a device (may be empty).
  package var meaning: String
  package var duration: Duration
  /// The command line to repeat the check; `nil` for a check of a run.
  package var command: String?
  /// A sentence about the host load, if the load left the check not judged.
  package var lateness: String?

  package init(
    _ name: String, _ text: String, _ result: Result, meaning: String = "", duration: Duration = .zero
  ) {
    self.name = name
    self.text = text
    self.result = result
    self.meaning = meaning
    self.duration = duration
  }

  /// The check of the error with which a run ends.
  package static func exit(_ failure: ProgramFailure?) -> Verdict {
    Verdict(
      "exit", "The run ends without an error.",
      failure.map { .failed("\($0.exitCode.rawValue): \($0.message)") } ?? .passed("no error"))
  }

  /// Returns the verdict with the duration of its run.
  package func lasting(_ duration: Duration) -> Verdict {
    var verdict = self
    verdict.duration = duration
    return verdict
  }

  package var hasFailed: Bool { result.failure != nil }
  package var isNotJudged: Bool { if case .notJudged = result { true } else { false } }

  /// The verdict in a word or two.
  package var word: String {
    switch result {
    case .passed: "passed"
    case .failed: "failed"
    case .notJudged: "not judged"
    }
  }

  /// The measured values, the failure, or the reason why it was not judged.
  package var figures: String {
    switch result {
    case .passed(let text), .failed(let text), .notJudged(let text): text
    }
  }
}
