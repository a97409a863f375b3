import TestSupport

@testable import RunReports

@Suite struct ReportOptionsTests {
  private let folder = TemporaryFolder.ofSuite()

  private func write(_ verdicts: [Verdict], to page: String, junit: String? = nil) throws {
    var options = ReportOptions()
    (options.page, options.junit) = (page, junit)
    var record = RunRecord(
      title: "program run", commandLine: ["program", "--x=<y>"], start: Date(timeIntervalSince1970: 0),
      duration: .seconds(2), verdicts: verdicts)
    record.summary = ["One & more.", "Two."]
    try options.write(record)
  }

  @Test func thePageHasTheVerdictsTheContentAndTheRun() throws {
    try write(
      [
        Verdict("one", "It holds.", .passed("1 < 2")),
        Verdict("two", "It too.", .failed("No."), meaning: "Bad."),
      ],
      to: folder("page.html"), junit: folder("cases.xml"))
    let html = try String(contentsOfFile: folder("page.html"), encoding: .utf8)
    #expect(
      html.missing(
        "<p class=\"failed\">1 of 2 checks failed: two.</p>", "<td>1 &lt; 2</td>", "<td>No.<br>Bad.</td>",
        "<p>One &amp; more.<br>Two.</p>", "program --x=&lt;y&gt;", "1970-01-01T00:00:00Z") == [])
    #expect(try String(contentsOfFile: folder("cases.xml"), encoding: .utf8).contains("failures=\"1\""))
  }

  @Test func thePageNeedsNoOtherFileAndNoScript() throws {
    try write([], to: folder("page.html"))
    let html = try String(contentsOfFile: folder("page.html"), encoding: .utf8)
    for word in ["<script", "<link", "http:", "https:", "@import", "url("] { #expect(!html.contains(word)) }
  }

  @Test func aPathThatIsAFolderIsNamedAfterTheRun() throws {
    let failure = #expect(throws: ProgramFailure.self) { try write([], to: folder.path) }
    #expect(failure?.message.hasPrefix("\(folder.path) cannot be written: ") == true)
    // Foundation's message already ends with a full stop.
    #expect(failure?.message.hasSuffix(". Choose another place with --report.") == true)
    #expect(failure?.message.contains("..") == false)
  }
}
