import Causes
import CommandLineSupport
import Foundation

extension Verdict {
  /// The CSS class of the verdict's row, and the anchor of the row with its command.
  fileprivate var kind: String { word.replacing(" ", with: "-") }
  fileprivate var anchor: String { "repeat-\(name.markup)" }
}

extension Array {
  /// Returns the elements without duplicates, in the order of their first occurrence.
  fileprivate func distinct(_ isSame: (Element, Element) -> Bool) -> Self {
    reduce(into: []) { kept, next in if !kept.contains(where: { isSame($0, next) }) { kept.append(next) } }
  }
}

/// A self-contained HTML page without scripts. It has the causes, results, verdicts and events of its records' runs, with common
/// times. It can be printed, and supports dark mode.
struct ReportPage {
  private let records: [RunRecord]
  private let start: Date
  private let title: String
  private var body = ""

  init(_ records: [RunRecord]) {
    self.records = records
    title = records.map(\.title).joined(separator: ", ")
    start = records.map(\.start).min() ?? Date()
    addCauses()
    for record in records {
      if records.count > 1 { section(record.title) }
      let summary = record.summary.map(\.markup).joined(separator: "<br>")
      body += summary.isEmpty ? "" : "<p>\(summary)</p>\n"
      add(record.verdicts)
    }
    let events = events
    if !events.isEmpty {
      section("Timeline")
      add(rows: rows(events), heads: ["seconds"] + (records.count > 1 ? ["of"] : []) + ["event"])
    }
    for record in records {
      section(records.count > 1 ? "Run: \(record.title)" : "Run")
      let rows: [[String]?] = [
        ["command line", record.commandLine.joined(separator: " ")], record.device.map { ["device", $0] },
        ["start", record.start.formatted(.iso8601)], ["duration", "\(record.seconds.text(decimals: 1)) s"],
        ["version", record.version], ["machine", record.machine],
      ]
      add(rows: rows.compactMap { $0 })
    }
  }

  /// Returns the seconds from the page's time zero to the start of a run.
  private func offset(of record: RunRecord) -> Double { record.start.timeIntervalSince(start) }

  /// The events of all runs in chronological order, with the titles of their runs.
  private var events: [(title: String, event: RunRecord.Event)] {
    records.flatMap { record in
      record.events.map { (record.title, $0.later(by: offset(of: record))) }
    }.sorted { $0.1.seconds < $1.1.seconds }
  }

  private mutating func addCauses() {
    // Both sides derive shared causes from the same facts. Records are sorted by importance.
    let causes = records.flatMap { record in record.causes.map { $0.later(by: offset(of: record)) } }
      .distinct { $1.isSame(as: $0) }
    func count(_ severity: String) -> Int { causes.count { $0.severity == severity } }
    let (faults, asked) = (count("fault"), count("asked"))
    let (found, noun) = faults > 0 ? (faults, "fault") : (count("warning"), "warning")
    let outcome = Outcome(records.flatMap(\.verdicts))
    let also = asked == 0 ? "" : ", and \(asked == 1 ? "one that was" : "\(asked) that were") requested"
    let sentence =
      found > 0
      ? "\(found == 1 ? "One \(noun) was" : "\(found) \(noun)s were") found\(also)."
      : outcome.kind == "failed"
        ? "No cause was found for what failed."
        : outcome.lateness ?? "Nothing went wrong\(asked > 0 ? " except what was requested" : "")."
    let kind = faults > 0 ? "failed" : found > 0 && outcome.kind == "passed" ? "doubtful" : outcome.kind
    body += "<p class=\"\(kind)\">\(sentence)</p>\n"
    add(causes)
  }

  private mutating func add(_ causes: [RunRecord.FoundCause]) {
    guard !causes.isEmpty else { return }
    body += "<ul class=\"causes\">\n"
    func told(_ cause: RunRecord.FoundCause) -> String {
      let seconds = [cause.from, cause.to].compactMap { $0?.text(decimals: 1) }
      let time = "\(seconds.count > 1 ? "from" : "at") \(seconds.joined(separator: " to ")) s"
      return "<b>\(cause.text.markup)</b>" + (seconds.isEmpty ? "" : " <span>\(time)</span>")
    }
    // Show the details once for notes of the same kind.
    func isSame(_ one: RunRecord.FoundCause, _ other: RunRecord.FoundCause) -> Bool {
      !one.isTrouble && !other.isTrouble && one.fingerprint == other.fingerprint
    }
    for cause in causes.distinct(isSame) {
      let all = cause.isTrouble ? [cause] : causes.filter { isSame($0, cause) }
      let details = cause.details.joined(separator: " ").markup
      let command = cause.command.map { "<br>Repeat it with: <code>\($0.markup)</code>" } ?? ""
      body +=
        "<li class=\"\(cause.severity)\">\(all.map(told).joined(separator: "<br>"))<br>\(details)\(command)</li>\n"
    }
    body += "</ul>\n"
  }

  private func rows(_ events: [(title: String, event: RunRecord.Event)]) -> [[String]] {
    events.map { title, event in
      [event.seconds.text(decimals: 1)] + (records.count > 1 ? [title] : []) + [event.text]
    }
  }

