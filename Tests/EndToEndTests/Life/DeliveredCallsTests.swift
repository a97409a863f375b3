import BroadcastTesting
import Foundation
import TestSupport
import Testing

extension EndToEndTests {
  /// The calls that an extension's handler gets, with their order and arguments, when an event affects its broadcast.
  @MainActor @Suite struct DeliveredCallsTests {
    let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    private var recordFile: String { sandbox.folder.appending(path: "calls").path }

    private func start(_ arguments: [String]) throws -> LaunchedProgram {
      try sandbox.probeExtension("RecordingHandler", ["--setup-info", "record=\(recordFile)"] + arguments)
    }

    private func record() throws -> CallRecord { try CallRecord(path: recordFile) }

    @Test func setupInfoAndTheNameOfTheAppReachTheHandler() async throws {
      let probe = try start(
        [
          "--setup-info", "room=42", "--setup-info", "note=a = b", "--at", "0.2s",
          "annotate:com.example.game", "--duration", "0.5",
        ])
      #expect(try await probe.exitCode() == 0, "\(probe.errors)")
      #expect(
        try record().calls == [
          "broadcastStarted note=a = b room=42", "broadcastAnnotated com.example.game", "broadcastFinished",
        ])
    }

    @Test func whatAHandlerPrintsIsOnStandardErrorAndNotBetweenTheEvents() async throws {
      let probe = try sandbox.probeExtension(
        "PrintingHandler", ["--frames", "20", "--app-audio", "off", "--memory-report"])
      #expect(try await probe.exitCode() == 0, "\(probe.errors)")
      // Each line is an event.
      #expect(try probe.events().map(\.name).filter { $0 != "second" } == ["started", "memory", "finished"])
      let lines = probe.errors.split(separator: "\n")
      #expect(lines.count { $0 == "part 99 part 0" } == 19, "\(lines.first ?? "")")
    }

    @Test(arguments: ["0s", "0.1s"])
    func anErrorBeforeOrDuringTheStartEndsTheBroadcastWithoutAnotherCall(time: String) async throws {
      let probe = try start(["--at", "0s", "slow:1", "--at", time, "error:interrupted", "--duration", "5"])
      #expect(try await probe.exitCode() == 76, "\(probe.errors)")
      #expect(try await probe.broadcastEnd().error?.code == -5806)
      #expect(try probe.events("started").isEmpty)
      // A handler that ends the broadcast itself gets no call of the end.
      let calls = FileManager.default.fileExists(atPath: recordFile) ? try record().calls : []
      #expect(calls == ["broadcastStarted"] || calls == [])
    }
  }
}
