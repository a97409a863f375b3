import CommandLineSupport
import Platform

/// What went wrong in a broadcast, or explains what was seen in it: the one sentence that reports, the page, the terminal and
/// `check` have for it.
///
/// ``CauseFinder`` finds causes among facts; ``Kind`` has what is the same for all causes of a kind.
package struct Cause: Equatable, Sendable {
  /// What a cause means for a verdict.
  package enum Severity: String, Sendable {
    /// The handler or its app does what breaks on a device: a check fails.
    case fault
    /// It may break: reports list it, and no check fails.
    case warning
    /// It explains what was seen.
    case note
  }

  package var kind: Kind
  /// Distinguishes it from others of its kind, without figures: the same text in each run of the same handler.
  package var detail: String
  package var severity: Severity
  package var from: MonotonicTime
  /// The end of what lasted; `nil` for a moment.
  package var to: MonotonicTime?
  /// What happened.
  package var sentence: String
  /// What else was measured, each a sentence.
  package var evidence: [String] = []
  /// Whether an earlier broadcast left it.
  package var isOld = false
  /// The event that a person asked for and that made it, as it was typed.
  package var request: String?

  /// - Parameter severity: that of the kind if it is not given.
  package init(
    _ kind: Kind, _ detail: String = "", _ severity: Severity? = nil, from: MonotonicTime,
    to: MonotonicTime? = nil, evidence: [String] = [], _ sentence: String
  ) {
    (self.kind, self.detail, self.severity) = (kind, detail, severity ?? kind.row.severity)
    (self.from, self.to) = (from, to)
    // Parts may be texts of a handler.
    (self.sentence, self.evidence) = (sentence.onOneLine, evidence.map(\.onOneLine))
  }

  /// A call of the handler is blocked.
  package static func hung(_ call: CallEvent, until time: MonotonicTime) -> Cause {
    Cause(
      .hung, ([call.call] + (call.stack ?? [])).joined(separator: " "),
      from: time.advanced(by: .seconds(-call.openSeconds)), to: time, "The handler's \(call.text)")
  }

  /// The process of the extension is stopped.
  package static func suspended(_ pid: Int32, at time: MonotonicTime) -> Cause {
    Cause(
      .suspended, from: time, "The extension (process \(pid)) is stopped; no frames come until it continues.")
  }

  /// The same for the same cause in other scenarios and runs.
  package var fingerprint: String { detail.isEmpty ? kind.rawValue : "\(kind.rawValue) \(detail)" }

  /// The sentence, with what it owes to a request or an earlier broadcast.
  package var text: String {
    if isOld { return "Left by an earlier broadcast: \(sentence)" }
    return request.map { "As asked (\($0)): \(sentence)" } ?? sentence
  }

  /// Whether it is told when it is found. What only explains is in lists.
  package var isTold: Bool { severity != .note || kind.rank < Kind.misuse.rank }

  /// Whether it fails a check: a fault that nobody asked for.
  package var isFault: Bool { severity == .fault && request == nil && !isOld }

  /// The order in lists: what is old is last, what was asked for is after what was not, then by rank and time.
  package static func isBefore(_ one: Cause, _ other: Cause) -> Bool {
    func place(_ cause: Cause) -> (Int, Int, Int, UInt64) {
      (cause.isOld ? 1 : 0, cause.request == nil ? 0 : 1, cause.kind.rank, cause.from.nanoseconds)
    }
    return place(one) < place(other)
  }
}

/// A cause for machines.
package struct CauseEvent: JSONEvent {
  package static let event = "cause"
  var kind: String
  var detail: String?
  var severity: String
  var fromNs: UInt64
  var toNs: UInt64?
  var text: String
  var evidence: String?
  var remedy: String
  var onDevice: String
  var see: String?

  package init(_ cause: Cause) {
    (kind, severity, text) = (cause.kind.rawValue, cause.severity.rawValue, cause.text)
    detail = cause.detail.isEmpty ? nil : cause.detail
    (fromNs, toNs) = (cause.from.nanoseconds, cause.to?.nanoseconds)
    evidence = cause.evidence.isEmpty ? nil : cause.evidence.joined(separator: " ")
    (remedy, onDevice, see) = (cause.kind.row.remedy, cause.kind.row.onDevice, cause.kind.row.see)
  }
}
