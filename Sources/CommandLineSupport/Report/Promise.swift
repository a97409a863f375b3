/// What a run is expected to keep, and whether it did: a row of a report, and a test case for a CI system.
package struct Promise: Equatable, Sendable {
  package enum Result: Equatable, Sendable {
    /// The measured values; may be empty.
    case kept(String)
    /// What happened, as a sentence.
    case broken(String)
    /// Why it was not judged, without a full stop.
    case notJudged(String)
  }

  /// A name in one word, unique in a report.
  package var name: String
  /// The promise as a sentence.
  package var text: String
  package var result: Result
  /// What a broken promise means on a device; may be empty.
  package var meaning: String
  package var duration: Duration

  package init(
    _ name: String, _ text: String, _ result: Result, meaning: String = "", duration: Duration = .zero
  ) {
    (self.name, self.text, self.result) = (name, text, result)
    (self.meaning, self.duration) = (meaning, duration)
  }

  package var isBroken: Bool { if case .broken = result { true } else { false } }

  /// The verdict in a word or two.
  package var verdict: String {
    switch result {
    case .kept: "passed"
    case .broken: "failed"
    case .notJudged: "not judged"
    }
  }

  /// The measured values, what happened, or why it was not judged.
  package var figures: String {
    switch result {
    case .kept(let text), .broken(let text), .notJudged(let text): text
    }
  }
}
