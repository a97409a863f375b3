import Causes
import CommandLineSupport
import Foundation

/// A page of HTML that needs no other file and no script: causes, verdicts, plots, pictures and tables of the runs in its
/// records, on one axis of time. It prints, and has a dark form.
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
      add(record.verdicts)
    }
    addPlots()
    addMoments()
    let events = inOrder(\.events)
    if !events.isEmpty {
      section("Timeline")
      add(rows: rows(events), heads: ["seconds"] + (records.count > 1 ? ["of"] : []) + ["event"])
    }
    for record in records {
      for table in record.tables {
        section(records.count > 1 ? "\(table.heading): \(record.title)" : table.heading)
        add(rows: table.rows, heads: table.heads)
      }
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

  /// A page that compares runs, each with the name of its file.
  init(comparing runs: [(name: String, records: [RunRecord])]) {
    records = runs.flatMap(\.records)
    start = Date()
    let names = runs.map(\.name)
    title = names.joined(separator: " and ")
    for title in records.map(\.title).reduce(into: [String](), { if !$0.contains($1) { $0.append($1) } }) {
      let sides = runs.map { run in run.records.first { $0.title == title } }
      section(title)
      let checks = sides.compactMap { $0 }.flatMap(\.verdicts).map(\.name).reduce(into: [String]()) {
        if !$0.contains($1) { $0.append($1) }
      }
      add(
        rows: checks.map { name in
          [name]
            + sides.map { side in
              side?.verdicts.first { $0.name == name }.map { "\($0.word): \($0.figures)" } ?? "–"
            }
        }, heads: ["check"] + names)
      let causes = zip(names, sides).map { name, side in
        [
          name,
          side.map { $0.causes.map(\.text).joined(separator: " ") }.flatMap { $0.isEmpty ? nil : $0 } ?? "–",
        ]
      }
      add(rows: causes)
      addPlots(of: sides.compactMap { $0 }, names)
    }
  }

  /// The plots of several runs, each from its own start, with the lines of all in one.
  private mutating func addPlots(of runs: [RunRecord], _ names: [String]) {
    let duration = runs.map(\.seconds).max() ?? 0
    for plot in runs.first?.plots ?? [] {
      var joined = plot
      joined.series = zip(names, runs).flatMap { name, run in
        (run.plots.first { $0.title == plot.title }?.series ?? []).map {
          LinePlot.Series("\(name): \($0.name)", $0.points)
        }
      }
      body += joined.markup(over: duration)
    }
  }

  /// How much later than the page's zero a run started, in seconds.
  private func offset(of record: RunRecord) -> Double { record.start.timeIntervalSince(start) }

  /// Events of all runs in the order of their times, with the titles of their runs.
  private func inOrder(_ events: (RunRecord) -> [RunRecord.Event]) -> [(
    title: String, event: RunRecord.Event
  )] {
    records.flatMap { record in
      events(record).map { (record.title, $0.later(by: offset(of: record))) }
    }.sorted { $0.1.seconds < $1.1.seconds }
  }

  /// The most seconds between what two sides saw of one cause.
  private static let sameTime = 3.0

  private mutating func addCauses() {
    // Both sides found what they know of by the same facts. The records have the most important first.
    let causes = records.flatMap { record in record.causes.map { $0.later(by: offset(of: record)) } }
      .reduce(into: [RunRecord.Event]()) { causes, cause in
        let isKnown = causes.contains {
          cause.fingerprint != nil && $0.fingerprint == cause.fingerprint
            && abs($0.seconds - cause.seconds) < Self.sameTime
        }
        if !isKnown { causes.append(cause) }
      }
    guard !causes.isEmpty else { return }
    body += "<ul class=\"causes\">\n"
    for cause in causes {
      let seconds = [cause.seconds, cause.end].compactMap { $0?.text(decimals: 1) }
      body +=
        "<li>\(cause.text.markup) <span>\(seconds.count > 1 ? "from" : "at") \(seconds.joined(separator: " to ")) s</span></li>\n"
    }
    body += "</ul>\n"
  }

  private mutating func addPlots() {
    guard records.contains(where: { !$0.plots.isEmpty }) else { return }
    section("The whole run")
    let duration = records.map { offset(of: $0) + $0.seconds }.max() ?? 0
    let marks = inOrder(\.events).map(\.event)
    for record in records {
      for plot in record.plots {
        body += plot.shifted(by: offset(of: record)).markup(over: duration, marks: marks)
      }
    }
    body += "<p>Dashed vertical lines are the events of the timeline.</p>\n"
  }

  private mutating func addMoments() {
    guard records.contains(where: { !$0.moments.isEmpty }) else { return }
    section("Worst moments")
    for record in records {
      for moment in record.moments {
        let time = (moment.event.seconds + offset(of: record)).text(decimals: 1)
        let caption = "\(moment.name), at \(time) s. \(moment.event.text)".markup
        let source = moment.png.map { "data:image/png;base64,\($0.base64EncodedString())" }
        body +=
          source.map {
            "<figure class=\"picture\"><img alt=\"\(caption)\" src=\"\($0)\"><figcaption>\(caption)</figcaption></figure>\n"
          } ?? "<p>\(caption)</p>\n"
      }
    }
  }

  /// The number of events at the start and at the end that a page lists.
  private static let listedEvents = 100

  private func rows(_ events: [(title: String, event: RunRecord.Event)]) -> [[String]] {
    let rows = events.map { title, event in
      [event.seconds.text(decimals: 1)] + (records.count > 1 ? [title] : []) + [event.text]
    }
    guard rows.count > 2 * Self.listedEvents else { return rows }
    let between = ["", "\(rows.count - 2 * Self.listedEvents) more events"]
    return rows.prefix(Self.listedEvents) + [between] + rows.suffix(Self.listedEvents)
  }

  private mutating func section(_ heading: String) { body += "<h2>\(heading.markup)</h2>\n" }

  /// Adds a table; without heads, the first column has them.
  private mutating func add(rows: [[String]], heads: [String] = []) {
    func cells(_ texts: [String], _ tag: String) -> String {
      texts.map { "<\(tag)>\($0.markup)</\(tag)>" }.joined()
    }
    let head = heads.isEmpty ? "" : "<tr>\(cells(heads, "th"))</tr>\n"
    let lines = rows.map { row in
      heads.isEmpty
        ? "<tr>\(cells(Array(row.prefix(1)), "th"))\(cells(Array(row.dropFirst()), "td"))</tr>"
        : "<tr>\(cells(row, "td"))</tr>"
    }
    body += "<table>\n\(head)\(lines.joined(separator: "\n"))\n</table>\n"
  }

  /// Adds verdicts: a sentence with their number, and a table.
  private mutating func add(_ verdicts: [Verdict]) {
    let failed = verdicts.filter(\.hasFailed)
    let judged = verdicts.count { if case .notJudged = $0.result { false } else { true } }
    let sentence =
      judged == 0
      ? "Nothing was judged."
      : failed.isEmpty
        ? "All \(judged) checks passed."
        : "\(failed.count) of \(judged) checks failed: \(failed.map(\.name).joined(separator: ", "))."
    body +=
      "<p class=\"\(failed.isEmpty ? "passed" : "failed")\">\(sentence.markup)</p>\n<table class=\"verdicts\">\n"
    body += "<tr><th>check</th><th>verdict</th><th>what is checked</th><th>measured</th></tr>\n"
    for verdict in failed + verdicts.filter({ !$0.hasFailed }) {
      let kind = verdict.word.replacing(" ", with: "-")
      let meaning = verdict.hasFailed && !verdict.meaning.isEmpty ? "<br>\(verdict.meaning.markup)" : ""
      body +=
        "<tr class=\"\(kind)\"><td>\(verdict.name.markup)</td><td>\(verdict.word)</td>"
        + "<td>\(verdict.text.markup)</td><td>\(verdict.figures.markup)\(meaning)</td></tr>\n"
    }
    body += "</table>\n"
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
      --s0: #0b62d6; --s1: #c2410c; --s2: #16803c; --s3: #8b2fc9; --good: #16803c; --bad: #c4161c; }
    @media (prefers-color-scheme: dark) { :root { --back: #161618; --text: #ececee; --dim: #a2a5ab; --line: #3b3d42;
      --s0: #6aa9ff; --s1: #ff9b5e; --s2: #62d088; --s3: #cf93f5; --good: #62d088; --bad: #ff7b7b; } }
    @media print { :root { --back: #fff; --text: #000; --dim: #444; --line: #bbb; --s0: #0b62d6; --s1: #c2410c;
      --s2: #16803c; --s3: #8b2fc9; --good: #16803c; --bad: #c4161c; } figure, tr { break-inside: avoid; } }
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
    p.passed, tr.passed td:nth-child(2) { color: var(--good); } p.passed, p.failed { font-weight: 600; }
    p.failed, tr.failed td:nth-child(2) { color: var(--bad); } tr.failed td:nth-child(2) { font-weight: 600; }
    tr.not-judged td { color: var(--dim); }
    figure { margin: 1rem 0; } figcaption { color: var(--dim); }
    figure.picture { display: inline-block; margin-right: 1rem; max-width: 18rem; vertical-align: top; }
    img { max-width: 100%; border: 1px solid var(--line); }
    svg { width: 100%; height: auto; display: block; } svg text { fill: var(--dim); font: 11px system-ui, sans-serif; }
    svg .grid { stroke: var(--line); } svg .mark { stroke: var(--dim); stroke-dasharray: 2 3; }
    svg .limit { stroke: var(--bad); stroke-dasharray: 6 3; } svg .limit-text { fill: var(--bad); }
    svg .series { fill: none; stroke-width: 1.5; } svg .dot { stroke-width: 4; stroke-linecap: round; }
    svg .s0, .legend .s0 { stroke: var(--s0); color: var(--s0); } svg .s1, .legend .s1 { stroke: var(--s1); color: var(--s1); }
    svg .s2, .legend .s2 { stroke: var(--s2); color: var(--s2); } svg .s3, .legend .s3 { stroke: var(--s3); color: var(--s3); }
    .causes { font-size: 1.1rem; font-weight: 600; padding-left: 1.2rem; } .causes span { color: var(--dim); font-weight: 400; }
    .legend span { margin-right: 1rem; } .legend b { margin-right: .35rem; }
    """
}
