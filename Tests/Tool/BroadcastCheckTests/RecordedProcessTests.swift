import Causes
import EmulatedSystem
import TestSupport

@testable import BroadcastCheck

@Suite(.sharedMachine) @MainActor struct RecordedProcessTests {
  /// Two programs with the encoder's name: one computes until its file is removed, the other waits.
  @Test(arguments: [true, false]) func anEncoderThatWorksIsNoneThatWaits(works: Bool) async throws {
    let folder = try TemporaryFolder.ofPrograms()
    let (program, fifo) = (folder("ffmpeg"), folder("fifo"))
    try makeShellScript(
      works ? "while [ -e \(program) ]; do :; done" : "mkfifo \(fifo); read line <\(fifo)",
      at: program)
    let process = try RecordedProcess(
      LaunchedProgram(
        URL(filePath: "/bin/sh"), ["-c", "\(program) & wait"], errorFile: folder("errors")))
    defer { process.kill() }
    #expect(await eventually { !ProcessState.children(of: process.pid, named: "ffmpeg").isEmpty })
    if !works { #expect(await eventually { folder.names.contains("fifo") }) }
    // The encoder's work before the end was requested does not count.
    #expect(!process.countEncoders(.seconds(1)))
    process.endRequest = SystemClock().now - .seconds(10)
    if works {
      for _ in 1...10 { #expect(process.countEncoders(.seconds(1))) }
      #expect(process.encoderTime == .seconds(10))
    } else {
      #expect(await eventually { !process.countEncoders(.seconds(1)) })
    }
    if !works { try FileHandle(forWritingTo: URL(filePath: fifo)).close() }
  }

  @Test func aCallThatIsKnownToBeBlockedGetsOneSecondInALaterLaunch() async throws {
    let folder = try TemporaryFolder.ofPrograms()
    func launch(works: Bool = false, _ calls: (name: String, isBlocked: Bool)...) async throws
      -> RecordedProcess
    {
      let lines = calls.map { name, isBlocked in
        let end = isBlocked ? #"5,"stack":["Handler.wait"]}"# : "1}"
        return
          #"{"event":"call","call":"\#(name)","isBlocked":\#(isBlocked),"works":\#(works),"openSeconds":\#(end)"#
      }
      let process = try RecordedProcess(
        LaunchedProgram(
          URL(filePath: "/bin/sh"), ["-c", "echo '\(lines.joined(separator: "\n"))'"],
          errorFile: folder("errors")))
      #expect(await eventually { process.hasEnded })
      return process
    }
    let (hangs, start) = (KnownHangs(), SystemClock().now)
    #expect(hangs.hang(of: try await launch(("broadcastFinished", false))) == nil)
    let first = try await launch(("broadcastFinished", false), ("broadcastFinished", true))
    #expect(hangs.hang(of: first, since: SystemClock().now) == nil)
    let hang = try #require(hangs.hang(of: first, since: start))
    #expect(hang.text == "broadcastFinished has not returned for 5 s: it waits in Handler.wait.")
    let later = try await launch(("broadcastStarted", false), ("broadcastFinished", false))
    #expect(hangs.hang(of: later) == hang)
    #expect(hangs.hang(of: try await launch(works: true, ("broadcastFinished", false))) == nil)
    #expect(hangs.hang(of: try await launch(("broadcastStarted", false))) == nil)
  }
}
