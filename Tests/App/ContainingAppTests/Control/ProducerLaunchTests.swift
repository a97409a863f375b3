import ScreenBroadcast
import TestSupport

@testable import ContainingApp

@MainActor @Suite struct ProducerLaunchTests {
  private let home = TestContainer()
  private var container: AppGroupContainer { home.container }

  /// Runs a shell script as the producer until it exits; returns the reason.
  private func failure(of script: String) async throws -> ProgramFailure {
    let launch = makeLaunch(script, in: container)
    let process = try launch.run()
    #expect(await eventually { !process.isRunning })
    return launch.failure(of: process)
  }

  /// Another extension reports under its own name. The last script gets its arguments and no input.
  @Test(arguments: [
    ("echo 'producer: 1'; echo 'producer: No room.' >&2; echo 2; exit 73", ExitCode.cannotCreate, "No room."),
    ("echo 'other: Not this.'; echo 'sh: No app.' >&2; exit 76", .endedByHandler, "No app."),
    ("cat; echo \"producer: $*\"; exit 64", .usage, "--pattern proof See 'producer --help'."),
  ])
  func theProducerGivesItsMessageAndItsCode(script: String, code: ExitCode, message: String) async throws {
    #expect(try await failure(of: script) == ProgramFailure(code, message, pointsToHelp: false))
  }

  @Test func withoutAMessageTheFailureNamesTheLog() async throws {
    let failure = try await failure(of: "exit 77")
    #expect(failure.exitCode == .notPermitted)
    #expect(failure.message.missing("refused to start", "/producer.log.") == [])
  }

  @Test(arguments: ["exit 1", "exit 127"]) func anUnknownExitCodeIsAFaultOfTheProgram(_ script: String)
    async throws
  {
    #expect(try await failure(of: script).exitCode == .internalError)
  }

  @Test func aSignalIsACrash() async throws {
    let failure = try await failure(of: "kill -9 $$")
    #expect(failure.exitCode == .producerCrashed && failure.message.contains("died while it started"))
  }

  @Test func aMemoryKillIsReportedWithItsAmounts() async throws {
    let record =
      #"{"event":"memoryKill","pid":'$$',"atNs":1,"limitBytes":1048576,"footprintBytes":2097152,"peakFootprintBytes":2097152,"#
      + #""pixelBufferBytes":0,"heapBytes":2097152,"stackBytes":0,"otherBytes":0,"systemBytes":0,"#
      + #""sharedFileBytes":{},"mappedFileBytes":0}"#
    let failure = try await failure(
      of: "umask 077; echo '\(record)' > \"$0/Library/Caches/Broadcast/facts.jsonl\"; kill -9 $$")
    #expect(failure.exitCode == .producerCrashed)
    #expect(failure.message.contains(/was killed for its memory: 2\.0 MiB of 1\.0 MiB;/))
  }

  @Test func aPathThatIsNotAProgramFails() throws {
    for path in [container.folder + "/none", container.folder] {
      let launch = ProducerLaunch(program: URL(fileURLWithPath: path), arguments: [], container: container)
      let failure = #expect(throws: ProgramFailure.self) { try launch.run() }
      #expect(failure?.exitCode == .inputOutput)
      #expect(failure?.message.hasPrefix("\(path) is not a program;") == true)
    }
  }

  @Test func theNeighbourIsBesideThisProgram() {
    #expect(ProducerLaunch.neighbour.lastPathComponent == "producer")
  }
}

/// Returns a launch of a shell script as the producer. The script's `$0` is the folder of the container.
@MainActor func makeLaunch(_ script: String, in container: AppGroupContainer) -> ProducerLaunch {
  ProducerLaunch(
    program: URL(filePath: "/bin/sh"), arguments: ["-c", script, container.folder, "--pattern", "proof"],
    container: container)
}
