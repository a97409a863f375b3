import CommandLineSupport
import Foundation

/// The verdicts as the XML of JUnit, which GitHub, GitLab and Jenkins read.
package struct JUnitReport {
  package let text: String

  package init(_ verdicts: [Verdict], program: String, duration: Duration) {
    func seconds(_ duration: Duration) -> String { (duration / .seconds(1)).text(decimals: 3) }
    let verdicts = verdicts.sorted { $0.scenario.name < $1.scenario.name }
    let cases = verdicts.map { verdict in
      let element: String
      switch verdict.result {
      case .passed(let figures):
        element =
          figures.isEmpty
          ? "" : "\n    <system-out>\(Self.escaped(figures.joined(separator: "\n")))</system-out>"
      case .failed(let what):
        element =
          "\n    <failure message=\"\(Self.escaped(what))\">\(Self.escaped(verdict.scenario.onDevice))</failure>"
      case .doesNotApply(let why): element = "\n    <skipped message=\"\(Self.escaped(why))\"/>"
      }
      let attributes =
        "classname=\"\(Self.escaped(program))\" name=\"\(Self.escaped(verdict.scenario.name))\" "
        + "time=\"\(seconds(verdict.duration))\""
      return "  <testcase \(attributes)>\(element)\n  </testcase>"
    }
    let skipped = verdicts.filter { if case .doesNotApply = $0.result { true } else { false } }.count
    text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <testsuite name="\(Self.escaped(program)) check" tests="\(verdicts.count)" \
      failures="\(verdicts.filter(\.hasFailed).count)" skipped="\(skipped)" errors="0" \
      time="\(seconds(duration))">
      \(cases.joined(separator: "\n"))
      </testsuite>

      """
  }

  /// Writes the report to a file.
  package func write(to path: String) throws(ProgramFailure) {
    do { try Data(text.utf8).write(to: URL(filePath: path)) } catch {
      throw ProgramFailure(
        .cannotCreate,
        "\(path) cannot be written: \(error.localizedDescription). Choose another place with --junit.")
    }
  }

  /// The text as XML allows it, in an attribute or between tags.
  private static func escaped(_ text: String) -> String {
    text.unicodeScalars.map { scalar in
      switch scalar {
      case "&": "&amp;"
      case "<": "&lt;"
      case ">": "&gt;"
      case "\"": "&quot;"
      case "\n": "\n"
      default: scalar.properties.generalCategory == .control ? "?" : String(scalar)
      }
    }.joined()
  }
}
