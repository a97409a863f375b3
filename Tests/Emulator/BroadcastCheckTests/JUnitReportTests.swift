import TestSupport
import Testing

@testable import BroadcastCheck

@Suite struct JUnitReportTests {
  private func verdict(_ name: String, _ result: Verdict.Result) -> Verdict {
    let scenario = Scenario(name: name, checks: "What.", onDevice: "A <device> & more.")
    return Verdict(scenario: scenario, result: result, duration: .milliseconds(1500))
  }

  @Test func eachVerdictIsATestCaseWithItsReason() {
    let text = JUnitReport(
      [
        verdict("c", .doesNotApply("no \"app\"")), verdict("b", .failed("1 < 2.")),
        verdict("a", .passed(figures: ["x 1 (at most 2)"])),
      ], program: "producer", duration: .seconds(3)
    ).text
    #expect(text.contains(#"tests="3" failures="1" skipped="1" errors="0" time="3.000""#))
    let cases = text.split(separator: "\n").filter { $0.contains("<testcase") }
    #expect(cases.map { $0.contains(#"classname="producer""#) } == [true, true, true])
    #expect(cases[0].contains(#"name="a" time="1.500""#))
    #expect(text.contains("<system-out>x 1 (at most 2)</system-out>"))
    #expect(text.contains(#"<failure message="1 &lt; 2.">A &lt;device&gt; &amp; more.</failure>"#))
    #expect(text.contains(#"<skipped message="no &quot;app&quot;"/>"#))
  }

  @Test func aFileThatCannotBeWrittenIsNamed() throws {
    let folder = try TemporaryFolder()
    let path = folder("missing/report.xml")
    let report = JUnitReport([], program: "producer", duration: .zero)
    let failure = #expect(throws: (any Error).self) { try report.write(to: path) }
    #expect("\(try #require(failure))".contains("\(path) cannot be written"))
  }
}
