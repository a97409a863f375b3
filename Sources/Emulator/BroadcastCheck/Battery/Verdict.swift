/// The result of a scenario.
package struct Verdict: Sendable {
  package var scenario: Scenario
  package var result: Result
  package var duration: Duration

  package enum Result: Equatable, Sendable {
    /// The measured values that have bounds, each with its path and bounds.
    case passed(figures: [String])
    /// What happened, as a sentence.
    case failed(String)
    /// Why, without a full stop.
    case doesNotApply(String)
  }

  /// One word for machines.
  package var word: String {
    switch result {
    case .passed: "passed"
    case .failed: "failed"
    case .doesNotApply: "doesNotApply"
    }
  }

  package var hasFailed: Bool { if case .failed = result { true } else { false } }
}
