import BroadcastTesting
import TestSupport

@MainActor @Suite struct LaunchedBroadcastTests {
  private let folder = TemporaryFolder.ofSuite()
  private let programs: LaunchedBroadcast

  init() throws {
    programs = try LaunchedBroadcast(root: folder("root"), group: "group.example", errorFolder: folder.path)
  }

  /// Starts a program that prints lines and exits.
  private func script(_ text: String) throws -> LaunchedProgram {
    try programs.launch(URL(filePath: "/bin/sh"), ["-c", text])
  }

  @Test(arguments: [
    (["watch", "--verify"], "watch --json --container ROOT --group group.example --verify"),
    (["--size", "2x2"], "--json --container ROOT --group group.example --size 2x2"),
    (["status", "--json", "--group=group.b"], "status --container ROOT --json --group=group.b"),
    (["--environment", "stg", "--container", "/x"], "--json --environment stg --container /x"),
    (["start", "--", "--json"], "start --json --container ROOT --group group.example -- --json"),
  ]) func aProgramGetsTheOptionsOfTheContainerOnce(arguments: [String], line: String) async throws {
    let echo = try programs.start(URL(filePath: "/bin/echo"), arguments)
    #expect(try await echo.exitCode() == 0)
    #expect(
      String(decoding: echo.output, as: UTF8.self) == line.replacing("ROOT", with: folder("root")) + "\n")
  }

  @Test func aPrefixComesBeforeEachCommand() async throws {
    programs.commandPrefix = ["/usr/bin/env", "A=1"]
    let program = try script("exit $A")
    #expect(try await (program.name, program.exitCode()) == ("sh", 1))
  }

  @Test func anEventIsFoundAfterTheEnd() async throws {
    let program = try script(#"echo '{"event": "a", "x": 1}'; echo '{"event": "a", "x": 2}'"#)
    _ = try await program.end()
    #expect(try await program.event("a").integer("x") == 1)
    #expect(try await program.event("a", after: 1).integer("x") == 2)
    #expect(try await program.event("a") { $0.integer("x") == 2 }.integer("x") == 2)
  }

  @Test func aProgramThatEndsWithoutTheEventIsAFailureThatShowsItsErrors() async throws {
    let program = try script("echo 'no space left' >&2; exit 3")
    let failure = await #expect(throws: LaunchedProgram.Failure.self) { try await program.event("a") }
    let text = "sh (process \(program.pid)) exited with code 3 without an event 'a'; "
    #expect(failure?.description == text + "its stderr: no space left")
    await #expect(throws: LaunchedProgram.Failure.self) { try await program.expectEnd() }
    try await program.expectEnd(.exit(3))
  }

  @Test func aLineThatIsNoEventIsAFailure() async throws {
    let program = try script("echo hello")
    let failure = await #expect(throws: LaunchedProgram.Failure.self) { try await program.expectEnd() }
    #expect(failure?.description.contains("printed 'hello'") == true)
  }

  @Test func aProgramThatDoesNotEndIsAFailureAndIsKilledWithItsObject() async throws {
    var program: LaunchedProgram? = try script("exec sleep 86400")
    let pid = try #require(program?.pid)
    await #expect(throws: LaunchedProgram.Failure.self) {
      _ = try await program?.end(within: .milliseconds(50))
    }
    program = nil
    #expect(await eventually { kill(pid, 0) != 0 })
  }

  @Test func aBroadcastWithoutItsEventHasCrashed() async throws {
    let killed = try script("kill -9 $$")
    #expect(try await killed.broadcastEnd().reason == "crashed")
    #expect(try await killed.broadcastEnd().exitCode == nil)
    let ended = try script("exit 7")
    #expect(try await ended.broadcastEnd().exitCode == 7)
    await #expect(throws: LaunchedProgram.Failure.self) { _ = try await ended.summary() }
  }

  @Test func aFaultActsOnTheNewestProgramOfItsSide() async throws {
    try Data("exec sleep 86400".utf8).write(to: URL(filePath: folder("sleep")))
    let (shell, sleep) = (URL(filePath: "/bin/sh"), [folder("sleep")])
    let first = try programs.start(shell, sleep, as: .app)
    #expect(throws: BroadcastFault.UnsupportedFault.self) { try programs.perform(.kill(.extension)) }
    let second = try programs.start(shell, sleep, as: .app)
    try programs.perform(.kill(.app))
    #expect(try await second.end() == .signal(SIGKILL))
    #expect(first.isRunning)
    let failure = #expect(throws: BroadcastFault.UnsupportedFault.self) {
      try programs.perform(.suspend(.app))
    }
    #expect(failure?.description == "The process of the app does not run.")
    #expect(throws: BroadcastFault.UnsupportedFault.self) { try programs.perform(.fillDisk) }
    #expect(throws: BroadcastFault.UnsupportedFault.self) {
      try programs.perform(.truncate("none", byteCount: 1))
    }
  }
}
