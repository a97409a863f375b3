import CommandLineSupport
import EmulatedSystem
import Platform

/// The options of traces: what the handler gets, from a file and to a file.
package struct TraceOptions: OptionGroup {
  /// The trace that is replayed instead of a screen, audio and events.
  package var replayed: String?
  var recording: String?
  var expected: String?

  package init() {}

  static let options: [Option<Self>] = [
    .value(
      "--trace", "FILE", .text("a file"), \.replayed,
      help: "Replay the calls, times and shapes of samples in this file, as a phone wrote them."),
    .value(
      "--record-trace", "FILE", .text("a file"), \.recording,
      help: "Write the calls and samples that the handler gets to this file, in the format of a trace."),
    .value(
      "--expect-trace", "FILE", .text("a file"), \.expected,
      help:
        "Compare the calls and samples that the handler gets with this file, and exit with 65 if they differ."
    ),
  ].under("What a phone did")

  package mutating func finish(_ invocation: Invocation) throws(UsageError) {
    let files = [("--trace", replayed), ("--record-trace", recording), ("--expect-trace", expected)]
    for (name, path) in files where path == "-" { throw UsageError("\(name) expects a file, not '-'.") }
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
    [.reads("--trace", replayed), .writes("--record-trace", recording), .reads("--expect-trace", expected)]
  }

  /// The trace, all of which is checked; `nil` without one.
  package func read() throws(ProgramFailure) -> Trace? { try replayed.map(Trace.init(contentsOf:)) }
}

/// The trace of a run: recorded, and compared at the end.
struct TraceRun {
  /// Records the calls of the handler; `nil` if no option needs them.
  let recorder: TraceRecorder?
  private let expected: Trace?

  /// - Parameter trace: what the option `--trace` names, which may be expected too.
  init(_ options: TraceOptions, trace: Trace?, clock: any MonotonicClock) throws(ProgramFailure) {
    expected = options.expected == trace?.file ? trace : try options.expected.map(Trace.init(contentsOf:))
    do throws(FileError) {
      recorder =
        options.recording == nil && expected == nil
        ? nil : try TraceRecorder(clock: clock, path: options.recording, keepsLines: expected != nil)
    } catch {
      throw ProgramFailure(error)
    }
  }

  /// The memory of the emulated system for it, in bytes.
  var byteCount: Int { (expected?.byteCount ?? 0) + (recorder?.byteCount ?? 0) }

  /// Completes the file, and reports the comparison. Returns the failure of either.
  func finish(_ console: Console, _ lines: JSONLines?, program: String) -> ProgramFailure? {
    let given: [TraceLine]
    do throws(FileError) { given = try recorder?.finish() ?? [] } catch {
      return ProgramFailure(errno: error.code, "The trace is not complete: \(error).")
    }
    guard let expected else { return nil }
    let comparison = TraceComparison(given, with: expected)
    lines?.write(TraceEvent(comparison, expected: expected.file), reportingTo: console, as: program)
    let (count, listed) = (comparison.differenceCount, comparison.differences)
    for difference in listed { console.report(difference) }
    if count > listed.count { console.report("\(count - listed.count) more differences are not listed.") }
    if count == 0 { console.say("All \(comparison.lineCount) calls are those of \(expected.file).") }
    console.say(comparison.arrivalText)
    return count == 0
      ? nil
      : ProgramFailure(
        .verificationFailed,
        "The handler's calls differ from \(expected.file) in \(count) place\(count == 1 ? "" : "s").")
  }
}
