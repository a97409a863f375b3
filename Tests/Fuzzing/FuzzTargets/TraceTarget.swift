import CommandLineSupport
import EmulatedSystem

/// Reads the bytes as a trace. A trace that is accepted equals itself after it was written and read again.
package struct TraceTarget: FuzzTarget {
  package static let name = "trace"

  package init(folder: String) {}

  package func run(_ bytes: [UInt8]) throws {
    switch Result(catching: { () throws(ProgramFailure) in try Trace(parsing: bytes, file: "f") }) {
    case .success(let trace):
      let text = trace.lines.map { "\($0)\n" }.joined()
      let again = try Trace(parsing: Array(text.utf8), file: "f")
      try require(again.lines == trace.lines, "a trace that was written differs")
    case .failure(let failure):
      let text = failure.message
      try require(
        text.isOneLine && text.hasPrefix("f") && text.hasSuffix("."), "'\(text)' is not one sentence")
    }
  }
}
