import Causes
import Platform

extension RunRecord {
  /// A cause as listed in a report.
  package struct FoundCause: Codable, Sendable {
    package var text: String
    /// Seconds since the start of the run; `nil` if the time is not meaningful.
    var from: Double?
    var to: Double?
    /// A string that is equal for the same cause in the records of both sides.
    var fingerprint: String
    /// `fault`, `warning`, `asked` (requested), or `note`.
    var severity: String
    /// Whether the cause is more than an explanation.
    var isTrouble: Bool { severity != "note" }
    /// Further information, in sentences.
    package var details: [String]
    /// The command line to reproduce it.
    var command: String?

    /// Creates a cause of a run that began at `start`, or of several runs if `start` is `nil`.
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

    /// Whether `other` is the same cause, seen by the other side.
    func isSame(as other: Self) -> Bool {
      guard fingerprint == other.fingerprint else { return false }
      // The maximum time between the observations of both sides, in seconds.
      guard let from, let time = other.from else { return true }
      return abs(from - time) < 3
    }
  }
}

extension Verdict {
  /// A check that a fault among these causes fails. A cause that was requested or only explains leaves the check not judged.
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
