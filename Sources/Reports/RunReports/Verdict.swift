import CommandLineSupport

/// The result of one check of a run: a row of a report, and a test case for a CI system.
package struct Verdict: Codable, Equatable, Sendable {
  package enum Result: Codable, Equatable, Sendable {
    /// The measured values; may be empty.
    case passed(String)
    /// What happened, as a sentence.
    case failed(String)
    /// Why it was not judged, without a full stop.
    case notJudged(String)

    /// What happened; `nil` if nothing has failed.
    package var failure: String? { if case .failed(let what) = self { what } else { nil } }
  }

  /// A name in one word, unique in a report.
  package var name: String
  /// What is checked, as a sentence.
  package var text: String
  package var result: Result
  /// What a failure means on a device; may be empty.
  package var meaning: String
  package var duration: Duration
  /// What a terminal runs to repeat it; `nil` for a check of a run.
  package var command: String?
  /// How late the machine was, as a sentence, if that left the check not judged.
  package var lateness: String?

  package init(
    _ name: String, _ text: String, _ result: Result, meaning: String = "", duration: Duration = .zero
  ) {
    (self.name, self.text, self.result) = (name, text, result)
    (self.meaning, self.duration) = (meaning, duration)
  }

  /// The check of the error with which a run ends.
  package static func exit(_ failure: ProgramFailure?) -> Verdict {
    Verdict(
      "exit", "The run ends without an error.",
      failure.map { .failed("\($0.exitCode.rawValue): \($0.message)") } ?? .passed("no error"))
  }

  /// The verdict with the length of its run.
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

  /// The measured values, what happened, or why it was not judged.
  package var figures: String {
    switch result {
    case .passed(let text), .failed(let text), .notJudged(let text): text
    }
  }
}
