import CommandLineSupport
import RunReports
import ScreenBroadcast
import SharedMemory

/// The result of an examination.
package struct Diagnosis: Equatable, Sendable {
  /// The description of the examined object for people.
  let subject: String
  /// The container's folder; `nil` if the configuration of an app was examined.
  package let container: String?
  /// The flag; `nil` if it cannot be read.
  package let flag: Bool?
  /// The process that holds or last held the lock; `nil` if the lock cannot be read.
  package let holder: ProcessLock.Holder?
  /// The findings, from the outside in. After a repair, the repaired findings come first.
  package internal(set) var findings: [Finding]

  package init(container: String, flag: Bool?, holder: ProcessLock.Holder?, findings: [Finding]) {
    self.subject = "Container \(container)"
    self.container = container
    self.flag = flag
    self.holder = holder
    self.findings = findings
  }

  /// Creates the result for the files of an app and its extension.
  init(configurationOf app: String, findings: [Finding]) {
    (subject, self.findings) = ("Configuration of \(app)", findings)
    (container, flag, holder) = (nil, nil, nil)
  }

  package var problems: [Finding] { findings.filter { !$0.isFixed && $0.kind.severity == .problem } }
  package var warnings: [Finding] { findings.filter { !$0.isFixed && $0.kind.severity == .warning } }
  /// The findings that were not judged.
  package var gaps: [Finding] { findings.filter { $0.kind.severity == .notJudged } }
  package var fixed: [Finding] { findings.filter(\.isFixed) }

  /// The combined meaning of flag and lock; `nil` if one of them cannot be read.
  package var verdict: BroadcastCrashDetector.Verdict? {
    guard let flag, let holder else { return nil }
    return BroadcastCrashDetector.Verdict(flag: flag, holder: holder)
  }

  /// The live producer, or the producer that crashed and left the flag on.
  package var pid: Int32? {
    switch (flag, holder) {
    case (_, .alive(let pid)): pid == 0 ? nil : pid
    case (true, .died(let pid)): pid
    default: nil
    }
  }

  package var hasProducer: Bool { if case .alive = holder { true } else { false } }

  /// The problems, or the findings that were not judged if there are no problems.
  private var reasons: [Finding] { problems.isEmpty ? gaps : problems }

  /// The exit code of the worst problem, or of a finding that was not judged if there are no problems.
  package var exitCode: ExitCode {
    let codes = Set(reasons.map(\.exitCode))
    let order: [ExitCode] = [.producerCrashed, .notPermitted, .cannotCreate, .inputOutput]
    return order.first(where: codes.contains) ?? codes.first ?? .ok
  }

  /// The worst problem, or a finding that was not judged, as the failure of the program; `nil` if the subject is healthy.
  package var failure: ProgramFailure? {
    let reasons = reasons
    let code = exitCode
    guard let worst = reasons.first(where: { $0.exitCode == code }) else { return nil }
    let others = reasons.count == 1 ? "" : " (\(reasons.count - 1) more)"
    let advice =
      problems.contains(where: \.kind.isFixable) && fixed.isEmpty
      ? "; 'broadcast doctor --fix' repairs what can be repaired" : ""
    return ProgramFailure(code, "\(worst.path): \(worst.description)\(others)\(advice).")
  }
}

extension Diagnosis {
  /// The diagnosis for people: each finding with its meaning and remedy, and a conclusion.
  package var text: String {
    ([subject] + findings.map(text) + [conclusion]).joined(separator: "\n")
  }

  private func text(_ finding: Finding) -> String {
    let word = finding.isFixed ? "repaired" : finding.kind.severity.word
    var lines = ["\(word): \(finding.description).", "  where:       \(finding.path)"]
    if finding.isFixed { return lines.joined(separator: "\n") }
    lines += Self.wrap("on a device:", finding.kind.onDevice)
    if let remedy = finding.remedy { lines += Self.wrap("remedy:", "\(remedy).") }
    if let failure = finding.fixFailure {
      lines += Self.wrap("not fixed:", "\(failure).")
    } else if finding.kind.isFixable {
      lines += Self.wrap("", "'broadcast doctor --fix' does it.")
    }
    return lines.joined(separator: "\n")
  }

  static func wrap(_ label: String, _ text: String) -> [String] {
    text.wrapped(columns: 100, indent: 15).labelled("  \(label)")
  }

  private var conclusion: String {
    let counts = [
      Self.count(problems.count, "problem"), Self.count(warnings.count, "warning"),
      gaps.isEmpty ? nil : "\(gaps.count) not judged", fixed.isEmpty ? nil : "\(fixed.count) repaired",
    ].compactMap { $0 }
    let state = !problems.isEmpty ? "Not healthy" : gaps.isEmpty ? "Healthy" : "Incomplete"
    return counts.isEmpty ? "\(state)." : "\(state): \(counts.joined(separator: ", "))."
  }

  private static func count(_ number: Int, _ word: String) -> String? {
    number == 0 ? nil : "\(number) \(word)\(number == 1 ? "" : "s")"
  }
}
