import CommandLineSupport
import EmulatedSystem
import Platform

/// The options of traces: what the handler gets, from a file and to a file.
package struct TraceOptions: OptionGroup {
  /// The trace that is replayed instead of a screen, audio and events.
  package var replayed: String?
  var recording: String?

  package init() {}

  static let options: [Option<Self>] = [
    .value(
      "--trace", "FILE", .text("a file"), \.replayed,
      help: "Replay the calls, times and shapes of samples in this file, as a phone wrote them."),
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
      throw UsageError("\(name) contradicts --trace, whose file gives the samples; leave one out.")
    }
  }

  package var namedFiles: [NamedFile] {
    [.reads("--trace", replayed), .writes("--record-trace", recording)]
  }

  /// The trace, all of which is checked; `nil` without one.
  package func read() throws(ProgramFailure) -> Trace? { try replayed.map(Trace.init(contentsOf:)) }

  /// Records the calls of the handler; `nil` if nobody asked for it.
  func makeRecorder(clock: any MonotonicClock) throws(ProgramFailure) -> TraceRecorder? {
    do throws(FileError) {
      return try recording.map { path throws(FileError) in try TraceRecorder(clock: clock, path: path) }
    } catch {
      throw ProgramFailure(error)
    }
  }
}
