import Causes
import CommandLineSupport
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
      self.command = cause.isReportedAtOnce ? command : nil
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
  /// - Parameters:
  ///   - reason: why the check is not judged; `nil` if it is judged.
  ///   - lateness: a sentence about the host load, if the load leaves the check not judged.
  package init(
    _ name: String, _ text: String, by causes: [Cause], figures: String, unless reason: String? = nil,
    lateness: String? = nil
  ) {
    let causes = causes.sorted(by: Cause.isBefore)
    let fault = causes.first(where: \.isFault)
    let result: Result =
      if let reason, lateness == nil { .notJudged(reason) } else if let fault {
        .failed("\(figures). \(fault.text)")
      } else if let lateness {
        .notJudged("\(figures). \(lateness)")
      } else if let excuse = causes.first(where: \.leavesUnjudged) {
        .notJudged("\(figures). \(excuse.text)")
      } else {
        .passed(figures)
      }
    self.init(name, text, result, meaning: fault?.kind.row.onDevice ?? "")
    self.lateness = isNotJudged ? lateness : nil
  }

  /// Returns the check that fails if one of `causes`, which no other check covers, is a fault.
  ///
  /// - Parameter failure: the failure with which the run ends. It has a separate check.
  package static func others(_ causes: [Cause], unless failure: ProgramFailure?) -> Verdict {
    let faults = causes.filter(\.isFault)
    return Verdict(
      "faults", "No other fault was found.", by: faults, figures: "other faults: \(faults.count)",
      unless: failure.map { _ in "the run ended with an error" })
  }
}

extension [Cause] {
  /// Returns a sentence about the host load if the load cost more frames than a rate may lack; otherwise `nil`.
  package func lateness(of frames: UInt64) -> String? {
    let late = filter { [.late, .starved].contains($0.kind) && !$0.isOld }.reduce(0) { $0 + $1.frames }
    guard Double(late) > (1 - FrameRateLimit.leastShare) * Double(frames) else { return nil }
    return
      "The host was overloaded, which cost \(late) of \(Swift.max(late, frames)) frames: run it on a host with less load."
  }
}
