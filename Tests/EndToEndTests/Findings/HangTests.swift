import TestSupport

extension EndToEndTests {
  /// A handler's call that does not return is reported, with the functions in which it waits.
  @MainActor @Suite struct HangTests {
    let sandbox = Sandbox.ofSuite()

    private func blockedCall(of process: LaunchedProgram) async throws -> ProgramEvent {
      try await eventually("a blocked call") {
        try process.events("call").first { $0.boolean("isBlocked") == true }
      }
    }

    private func stack(_ event: ProgramEvent) -> [String] {
      guard case .array(let names)? = event.value["stack"] else { return [] }
      return names.compactMap { if case .string(let name) = $0 { name } else { nil } }
    }

    @Test func aCallThatWaitsIsToldWithTheFunctionsInWhichItWaits() async throws {
      let process = try sandbox.probeExtension("BlockedEndHandler", [])
      try await process.event("started")
      process.send(SIGTERM)
      let call = try await blockedCall(of: process)
      #expect(call.text("call") == "broadcastFinished")
      #expect(try #require(call.number("openSeconds")) >= 5)
      let functions = ["BlockedEndHandler.broadcastFinished", "BlockedEndHandler.waitForUpload"]
      #expect(stack(call) == functions + ["DispatchSemaphore.wait"])
      for text in ["broadcastFinished has not returned for ", ": it waits in \(functions[0]) -> "] {
        try await eventually("'\(text)'") { process.errors.contains(text) }
      }
      try await eventually("the advice") { process.errors.contains("A second signal ends the process") }
    }

    /// Timers and signals of the main queue do not work then.
    @Test func aCallThatBlocksTheMainThreadIsToldToo() async throws {
      let process = try sandbox.probeExtension("DeadlockHandler", [])
      let call = try await blockedCall(of: process)
      #expect(call.text("call") == "processSampleBuffer(video)")
      #expect(stack(call).first == "DeadlockHandler.processSampleBuffer")
      #expect(stack(call).last == "DispatchQueue.sync", "\(stack(call))")
      try await eventually("the sentence") { process.errors.contains(" s: it waits in DeadlockHandler.") }
    }

    /// A call of the handler, or its main thread. Without a signal the duration ends the broadcast.
    @Test(
      arguments: [
        ("BlockedEndHandler", "DispatchSemaphore.wait"), ("DeadlockHandler", "DispatchQueue.sync"),
        ("MainBlockingHandler", "DispatchSemaphore.wait"),
      ], [true, false])
    func aProgramEndsAlthoughItHangs(handler: (name: String, function: String), bySignal: Bool) async throws {
      let process = try sandbox.probeExtension(
        handler.name, ["--hang-timeout", "2"] + (bySignal ? [] : ["--duration", "2"]))
      try await process.event("started")
      // An earlier signal would end the broadcast before it hangs.
      if bySignal, handler.name != "BlockedEndHandler" { try await process.event("call") }
      if bySignal { process.send(SIGTERM) }
      #expect(try await (process.exitCode(), process.event("finished").text("reason")) == (76, "hung"))
      #expect(process.errors.contains(handler.function), "\(process.errors)")
    }

    @Test func aSecondSignalEndsAHangingMainThread() async throws {
      let process = try sandbox.probeExtension("DeadlockHandler", [])
      _ = try await blockedCall(of: process)
      process.send(SIGTERM)
      try await eventually("an end after a second") {
        process.send(SIGTERM)
        return !process.isRunning
      }
      #expect(try await process.exitCode() == 76)
    }

    @Test(arguments: ["ComputingHandler", "EncodingHandler"])
    func aCallForWhichSomethingWorksIsNotBlocked(handler: String) async throws {
      let process = try sandbox.probeExtension(handler, [])
      try await process.event("started")
      process.send(SIGTERM)
      #expect(try await process.exitCode() == 0, "\(process.errors)")
      let calls = try process.events("call")
      #expect(calls.count >= 2 && calls.allSatisfy { $0.boolean("isBlocked") == false }, "\(process.errors)")
    }
  }
}
