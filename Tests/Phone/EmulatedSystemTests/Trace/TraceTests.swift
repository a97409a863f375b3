import Causes
import TestSupport

@testable import EmulatedSystem

/// Tests the lines of a trace, and the errors of damaged ones.
@Suite struct TraceTests {
  @Test func aCallIsInTheFileSoonAlthoughNoOtherFollows() async throws {
    let folder = try TemporaryFolder()
    let recorder = try TraceRecorder(clock: SystemClock(), path: folder("trace"))
    recorder.note(.broadcastPaused)
    #expect(
      await eventually { FileManager.default.contents(atPath: folder("trace"))?.last == UInt8(ascii: "\n") })
  }

  @Test func aLineThatIsWrittenEqualsTheOneThatWasRead() throws {
    let lines = try Traces.phoneLines()
    #expect(try Traces.trace(lines).lines.map(\.description) == lines)
  }

  @Test func keysThatAreUnknownAreIgnored() throws {
    let lines = [Traces.call("broadcastStarted", 0, #","note":"a phone","build":[1,{}]"#)]
    #expect(try Traces.trace(lines).lines.map(\.call) == [.broadcastStarted])
  }

  /// A damaged second line, and the beginning of the error's message after the file and line.
  nonisolated static let damages: [(line: String, error: String)] = [
    ("", "This is not a JSON object with whole numbers of 64 bits: ''."),
    ("[1]", "This is not a JSON object with whole numbers of 64 bits: '[1]'."),
    (#"{"kind":"video"}"#, "The key 'arrival' is missing."),
    (#"{"arrival":1}"#, "The key 'kind' is missing."),
    (#"{"kind":"audio","arrival":1}"#, "'kind' expects one of broadcastStarted, broadcastPaused, "),
    (#"{"kind":"broadcastPaused","arrival":1.5}"#, "This is not a JSON object with whole numbers of 64 bits"),
    (#"{"kind":"broadcastPaused","arrival":"1"}"#, "'arrival' has a value of another type, or a number that"),
    (#"{"kind":"broadcastPaused","arrival":9223372036854775807}"#, "'arrival' is not a time."),
    (Traces.call("broadcastPaused", -1), "'arrival' is earlier than in the line before."),
    (Traces.call("broadcastPaused", 1_000_000_001), "'arrival' is more than 1000000 s after the first"),
    (Traces.call("broadcastStarted", 1), "A second broadcastStarted; put each broadcast into a "),
    (Traces.call("broadcastAnnotated", 1), "The key 'application' is missing."),
    (Traces.call("finishBroadcastWithError", 1, #","domain":"D","code":1"#), "The key 'description' is "),
    (Traces.video(1).replacing("420f", with: "BGRA"), "'format' expects 420f or 420v, the formats that "),
    (Traces.video(1).replacing(":64,", with: ":15,"), "'width' expects 16 to 8192, not 15."),
    (Traces.video(1).replacing(":48,", with: ":8193,"), "'height' expects 16 to 8192, not 8193."),
    (Traces.video(1).replacing("[64,64]", with: "[63,64]"), "'bytesPerRow' expects 64 to 4160, not 63."),
    (Traces.video(1).replacing("[64,64]", with: "[64,4161]"), "'bytesPerRow' expects 64 to 4160, not 4161."),
    (Traces.video(1).replacing("[48,24]", with: "[48,23]"), "'bytesPerRow' and 'rows' expect two planes"),
    (Traces.video(1).replacing("[64,64]", with: "[64]"), "'bytesPerRow' and 'rows' expect two planes"),
    (Traces.video(1).replacing(#":1}"#, with: ":9}"), "'orientation' expects 1 to 8, not 9."),
    (audio(), ""),
    (audio().replacing("lpcm", with: "aac "), "'format' expects lpcm, the encoding that the emulator makes"),
    (audio().replacing("48000", with: "7999"), "'sampleRate' expects 8000 to 192000, not 7999."),
    (audio().replacing(#""frames":480"#, with: #""frames":0"#), "'frames' expects 1 to 192000, not 0."),
    (audio().replacing(#"Frame":2"#, with: #"Frame":4"#), "'bytesPerFrame' expects 2, not 4."),
    (audio().replacing(#"Flags":12"#, with: #"Flags":4"#), "The emulator makes packed samples only: "),
  ]

  private static func audio() -> String {
    #"{"kind":"audioMic","arrival":2,"presentation":1,"format":"lpcm","sampleRate":48000,"channels":1,"#
      + #""bitsPerChannel":16,"bytesPerFrame":2,"formatFlags":12,"frames":480}"#
  }

  @Test(arguments: damages)
  func anErrorNamesTheLineTheKeyAndWhatIsExpected(damage: (line: String, error: String)) throws {
    do throws(ProgramFailure) {
      _ = try Traces.trace([Traces.call("broadcastStarted", 0), damage.line])
      #expect(damage.error == "")
    } catch {
      let sentence = error.message
      #expect(damage.error != "" && sentence.hasPrefix("phone.jsonl:2: " + damage.error), "\(sentence)")
    }
  }

  @Test func aTraceBeginsWithTheStartAndNothingFollowsItsEnd() {
    #expect(throws: malformed("phone.jsonl:1: The first line must be broadcastStarted.")) {
      try Traces.trace([Traces.video(1)])
    }
    #expect(throws: malformed("phone.jsonl:3: Nothing follows the end of a broadcast.")) {
      try Traces.trace([
        Traces.call("broadcastStarted", 0), Traces.call("broadcastFinished", 1), Traces.video(2),
      ])
    }
    #expect(throws: malformed("phone.jsonl has no lines.")) { try Traces.trace([]) }
  }

  @Test func theErrorOfAnIncompleteLineNamesTheCause() {
    let text = Traces.call("broadcastStarted", 0) + "\n" + String(Traces.video(1).prefix(20))
    #expect(
      throws: malformed(
        #"f:2: This is not a JSON object with whole numbers of 64 bits: '{"kind":"video","arr'. The file ends within this line; remove the line."#
      )
    ) { try Trace(parsing: Array(text.utf8), file: "f") }
  }

  @Test func theErrorsOfAFileNameIt() throws {
    let folder = try TemporaryFolder()
    #expect(throws: malformed("\(folder.path) is not a plain file.")) {
      try Trace(contentsOf: folder.path)
    }
    let missing = #expect(throws: ProgramFailure.self) { try Trace(contentsOf: folder("missing.jsonl")) }
    #expect(missing?.exitCode == .inputOutput && missing?.message.contains("missing.jsonl") == true)
  }

  private func malformed(_ sentence: String) -> ProgramFailure {
    ProgramFailure(.verificationFailed, sentence)
  }
}
