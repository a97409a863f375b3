import TestSupport

@testable import RunReports

@Suite struct JUnitReportTests {
  private func verdict(_ name: String, _ result: Verdict.Result) -> Verdict {
    Verdict(name, "What.", result, meaning: "A <device> & more.", duration: .milliseconds(1500))
  }

  @Test func eachVerdictIsATestCaseWithItsReason() {
    let text = JUnitReport(
      [
        verdict("a", .passed("x 1 (at most 2)")), verdict("b", .failed("1 < 2.")),
        verdict("c", .notJudged("no \"app\"")),
      ], suite: "broadcast check producer", program: "producer", duration: .seconds(3)
    ).text
    #expect(
      text.contains(
        #"<testsuite name="broadcast check producer" tests="3" failures="1" skipped="1" errors="0" time="3.000""#
      )
    )
    let cases = text.split(separator: "\n").filter { $0.contains("<testcase") }
    #expect(cases.map { $0.contains(#"classname="producer""#) } == [true, true, true])
    #expect(cases[0].contains(#"name="a" time="1.500""#))
    #expect(text.contains("<system-out>x 1 (at most 2)</system-out>"))
    #expect(text.contains(#"<failure message="1 &lt; 2.">A &lt;device&gt; &amp; more.</failure>"#))
    #expect(text.contains(#"<skipped message="no &quot;app&quot;"/>"#))
    #expect(text.contains("<system-out>1 of 2 checks failed: b; not judged: c.</system-out>\n</testsuite>"))
  }

  @Test func charactersThatXMLForbidsAreReplaced() {
    #expect("a\u{1}\u{FFFE}\u{FFFF}\u{FFFD}".markup == "a???\u{FFFD}")
  }

  @Test func oneVerdictCountsWhatWasNotJudgedAndFailsByALateMachine() {
    let (good, open) = (verdict("a", .passed("1")), verdict("b", .notJudged("no app")))
    var late = verdict("c", .notJudged("8 of 9 dropped"))
    late.lateness = "The host was overloaded."
    #expect(Outcome([good, open]).failure == nil)
    let failure = Outcome([good, open, late]).failure
    #expect(failure?.exitCode == .notJudged)
    #expect(failure?.message == "The host was overloaded. 1 check passed; not judged: b, c.")
    let failed = Outcome([late, verdict("d", .failed("No."))])
    #expect(
      failed.failure?.exitCode == .verificationFailed && failed.sentence.hasPrefix("1 of 1 checks failed: d"))
    #expect(Outcome([open]).sentence == "Nothing was judged.")
  }
}
