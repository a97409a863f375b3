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
    /// It may break, or the picture stood: reports count it, and no check fails.
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
  /// The frames that it cost, if they are counted.
  package var frames: UInt64 = 0
  /// Whether it lasts.
  package var isOpen = false
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

  /// The process of the extension is stopped, or was.
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

  /// The same for the same cause in other scenarios and runs.
  package var fingerprint: String { detail.isEmpty ? kind.rawValue : "\(kind.rawValue) \(detail)" }

  /// The same for the same cause of a run when it has changed, and in each watch that finds a crash, which names its process.
  package var id: String { "\(fingerprint) \(kind == .crashed ? sentence : "\(from.nanoseconds)")" }

  /// The sentence of a time in which it lasts, or is the newest; `{s}` stands for the seconds since its beginning.
  package var now: String { filled(severity == kind.row.severity ? kind.row.now : nil) }

  /// The sentence of a later time, to follow another word.
  package var was: String {
    let length = ((to ?? from) - from) / .seconds(1)
    return filled(severity == kind.row.severity ? kind.row.was ?? kind.row.now : nil).firstLower
      .replacing("{s}", with: length.text(decimals: 1))
  }

  private func filled(_ template: String?) -> String {
    guard let template, !isOld else { return text }
    return template.replacing("{asked}", with: request == nil ? "" : ", as asked")
      .replacing("{what}", with: sentence.firstLower)
  }

  /// The event that makes it: the one that was asked for, or one of its kind.
  package var event: String? {
    let length = max(1, ((to ?? from) - from) / .seconds(1))
    return request ?? kind.row.event?.replacing("{s}", with: length.text(decimals: 1))
  }

  /// The sentence, with what it owes to a request or an earlier broadcast.
  package var text: String {
    if isOld { return "Left by an earlier broadcast: \(sentence)" }
    return request.map { "As asked (\($0)): \(sentence)" } ?? sentence
  }

  /// Whether the screen rested so long that the far end may show nothing.
  package var isLongRest: Bool { kind == .rests && to.map { $0 - from >= .seconds(10) } == true }

  /// Whether a late machine may be why: the handler was slow, or had no time to release its samples.
  package var dependsOnPace: Bool { kind == .slow || kind == .misuse && detail == "kept" }

  /// Whether it is told when it is found. What only explains is in lists.
  package var isTold: Bool { severity != .note || kind.rank < Kind.misuse.rank }

  /// Whether it fails a check: a fault that nobody asked for.
  package var isFault: Bool { severity == .fault && request == nil && !isOld }

  /// Whether it leaves a check not judged.
  package var isExcuse: Bool {
    severity == .note || request != nil || [.suspended, .appSuspended].contains(kind)
  }

  /// The order in lists: what is old is last, what only explains is before that, what was asked for is after what was not,
  /// then by rank and time.
  package static func isBefore(_ one: Cause, _ other: Cause) -> Bool {
    func place(_ cause: Cause) -> (Int, Int, Int, UInt64) {
      let group = cause.isOld ? 3 : !cause.isTold ? 2 : cause.request == nil ? 0 : 1
      return (group, cause.request == nil ? 0 : 1, cause.kind.rank, cause.from.nanoseconds)
    }
    return place(one) < place(other)
  }
}

extension Cause {
  /// What a terminal runs to start a program again, with an event after 3 s unless its arguments have the event.
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

/// What went wrong, or explains what is seen. The event comes again each time the cause has lasted twice as long, and when it
/// ends.
package struct CauseEvent: JSONEvent {
  package static let event = "cause"
  /// The same each time.
  var id: String
  /// The kind of the cause.
  var kind: String
  /// The kind in a word or two.
  var name: String
  /// Distinguishes the cause from others of its kind.
  var detail: String?
  /// `fault`, `warning` or `note`; `note` for what an earlier broadcast left.
  var severity: String
  /// Its beginning, in monotonic nanoseconds.
  var fromNs: UInt64
  /// The end of what lasts, in monotonic nanoseconds.
  var toNs: UInt64?
  /// Whether it still lasts.
  var isOpen: Bool
  /// The requested event that caused it, as it was typed.
  var request: String?
  /// The sentence of terminal, page and reports.
  var text: String
  /// The sentence while it lasts, with `{s}` for the seconds since its beginning.
  var now: String
  /// The sentence for later.
  var was: String
  /// What else was measured.
  var evidence: String?
  /// The remedy.
  var remedy: String
  /// What a device does.
  var onDevice: String
  /// The page and the section about it.
  var see: String?
  /// What a terminal runs to see it again.
  var `repeat`: String?

  /// - Parameter line: what a terminal runs to see it again.
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
