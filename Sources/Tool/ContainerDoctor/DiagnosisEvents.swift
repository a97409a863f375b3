import CommandLineSupport
import ScreenBroadcast

/// A finding of `doctor`, from the outside in. Repaired findings come first.
struct FindingEvent: JSONEvent {
  static let event = "finding"
  /// The kind of the finding, as in `doctor --list`.
  var kind: String
  /// `problem`, `warning`, `note` or `notJudged`.
  var severity: String
  /// The path of the file or folder.
  var path: String
  /// The description of the finding.
  var description: String
  /// The meaning of the finding on a device.
  var onDevice: String
  /// The way to repair it.
  var remedy: String?
  /// Whether `--fix` repairs it.
  var fixable: Bool
  /// Whether it was repaired.
  var fixed: Bool
  /// The reason why `--fix` could not repair it.
  var fixError: String?

  init(_ finding: Finding) {
    kind = finding.kind.rawValue
    severity = finding.kind.severity.rawValue
    path = finding.path
    description = finding.description
    onDevice = finding.kind.onDevice
    remedy = finding.remedy
    fixable = finding.kind.isFixable
    fixed = finding.isFixed
    fixError = finding.fixFailure
  }
}

/// The result of `doctor`, after the findings.
struct DiagnosisEvent: JSONEvent {
  static let event = "diagnosis"
  /// The path of the app group's folder; `nil` with `--app`.
  var container: String?
  /// The verdict (Docs/CommandLine.md#status): `active`, `changing`, `crashed`, `unclaimed`, `inactive`, or `unknown` if flag or
  /// lock cannot be read. `nil` with `--app`.
  var broadcast: String?
  /// The producer that holds the lock, or that crashed and left the flag on.
  var pid: Int32?
  /// The number of findings of this severity that were not repaired.
  var problems: Int
  var warnings: Int
  /// The number of findings that were not judged.
  var notJudged: Int
  /// The number of findings that were repaired.
  var fixed: Int
  /// The exit code.
  var exitCode: Int32

  init(_ diagnosis: Diagnosis) {
    container = diagnosis.container
    broadcast = diagnosis.container == nil ? nil : diagnosis.broadcastWord
    pid = diagnosis.pid
    problems = diagnosis.problems.count
    warnings = diagnosis.warnings.count
    notJudged = diagnosis.gaps.count
    fixed = diagnosis.fixed.count
    exitCode = diagnosis.exitCode.rawValue
  }
}

extension Diagnosis {
  /// The state of the broadcast as a word for JSON.
  var broadcastWord: String {
    switch verdict {
    case .active: "active"
    case .changing: "changing"
    case .crashed: "crashed"
    case .unclaimed: "unclaimed"
    case .inactive: "inactive"
    case nil: "unknown"
    }
  }

  /// Writes one event for each finding, and the diagnosis.
  package func write(to lines: JSONLines) throws(ProgramFailure) {
    for finding in findings { try lines.write(FindingEvent(finding)) }
    try lines.write(DiagnosisEvent(self))
  }
}
