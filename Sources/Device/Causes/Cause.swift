import CommandLineSupport
import Platform

/// A problem in a broadcast, or an explanation of an observation. It has the one sentence that reports, the page, the terminal
/// and `check` print about it.
///
/// ``CauseFinder`` derives causes from facts. ``Kind`` has the properties that all causes of a kind share.
package struct Cause: Equatable, Sendable {
  /// The effect of a cause on a verdict.
  package enum Severity: String, Sendable {
    /// The handler or its app does something that fails on a device. A check fails.
    case fault
    /// It may fail on a device, or the picture froze. Reports count it, and no check fails.
    case warning
    /// It explains an observation.
    case note
  }

  package var kind: Kind
  /// Distinguishes the cause from others of its kind. It has no measured values, so it is equal in each run of the same handler.
  package var detail: String
  package var severity: Severity
  package var from: MonotonicTime
  /// The end of an ongoing cause; `nil` for a moment.
  package var to: MonotonicTime?
  package var sentence: String
  /// Further measurements, in sentences.
  package var evidence: [String] = []
  /// The frames that it cost, if they are counted.
  package var frames: UInt64 = 0
  /// Whether it lasts.
  package var isOpen = false
  /// Whether an earlier broadcast left it behind.
  package var isOld = false
  /// The requested event that produced the cause, as typed.
  package var request: String?

  /// - Parameter severity: the severity (default: the kind's).
  package init(
    _ kind: Kind, _ detail: String = "", _ severity: Severity? = nil, from: MonotonicTime,
    to: MonotonicTime? = nil, evidence: [String] = [], _ sentence: String
  ) {
    self.kind = kind
    self.detail = detail
    self.severity = severity ?? kind.row.severity
    self.from = from
    self.to = to
    // Parts may be strings from a handler.
    self.sentence = sentence.onOneLine
    self.evidence = evidence.map(\.onOneLine)
  }

  /// Creates the cause for a blocked call of the handler.
  package static func hung(_ call: CallEvent, until time: MonotonicTime) -> Cause {
    Cause(
      .hung, ([call.call] + (call.stack ?? [])).joined(separator: " "),
      from: time.advanced(by: .seconds(-call.openSeconds)), to: time, "The handler's \(call.text)")
  }

  /// Creates the cause for a process of the extension that is suspended, or was until `to`.
  package static func suspended(_ pid: Int32, from: MonotonicTime, to: MonotonicTime? = nil) -> Cause {
    let name = "The extension (process \(pid))"
    let length = to.map { (($0 - from) / .seconds(1)).text(decimals: 1) }
    var cause = Cause(
      .suspended, from: from, to: to,
      length.map { "\(name) was suspended for \($0) s; no frames came." }
        ?? "\(name) is suspended; no frames come until it continues.")
    cause.isOpen = to == nil
    return cause
  }

  /// A string that is equal for the same cause in other scenarios and runs.
  package var fingerprint: String { detail.isEmpty ? kind.rawValue : "\(kind.rawValue) \(detail)" }

  /// A string that stays the same when a cause of a run is updated. A crash has the same ID in every watch that finds it, because
  /// its sentence names the process.
  package var id: String { "\(fingerprint) \(kind == .crashed ? sentence : "\(from.nanoseconds)")" }

  /// The sentence of an ongoing cause, or of the newest one. `{s}` stands for the seconds since its beginning.
  package var now: String { filled(severity == kind.row.severity ? kind.row.now : nil) }

  /// The sentence of an earlier cause, in words that follow another word.
  package var was: String {
    let length = ((to ?? from) - from) / .seconds(1)
    return filled(severity == kind.row.severity ? kind.row.was ?? kind.row.now : nil).firstLower
      .replacing("{s}", with: length.text(decimals: 1))
  }

  private func filled(_ template: String?) -> String {
    guard let template, !isOld else { return text }
    return template.replacing("{asked}", with: request == nil ? "" : ", as requested")
      .replacing("{what}", with: sentence.firstLower)
  }

  /// The event that reproduces the cause: the requested event, or an event of its kind.
  package var event: String? {
    let length = max(1, ((to ?? from) - from) / .seconds(1))
    return request ?? kind.row.event?.replacing("{s}", with: length.text(decimals: 1))
  }

  /// The sentence, including the request or earlier broadcast that it is due to.
  package var text: String {
    if isOld { return "Left by an earlier broadcast: \(sentence)" }
    return request.map { "As requested (\($0)): \(sentence)" } ?? sentence
  }

  /// Whether the screen was unchanged for so long that the receiver may show nothing.
  package var isLongRest: Bool { kind == .idleScreen && to.map { $0 - from >= .seconds(10) } == true }

  /// Whether host load may be the reason: the handler was slow, did not release its samples in time, or recorded late samples.
  package var mayBeHostLoad: Bool {
    kind == .slow || kind == .recordingWrong || ["kept", "writer failed"].contains(detail)
  }

  /// Whether the cause is reported when it is found. Pure explanations appear only in lists.
  package var isReportedAtOnce: Bool { severity != .note || kind.rank < Kind.misuse.rank }

  /// Whether the cause fails a check: a fault that was not requested.
  package var isFault: Bool { severity == .fault && request == nil && !isOld }

  /// Whether the cause leaves a check not judged.
  package var leavesUnjudged: Bool {
    severity == .note || request != nil || [.suspended, .appSuspended].contains(kind)
  }

  /// The order in lists: causes that were not requested, requested causes, explanations, and old causes; within these, by rank
  /// and time.
  package static func isBefore(_ one: Cause, _ other: Cause) -> Bool {
    func place(_ cause: Cause) -> (Int, Int, Int, UInt64) {
      let group = cause.isOld ? 3 : !cause.isReportedAtOnce ? 2 : cause.request == nil ? 0 : 1
      return (group, cause.request == nil ? 0 : 1, cause.kind.rank, cause.from.nanoseconds)
    }
    return place(one) < place(other)
  }
}

