import EmbeddedFiles

/// The scenarios that are part of the program.
package enum BuiltInScenarios {
  /// Returns the scenarios of an extension in the order of a run: the longest first, and those that run alone last.
  package static func all() throws(ScenarioError) -> [Scenario] {
    let lines = text("extension").split(separator: "\n", omittingEmptySubsequences: false)
    let starts = lines.indices.filter { lines[$0].hasPrefix(#"{"meta":"#) }
    return try zip(starts, starts.dropFirst() + [lines.count]).map { start, end throws(ScenarioError) in
      var scenario = try Scenario(
        parsing: lines[start..<end].joined(separator: "\n"), file: "extension.jsonl", firstLine: start + 1)
      scenario.isBuiltIn = true
      return scenario
    }
  }

  /// Returns the scenarios of an app that captures the screen with a framework.
  package static func captures(of framework: String) throws(ScenarioError) -> [Scenario] {
    try Scenario.captures(parsing: text("captures"), file: "captures.jsonl", of: framework)
  }

  /// Returns the text of a scenario file.
  package static func text(_ name: String) -> String {
    String(decoding: EmbeddedFiles.own["\(name).jsonl"], as: UTF8.self)
  }
}
