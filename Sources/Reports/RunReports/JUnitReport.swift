import CommandLineSupport
import Foundation

/// Verdicts as JUnit XML, with one test case each, for GitHub, GitLab and Jenkins.
package struct JUnitReport {
  package let text: String

  /// - Parameters:
  /// - suite: the name of the suite, such as "broadcast check producer".
  ///   - program: the class of the test cases.
  package init(_ verdicts: [Verdict], suite: String, program: String, duration: Duration) {
    func seconds(_ duration: Duration) -> String { (duration / .seconds(1)).text(decimals: 3) }
    func explanation(_ verdict: Verdict) -> String {
      [verdict.meaning, verdict.command.map { "Repeat it with: \($0)" } ?? ""].filter { !$0.isEmpty }
        .joined(separator: "\n")
    }
    let cases = verdicts.map { verdict in
      let element =
        switch verdict.result {
        case .passed(""): ""
        case .passed(let figures): "\n    <system-out>\(figures.markup)</system-out>"
        case .failed(let what):
          "\n    <failure message=\"\(what.markup)\">\(explanation(verdict).markup)</failure>"
        case .notJudged(let why): "\n    <skipped message=\"\(why.markup)\"/>"
        }
      let attributes =
        "classname=\"\(program.markup)\" name=\"\(verdict.name.markup)\" "
        + "time=\"\(seconds(verdict.duration))\""
      return "  <testcase \(attributes)>\(element)\n  </testcase>"
    }
    let skipped = verdicts.count(where: \.isNotJudged)
    text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <testsuite name="\(suite.markup)" tests="\(verdicts.count)" \
      failures="\(verdicts.count(where: \.hasFailed))" skipped="\(skipped)" errors="0" \
      time="\(seconds(duration))">
      \(cases.joined(separator: "\n"))
        <system-out>\(Outcome(verdicts).sentence.markup)</system-out>
      </testsuite>

      """
  }
}
