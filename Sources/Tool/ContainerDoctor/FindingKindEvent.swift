import CommandLineSupport

/// A kind of finding, as an event of `broadcast doctor --list --json`.
struct FindingKindEvent: JSONEvent {
  static let event = "findingKind"
  /// The kind, as in `finding`.
  var kind: String
  /// The severity, as in `finding`.
  var severity: Finding.Severity
  /// The exit code of an examination in which this is the worst problem.
  var exitCode: Int32
  /// Whether `--fix` repairs it.
  var fixable: Bool
  /// The meaning on a device.
  var onDevice: String
  /// The way to repair it, unless that depends on the finding.
  var remedy: String?

  init(_ kind: Finding.Kind) {
    (self.kind, severity, exitCode) = (kind.rawValue, kind.severity, kind.exitCode.rawValue)
    (fixable, onDevice, remedy) = (kind.isFixable, kind.onDevice, kind.row.remedy)
  }

  /// The text about the kind for people.
  var text: String {
    let code = exitCode == 0 ? "" : ", exit code \(exitCode)"
    let head = "\(kind): \(severity.word)\(code)\(fixable ? ", repaired by --fix" : "")"
    let remedy = remedy.map { Diagnosis.wrap("remedy:", "\($0).") } ?? []
    return ([head] + Diagnosis.wrap("on a device:", onDevice) + remedy).joined(separator: "\n")
  }
}

extension Finding.Kind {
  /// Prints all kinds of findings.
  package static func list(to console: Console, _ lines: JSONLines?) throws(ProgramFailure) {
    for event in allCases.map(FindingKindEvent.init) {
      console.say(event.text)
      try lines?.write(event)
    }
  }
}
