import EmulatedSystem

/// Reads the bytes as a trace. A flow that is accepted equals itself after it was written and read again.
package struct FlowTarget: FuzzTarget {
  package static let name = "flow"

  package init(folder: String) {}

  package func run(_ bytes: [UInt8]) throws {
    switch Result(catching: { () throws(FlowError) in try Flow(parsing: bytes, file: "f") }) {
    case .success(let flow):
      let text = flow.lines.map { "\($0)\n" }.joined()
      let again = try Flow(parsing: Array(text.utf8), file: "f")
      try require(again.lines == flow.lines, "a flow that was written differs")
      try require(FlowComparison(flow.lines, with: again).differences.isEmpty, "a flow differs from itself")
    case .failure(.malformed(let text)):
      let isOneLine = text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
      try require(isOneLine && text.hasPrefix("f") && text.hasSuffix("."), "'\(text)' is not one sentence")
    case .failure(.system): throw FuzzFinding("bytes in memory cannot have an error of the system")
    }
  }
}
