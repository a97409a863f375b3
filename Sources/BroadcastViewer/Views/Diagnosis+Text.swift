extension Diagnosis {
  /// What a person reads: each finding with what it means and how to mend it, and a last line.
  public var text: String {
    (["Container \(container)"] + findings.map(text) + [conclusion]).joined(separator: "\n")
  }

  private func text(_ finding: Finding) -> String {
    let word = finding.isFixed ? "mended" : finding.kind.severity.rawValue
    var lines = ["\(word): \(finding.description).", "  where:       \(finding.path)"]
    lines.append("  on a device: \(finding.kind.onDevice)")
    if finding.isFixed { return lines.joined(separator: "\n") }
    if let remedy = finding.remedy { lines.append("  to mend it:  \(remedy).") }
    if let failure = finding.fixFailure {
      lines.append("  not mended:  \(failure).")
    } else if isFixable(finding) {
      lines.append("               'consumer doctor --fix' does it.")
    }
    return lines.joined(separator: "\n")
  }

  private var conclusion: String {
    let counts = [
      Self.count(problems.count, "problem"), Self.count(warnings.count, "warning"),
      fixed.isEmpty ? nil : "\(fixed.count) mended",
    ].compactMap { $0 }
    let state = problems.isEmpty ? "Healthy" : "Not healthy"
    return counts.isEmpty ? "\(state)." : "\(state): \(counts.joined(separator: ", "))."
  }

  private static func count(_ number: Int, _ word: String) -> String? {
    number == 0 ? nil : "\(number) \(word)\(number == 1 ? "" : "s")"
  }
}
