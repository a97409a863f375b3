import Foundation

/// What GitHub Actions shows of broken promises: annotations, and a summary of the step.
package struct GitHubActions {
  private let environment: [String: String]

  package init(environment: [String: String] = ProcessInfo.processInfo.environment) {
    self.environment = environment
  }

  /// Shows promises if this process is a step of GitHub Actions. Annotations go to standard error, where the runner reads
  /// them too; the summary is added to the file that the runner names.
  package func show(_ promises: [Promise], title: String, console: Console) {
    guard environment["GITHUB_ACTIONS"] == "true" else { return }
    for promise in promises where promise.isBroken {
      console.report(
        "::error title=\(Self.escaped(title)): \(promise.name)::\(Self.escaped(promise.figures))")
    }
    guard let path = environment["GITHUB_STEP_SUMMARY"], !path.isEmpty else { return }
    do {
      let file = try FileHandle(forWritingTo: URL(filePath: path))
      defer { file.closeFile() }
      try file.seekToEnd()
      try file.write(contentsOf: Data(Self.summary(of: promises, title: title).utf8))
    } catch {
      console.report(
        "::warning::The summary of the step cannot be written: \(Self.escaped(error.reasonText))")
    }
  }

  /// A table in Markdown.
  static func summary(of promises: [Promise], title: String) -> String {
    let rows = promises.map { promise in
      "| \(cell(promise.name)) | \(promise.verdict) | \(cell(promise.figures)) |"
    }
    return (["### \(title)", "", "| promise | verdict | measured |", "| --- | --- | --- |"] + rows + [""])
      .joined(separator: "\n") + "\n"
  }

  private static func cell(_ text: String) -> String {
    text.replacing("|", with: "\\|").replacing("\n", with: " ")
  }

  /// The text as a workflow command takes it, on one line.
  private static func escaped(_ text: String) -> String {
    text.replacing("%", with: "%25").replacing("\r", with: "%0D").replacing("\n", with: "%0A")
  }
}
