import Foundation

/// A page of HTML that needs no other file and no script: tables, plots and pictures. It prints, and has a dark form.
///
/// ```swift
/// var page = ReportPage(title: "consumer watch")
/// page.add(verdicts)
/// page.section("Frames")
/// page.add(LinePlot(title: "Age", unit: "ms", series: [.init("median", points)]))
/// try page.html.write(toReport: path, of: "--report")
/// ```
package struct ReportPage {
  private let title: String
  private var body = ""

  package init(title: String) { self.title = title }

  /// Begins a section under a heading.
  package mutating func section(_ heading: String) { body += "<h2>\(heading.markup)</h2>\n" }

  package mutating func add(text: String) { body += "<p>\(text.markup)</p>\n" }

  /// Adds a table; without heads, the first column has them.
  package mutating func add(rows: [[String]], heads: [String] = []) {
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
  package mutating func add(_ verdicts: [Verdict]) {
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
    for verdict in verdicts {
      let kind = verdict.word.replacing(" ", with: "-")
      let meaning = verdict.hasFailed && !verdict.meaning.isEmpty ? "<br>\(verdict.meaning.markup)" : ""
      body +=
        "<tr class=\"\(kind)\"><td>\(verdict.name.markup)</td><td>\(verdict.word)</td>"
        + "<td>\(verdict.text.markup)</td><td>\(verdict.figures.markup)\(meaning)</td></tr>\n"
    }
    body += "</table>\n"
  }

  package mutating func add(_ plot: LinePlot) { body += plot.markup }

  /// Adds a picture as the bytes of a PNG file.
  package mutating func add(png: Data, caption: String) {
    body +=
      "<figure class=\"picture\"><img alt=\"\(caption.markup)\" "
      + "src=\"data:image/png;base64,\(png.base64EncodedString())\">"
      + "<figcaption>\(caption.markup)</figcaption></figure>\n"
  }

  package var html: String {
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
    \(body)</body>
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
    .verdicts :is(th, td):nth-child(-n+2) { white-space: nowrap; }
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
    .legend span { margin-right: 1rem; } .legend b { margin-right: .35rem; }
    """
}
