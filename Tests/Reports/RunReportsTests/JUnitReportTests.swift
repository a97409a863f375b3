import CommandLineSupport
import TestSupport
import Testing

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
  }
}