extension Cause {
  /// Returns the command line that starts a program again. It adds `event` after 3 s, unless the arguments have the event
  /// already.
  package static func commandLine(_ arguments: [String], with event: String? = nil) -> String {
    let file = arguments.first ?? ""
    let name = file.split(separator: "/").last.map(String.init) ?? ""
    let isAsked =
      event.map { event in arguments.contains { $0 == event || $0.hasSuffix(" \(event)") } } ?? true
    return
      ([name == "producer" ? name : file] + arguments.dropFirst()
      + (isAsked ? [] : ["--at", "3s", event ?? ""]))
      .map(\.shellWord).joined(separator: " ")
  }
}

/// A problem, or an explanation of an observation. The event is repeated each time the cause has gone on for twice as long, and
/// when it ends.
package struct CauseEvent: JSONEvent {
  package static let event = "cause"
  /// The ID of the cause, equal in all its events.
  var id: String
  /// The kind of the cause.
  var kind: String
  /// The kind in a word or two.
  var name: String
  /// Distinguishes the cause from others of its kind.
  var detail: String?
  /// `fault`, `warning` or `note`; `note` for a cause that an earlier broadcast left behind.
  var severity: String
  /// The beginning, in monotonic nanoseconds.
  var fromNs: UInt64
  /// The end of an ongoing cause, in monotonic nanoseconds.
  var toNs: UInt64?
  /// Whether the cause is ongoing.
  var isOpen: Bool
  /// The requested event that caused it, as typed.
  var request: String?
  /// The sentence of terminal, page and reports.
  var text: String
  /// The sentence of an ongoing cause, with `{s}` for the seconds since its beginning.
  var now: String
  /// The sentence of an earlier cause.
  var was: String
  /// Further measurements.
  var evidence: String?
  /// The fix.
  var remedy: String
  /// The behaviour of a device.
  var onDevice: String
  /// The page and the section about the cause.
  var see: String?
  /// The command line to reproduce it.
  var `repeat`: String?

  /// - Parameter line: the command line to reproduce it.
  package init(_ cause: Cause, repeat line: String? = nil) {
    (id, kind, text, fromNs) = (cause.id, cause.kind.rawValue, cause.text, cause.from.nanoseconds)
    severity = (cause.isOld ? .note : cause.severity).rawValue
    (detail, toNs) = (cause.detail.isEmpty ? nil : cause.detail, cause.to?.nanoseconds)
    (isOpen, request) = (cause.isOpen, cause.isOld ? nil : cause.request)
    (now, was) = (cause.now, cause.was)
    evidence = cause.evidence.isEmpty ? nil : cause.evidence.joined(separator: " ")
    let row = cause.kind.row
    (name, remedy, onDevice, see, `repeat`) = (row.name, row.remedy, row.onDevice, row.see, line)
  }
}
