import Causes
import TestSupport

@testable import RunReports

@Suite struct ReportFileTests {
  private let folder = TemporaryFolder.ofSuite()

  private func record(_ title: String, at second: Double, of container: String? = "/c") -> RunRecord {
    var record = RunRecord(
      title: title, commandLine: [title], start: Date(timeIntervalSince1970: second), duration: .seconds(10),
      container: container, verdicts: [Verdict("exit", "It ends with 0.", .passed("0 of \(title)"))])
    record.causes = [cause(.slow, title, "\(title) \"was\" <slow>.")]
    record.events = [RunRecord.Event(at: 2, "\(title) did it.")]
    return record
  }

  private func cause(_ kind: Cause.Kind, _ detail: String, _ sentence: String) -> RunRecord.FoundCause {
    RunRecord.FoundCause(
      Cause(
        kind, detail, from: MonotonicTime(nanoseconds: 1_000_000_000),
        to: MonotonicTime(nanoseconds: 3_000_000_000), sentence), since: .zero, repeat: "producer --at '3s x'"
    )
  }

  private func page(_ name: String = "page.html") throws -> String {
    try String(contentsOfFile: folder(name), encoding: .utf8)
  }

  @Test func aPageHasItsRecords() throws {
    try ReportFile.join(record("producer", at: 0), at: folder("page.html"))
    let read = try #require(try RunRecord.records(in: page()))
    #expect(read.count == 1 && read[0].causes[0].text == "producer \"was\" <slow>.")
    #expect(read[0].verdicts == record("producer", at: 0).verdicts)
    #expect(RunRecord.records(in: "<p>another page</p>") == nil)
  }

  @Test func theOtherSideOfABroadcastIsJoinedOnOneAxisOfTime() throws {
    try ReportFile.join(record("producer", at: 5), at: folder("page.html"))
    try ReportFile.join(record("consumer watch", at: 3), at: folder("page.html"))
    let html = try page()
    #expect(html.contains("<h1>consumer watch, producer</h1>"))
    #expect(html.contains("producer &quot;was&quot; &lt;slow&gt;.</b> <span>from 3.0 to 5.0 s</span>"))
    #expect(html.contains("<td>4.0</td><td>producer</td><td>producer did it.</td>"))
    #expect(RunRecord.records(in: html)?.map(\.title) == ["consumer watch", "producer"])
  }

  @Test(arguments: [("producer", 5.0, "/c"), ("consumer watch", 30, "/c"), ("consumer watch", 5, "/other")])
  func anotherRunReplacesThePage(title: String, second: Double, container: String) throws {
    try ReportFile.join(record("producer", at: 3), at: folder("page.html"))
    try ReportFile.join(record(title, at: second, of: container), at: folder("page.html"))
    #expect(try RunRecord.records(in: page())?.map(\.start.timeIntervalSince1970) == [second])
  }

  /// The page is replaced atomically: an open reader keeps the old page, and a killed program leaves no partial page.
  @Test func aPageIsReplacedInOneStep() throws {
    try FileManager.default.createSymbolicLink(
      atPath: folder("link.html"), withDestinationPath: "page.html")
    try ReportFile.join(record("producer", at: 5), at: folder("link.html"))
    let earlier = try FileHandle(forReadingFrom: URL(filePath: folder("page.html")))
    let length = try page().utf8.count
    try ReportFile.join(record("consumer watch", at: 3), at: folder("link.html"))
    #expect(try earlier.readToEnd()?.count == length)
    #expect(try RunRecord.records(in: page())?.count == 2)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(names.sorted() == ["link.html", "page.html"])
  }

  @Test func bothSidesThatEndTogetherAreOnThePage() async throws {
    let path = folder("page.html")
    for _ in 0..<20 {
      let records = [record("producer", at: 5), record("consumer watch", at: 3)]
      await withTaskGroup(of: Void.self) { group in
        for record in records {
          group.addTask { _ = #expect(throws: Never.self) { try ReportFile.join(record, at: path) } }
        }
      }
      #expect(try RunRecord.records(in: page())?.count == 2)
      try FileManager.default.removeItem(atPath: path)
    }
  }

  @Test func aPipeGetsThePage() throws {
    let pipe = ProcessLauncher.makePipe()
    try ReportFile.join(
      record("producer", at: 0), at: "/dev/fd/\(pipe.fileHandleForWriting.fileDescriptor)")
    try pipe.fileHandleForWriting.close()
    let page = String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    #expect(RunRecord.records(in: page)?.count == 1)
  }

  @Test func aPageOfVeryManyEventsStaysSmall() throws {
    var record = record("consumer watch", at: 0)
    for number in 0..<15_000 {
      record.events.add(RunRecord.Event(at: Double(number) / 1500, "Event \(number)."))
    }
    #expect(record.events.count == 201 && record.events[100].text == "14801 more events")
    #expect(record.events.last?.text == "Event 14999." && record.page.utf8.count < 100_000)
  }

  @Test func aRunThatTheMachineSpoiledIsNotGreen() {
    var record = record("producer", at: 0)
    record.causes = []
    record.verdicts[0].result = .notJudged("8 fps")
    record.verdicts[0].lateness = "The host was overloaded."
    #expect(record.page.contains("<p class=\"doubtful\">The host was overloaded.</p>"))
    #expect(!record.page.contains("class=\"passed\""))
    record.causes = [cause(.leak, "", "It grows.")]
    #expect(record.page.contains("<p class=\"doubtful\">One warning was found.</p>"))
  }

  @Test func aPageBeginsWithItsCausesAndLinksAFailureToItsCommand() throws {
    var record = record("broadcast check producer", at: 0)
    record.verdicts = [Verdict("pace", "It keeps up.", .failed("It does not."))]
    record.verdicts[0].command = "broadcast check producer --only=pace"
    let html = record.page
    #expect(
      html.contains(
        "<h1>broadcast check producer</h1>\n<p class=\"failed\">One fault was found.</p>\n<ul class=\"causes\">"
      ))
    #expect(html.contains("<a href=\"#repeat-pace\">failed</a>"))
    #expect(
      html.contains(
        "<tr id=\"repeat-pace\"><th>pace</th><td><code>broadcast check producer --only=pace</code>"))
    #expect(html.contains("Repeat it with: <code>producer --at '3s x'</code>"))
  }
}
