import BroadcastCheck

/// Reads the bytes as the file of a scenario.
package struct ScenarioTarget: FuzzTarget {
  package static let name = "scenario"

  package init(folder: String) {}

  package func generatedSeeds() -> [[UInt8]] {
    let scenarios = BuiltInScenarios.text("extension").split(separator: "\n\n")
    return scenarios.map { Array($0.utf8) }
  }

  package func run(_ bytes: [UInt8]) throws {
    let read = Result { () throws(ScenarioError) in
      try Scenario(parsing: String(decoding: bytes, as: UTF8.self), file: "f")
    }
    switch read {
    case .success(let scenario):
      try require(!scenario.actions.isEmpty, "a scenario without lines was accepted")
    case .failure(let error):
      let text = error.description
      let hasEnd = text.hasSuffix(".") || text.hasSuffix("?")
      try require(text.isOneLine && text.hasPrefix("f:") && hasEnd, "'\(text)' is not one sentence")
    }
  }
}
