import Foundation

/// Promises as the XML of JUnit, which GitHub, GitLab and Jenkins read: a test case for each.
package struct JUnitReport {
  package let text: String

  /// - Parameters:
  ///   - suite: the name of the suite, as in "producer check".
  ///   - program: the class of the test cases.
  package init(_ promises: [Promise], suite: String, program: String, duration: Duration) {
    func seconds(_ duration: Duration) -> String { (duration / .seconds(1)).text(decimals: 3) }
    let cases = promises.map { promise in
      let element =
        switch promise.result {
        case .kept(""): ""
        case .kept(let figures): "\n    <system-out>\(figures.markup)</system-out>"
        case .broken(let what):
          "\n    <failure message=\"\(what.markup)\">\(promise.meaning.markup)</failure>"
        case .notJudged(let why): "\n    <skipped message=\"\(why.markup)\"/>"
        }
      let attributes =
        "classname=\"\(program.markup)\" name=\"\(promise.name.markup)\" "
        + "time=\"\(seconds(promise.duration))\""
      return "  <testcase \(attributes)>\(element)\n  </testcase>"
    }
    let skipped = promises.count { if case .notJudged = $0.result { true } else { false } }
    text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <testsuite name="\(suite.markup)" tests="\(promises.count)" \
      failures="\(promises.count(where: \.isBroken))" skipped="\(skipped)" errors="0" \
      time="\(seconds(duration))">
      \(cases.joined(separator: "\n"))
      </testsuite>

      """
  }
}