  private mutating func section(_ heading: String) { body += "<h2>\(heading.markup)</h2>\n" }

  /// Adds a table. If `heads` is empty, the first column has the headings.
  private mutating func add(rows: [[String]], heads: [String] = []) {
    addTable(
      heads,
      rows.map { row in
        let cells = row.enumerated().map { column, text in
          let tag = heads.isEmpty && column == 0 ? "th" : "td"
          return "<\(tag)>\(text.markup)</\(tag)>"
        }
        return "<tr>\(cells.joined())</tr>"
      })
  }

  /// Adds a table whose rows are markup.
  private mutating func addTable(_ heads: [String], kind: String = "", _ rows: [String]) {
    let head = heads.map { "<th>\($0.markup)</th>" }.joined()
    body += "<table class=\"\(kind)\">\n" + (heads.isEmpty ? "" : "<tr>\(head)</tr>\n")
    body += rows.joined(separator: "\n") + "\n</table>\n"
  }

  /// Adds verdicts: a sentence with their counts, and a table.
  private mutating func add(_ verdicts: [Verdict]) {
    let (outcome, failed) = (Outcome(verdicts), verdicts.filter(\.hasFailed))
    body += "<p class=\"\(outcome.kind)\">\(outcome.sentence.markup)</p>\n"
    addTable(
      ["check", "verdict", "what is checked", "measured"], kind: "verdicts",
      (failed + verdicts.filter { !$0.hasFailed }).map { verdict in
        let meaning = verdict.hasFailed && !verdict.meaning.isEmpty ? "<br>\(verdict.meaning.markup)" : ""
        let word =
          verdict.command == nil ? verdict.word : "<a href=\"#\(verdict.anchor)\">\(verdict.word)</a>"
        return "<tr class=\"\(verdict.kind)\"><td>\(verdict.name.markup)</td><td>\(word)</td>"
          + "<td>\(verdict.text.markup)</td><td>\(verdict.figures.markup)\(meaning)</td></tr>"
      })
    let repeatable = verdicts.filter { $0.command != nil }
    guard !repeatable.isEmpty else { return }
    section("How to repeat a failure")
    addTable(
      [],
      repeatable.map { verdict in
        "<tr id=\"\(verdict.anchor)\"><th>\(verdict.name.markup)</th>"
          + "<td><code>\((verdict.command ?? "").markup)</code></td></tr>"
      })
  }

  var html: String {
    """
    <!doctype html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width">
    <title>\(title.markup)</title>
    <style>
    \(Self.style)
    </style>
    </head>
    <body>
    <h1>\(title.markup)</h1>
    \(body)\(RunRecord.markup(records))
    </body>
    </html>

    """
  }

  private static let style = """
    :root { color-scheme: light dark; --back: #fff; --text: #1d1d1f; --dim: #5f6368; --line: #d5d7da;
      --s0: #0b62d6; --s1: #c2410c; --good: #16803c; --bad: #c4161c; }
    @media (prefers-color-scheme: dark) { :root { --back: #161618; --text: #ececee; --dim: #a2a5ab; --line: #3b3d42;
      --s0: #6aa9ff; --s1: #ff9b5e; --good: #62d088; --bad: #ff7b7b; } }
    @media print { :root { --back: #fff; --text: #000; --dim: #444; --line: #bbb; --s0: #0b62d6; --s1: #c2410c;
      --good: #16803c; --bad: #c4161c; } tr { break-inside: avoid; } }
    body { font: 15px/1.5 system-ui, sans-serif; margin: 1.5rem auto; max-width: 60rem; padding: 0 1rem;
      background: var(--back); color: var(--text); }
    h1 { font-size: 1.4rem; } h2 { font-size: 1.1rem; margin-top: 2rem; }
    table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
    th, td { text-align: left; vertical-align: top; padding: .25rem .75rem .25rem 0;
      border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
    th { color: var(--dim); font-weight: 600; }
    td:first-child, .verdicts :is(th, td):nth-child(-n+2) { white-space: nowrap; }
    @media (max-width: 40rem) {
      .verdicts tr { display: grid; grid-template-columns: 1fr auto; border-bottom: 1px solid var(--line); }
      .verdicts :is(th, td) { border: 0; padding: .1rem 0; } .verdicts td:nth-child(n+3) { grid-column: 1 / -1; }
      .verdicts th:nth-child(n+3) { display: none; } }
    p.passed, tr.passed td:nth-child(2) { color: var(--good); } p:is(.passed, .failed, .doubtful) { font-weight: 600; }
    p.doubtful { color: var(--s1); }
    p.failed, tr.failed td:nth-child(2) { color: var(--bad); } tr.failed td:nth-child(2) { font-weight: 600; }
    tr.not-judged td { color: var(--dim); }
    th { white-space: nowrap; } code { overflow-wrap: anywhere; user-select: all; }
    .causes { padding-left: 1.2rem; color: var(--dim); } .causes li { margin-bottom: .6rem; }
    .causes b { font-size: 1.1rem; color: var(--text); } .causes .note b { font: inherit; } .causes .fault b { color: var(--bad); }
    .causes .warning b { color: var(--s1); } a { color: inherit; }
    tr:target { outline: 2px solid var(--s0); }
    """
}
