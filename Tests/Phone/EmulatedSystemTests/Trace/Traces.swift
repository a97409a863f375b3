import TestSupport

@testable import EmulatedSystem

enum Traces {
  /// A start, a pause, a rotation, a resize, padded rows, and audio of three formats within about half a second. The calls
  /// arrive at multiples of 20 ms.
  static func phone() throws -> Trace { try trace(phoneLines()) }

  static func phoneLines() throws -> [String] {
    try Document("Tests/Fuzzing/Seeds/trace/phone.jsonl").text.split(separator: "\n").map(String.init)
  }

  static func trace(_ lines: [String]) throws(ProgramFailure) -> Trace {
    try Trace(parsing: Array(lines.map { $0 + "\n" }.joined().utf8), file: "phone.jsonl")
  }

  /// Returns the lines of a trace, with times relative to its start.
  static func linesFromStart(of trace: Trace) -> [TraceLine] {
    let start = trace.lines[0].arrival
    return trace.lines.map { line in
      var line = line
      line.arrival -= start
      switch line.call {
      case .video(let shape, let time): line.call = .video(shape, presentation: time - start)
      case .audio(let type, let shape, let time): line.call = .audio(type, shape, presentation: time - start)
      default: break
      }
      return line
    }
  }

  /// A frame of 64x48 pixels that arrives `milliseconds` after the start.
  static func video(_ milliseconds: Int) -> String {
    let time = milliseconds * 1_000_000
    return
      #"{"kind":"video","arrival":\#(time),"presentation":\#(time),"width":64,"height":48,"format":"420f","#
      + #""bytesPerRow":[64,64],"rows":[48,24],"orientation":1}"#
  }

  static func call(_ kind: String, _ milliseconds: Int, _ more: String = "") -> String {
    #"{"kind":"\#(kind)","arrival":\#(milliseconds * 1_000_000)\#(more)}"#
  }
}
