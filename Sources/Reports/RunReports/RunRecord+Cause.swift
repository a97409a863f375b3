import Causes
import Platform

extension RunRecord {
  /// A cause as a report lists it.
  package struct FoundCause: Codable, Sendable {
    package var text: String
    /// Seconds since the start of the run; `nil` where a time says nothing.
    var from: Double?
    var to: Double?
    /// The same for what has the same cause, in the record of either side.
    var fingerprint: String
    /// `fault`, `warning`, `asked` for, or `note`.
    var severity: String
    /// Whether it does more than to explain what was seen.
    var isTrouble: Bool { severity != "note" }
    /// What else is known of it, each a sentence.
    package var details: [String]
    /// What a terminal runs to see it again.
    var command: String?

    /// A cause in a run that began at `start`, or in many.
    package init(_ cause: Cause, since start: MonotonicTime?, repeat command: String?) {
      func seconds(_ time: MonotonicTime?) -> Double? {
        guard let start, let time else { return nil }
        return max(0, (time - start) / .seconds(1))
      }
      (from, to) = (seconds(cause.from), seconds(cause.to))
      (text, fingerprint) = (cause.text, cause.fingerprint)
      self.command = cause.isTold ? command : nil
      severity = cause.isOld ? "note" : cause.request != nil ? "asked" : cause.severity.rawValue
      let row = cause.kind.row
      details =
        cause.evidence + ["On a phone: \(row.onDevice)", "What to do: \(row.remedy)"]
        + (row.see.map { ["See Docs/\($0)."] } ?? [])
    }

    func later(by offset: Double) -> Self {
      var cause = self
      (cause.from, cause.to) = (from.map { $0 + offset }, to.map { $0 + offset })
      return cause
    }

    /// Whether another side saw the same cause.
    func isSame(as other: Self) -> Bool {
      guard fingerprint == other.fingerprint else { return false }
      // The most seconds between what two sides saw.
      guard let from, let time = other.from else { return true }
      return abs(from - time) < 3
    }
  }
}

extension Verdict {
  /// A check that a fault of these causes fails. What was asked for, or only explains, leaves it not judged.
  ///
  /// - Parameter reason: why it is not judged; `nil` if it is.
  package init(
    _ name: String, _ text: String, by causes: [Cause], figures: String, unless reason: String? = nil
  ) {
    let causes = causes.sorted(by: Cause.isBefore)
    let fault = causes.first(where: \.isFault)
    let result: Result =
      if let reason { .notJudged(reason) } else if let fault {
        .failed("\(figures). \(fault.text)")
      } else if let excuse = causes.first(where: \.isExcuse) {
        .notJudged("\(figures). \(excuse.text)")
      } else {
        .passed(figures)
      }
    self.init(name, text, result, meaning: fault?.kind.row.onDevice ?? "")
  }
}
