import CommandLineSupport
import Foundation

/// Shows failed verdicts in GitHub Actions, as annotations and as a summary of the step.
package struct GitHubActions {
  private let environment: [String: String]

  package init(environment: [String: String] = ProcessInfo.processInfo.environment) {
    self.environment = environment
  }

  /// Shows verdicts if this process is a step of GitHub Actions. Annotations go to stderr, which the runner also reads. The
  /// summary is appended to the file that the runner names.
  package func show(_ verdicts: [Verdict], title: String, console: Console) {
    guard environment["GITHUB_ACTIONS"] == "true" else { return }
    for verdict in verdicts where verdict.hasFailed || verdict.lateness != nil {
      let name = Self.escaped("\(title) \(verdict.name)").replacing(":", with: "%3A")
        .replacing(",", with: "%2C")
      console.report(
        "::\(verdict.hasFailed ? "error" : "warning") title=\(name)::\(Self.escaped(verdict.figures))")
    }
    guard let path = environment["GITHUB_STEP_SUMMARY"], !path.isEmpty else { return }
    do {
      let file = try FileHandle(forWritingTo: URL(filePath: path))
      defer { file.closeFile() }
      try file.seekToEnd()
      try file.write(contentsOf: Data(Self.summary(of: verdicts, title: title).utf8))
    } catch {
      console.report(
        "::warning::The summary of the step cannot be written: \(Self.escaped(error.reasonText))")
    }
  }

  /// Returns the verdicts as a Markdown table.
  static func summary(of verdicts: [Verdict], title: String) -> String {
    let rows = verdicts.map { verdict in
      "| \(cell(verdict.name)) | \(verdict.word) | \(cell(verdict.figures)) |"
    }
    return (["### \(title)", "", "| check | verdict | measured |", "| --- | --- | --- |"] + rows + [""])
      .joined(separator: "\n") + "\n"
  }

  private static func cell(_ text: String) -> String {
    text.replacing("|", with: "\\|").replacing("\n", with: " ")
  }

  /// Escapes a string for a workflow command, on one line.
  private static func escaped(_ text: String) -> String {
    text.replacing("%", with: "%25").replacing("\r", with: "%0D").replacing("\n", with: "%0A")
  }
}
