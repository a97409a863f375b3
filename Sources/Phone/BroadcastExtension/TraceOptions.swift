import CommandLineSupport
import EmulatedSystem
import Platform

/// The options for traces: the file that is replayed to the handler, and the file that records its calls.
package struct TraceOptions: OptionGroup {
  /// The file of the trace that replaces screen, audio and events.
  package var replayed: String?
  var recording: String?

  package init() {}

  static let options: [Option<Self>] = [
    .value(
      "--trace", "FILE", .text("a file"), \.replayed,
      help: "Replay the trace of a phone in this file: its calls, and the times and formats of its samples."),
    .value(
      "--record-trace", "FILE", .text("a file"), \.recording,
      help: "Write the calls and samples that the handler gets to this file, in the format of a trace."),
  ].under("What a phone did")

  package mutating func finish(_ invocation: Invocation) throws(UsageError) {
    for (name, path) in [("--trace", replayed), ("--record-trace", recording)] where path == "-" {
      throw UsageError("\(name) expects a file, not '-'.")
    }
    guard replayed != nil else { return }
    let contradictions = [
      "--source", "--loop", "--size", "--device", "--panel", "--orientation", "--fps", "--format",
      "--app-audio",
      "--mic",
    ]
    for name in contradictions where invocation.has(name) {
      throw UsageError("\(name) cannot be combined with --trace, which determines the samples.")
    }
  }

  package var namedFiles: [NamedFile] {
    [.reads("--trace", replayed), .writes("--record-trace", recording)]
  }

  /// Reads and checks the whole trace; returns `nil` if none is replayed.
  package func read() throws(ProgramFailure) -> Trace? { try replayed.map(Trace.init(contentsOf:)) }

  /// Creates the recorder of the handler's calls; `nil` if it was not requested.
  func makeRecorder(clock: any MonotonicClock) throws(ProgramFailure) -> TraceRecorder? {
    do throws(FileError) {
      return try recording.map { path throws(FileError) in try TraceRecorder(clock: clock, path: path) }
    } catch {
      throw ProgramFailure(error)
    }
  }
}
