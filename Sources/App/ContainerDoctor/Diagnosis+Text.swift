import CommandLineSupport

extension Diagnosis {
  /// The diagnosis for people: each finding with its meaning and remedy, and a conclusion.
  package var text: String {
    ([subject] + findings.map(text) + [conclusion]).joined(separator: "\n")
  }

  private func text(_ finding: Finding) -> String {
    let word = finding.isFixed ? "repaired" : finding.kind.severity.rawValue
    var lines = ["\(word): \(finding.description).", "  where:       \(finding.path)"]
    if finding.isFixed { return lines.joined(separator: "\n") }
    lines += Self.wrap("on a device:", finding.kind.onDevice)
    if let remedy = finding.remedy { lines += Self.wrap("remedy:", "\(remedy).") }
    if let failure = finding.fixFailure {
      lines += Self.wrap("not fixed:", "\(failure).")
    } else if isFixable(finding) {
      lines += Self.wrap("", "'consumer doctor --fix' does it.")
    }
    return lines.joined(separator: "\n")
  }

  private static func wrap(_ label: String, _ text: String) -> [String] {
    text.wrapped(columns: 100, indent: 15).labelled("  \(label)")
  }

  private var conclusion: String {
    let counts = [
      Self.count(problems.count, "problem"), Self.count(warnings.count, "warning"),
      fixed.isEmpty ? nil : "\(fixed.count) repaired",
    ].compactMap { $0 }
    let state = problems.isEmpty ? "Healthy" : "Not healthy"
    return counts.isEmpty ? "\(state)." : "\(state): \(counts.joined(separator: ", "))."
  }

  private static func count(_ number: Int, _ word: String) -> String? {
    number == 0 ? nil : "\(number) \(word)\(number == 1 ? "" : "s")"
  }
}
