import CommandLineSupport
import ScreenBroadcast

/// One finding, as an event of `broadcast doctor --json`.
struct FindingEvent: JSONEvent {
  static let event = "finding"
  var kind: String
  var severity: String
  var path: String
  var description: String
  var onDevice: String
  var remedy: String?
  var fixable: Bool
  var fixed: Bool
  var fixError: String?

  init(_ finding: Finding, isFixable: Bool) {
    kind = finding.kind.rawValue
    severity = finding.kind.severity.rawValue
    path = finding.path
    description = finding.description
    onDevice = finding.kind.onDevice
    remedy = finding.remedy
    fixable = isFixable
    fixed = finding.isFixed
    fixError = finding.fixFailure
  }
}

/// The last event of `broadcast doctor --json`.
struct DiagnosisEvent: JSONEvent {
  static let event = "diagnosis"
  var container: String?
  var broadcast: String?
  var pid: Int32?
  var problems: Int
  var warnings: Int
  var notJudged: Int
  var fixed: Int
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
    for finding in findings { try lines.write(FindingEvent(finding, isFixable: isFixable(finding))) }
    try lines.write(DiagnosisEvent(self))
  }
}
