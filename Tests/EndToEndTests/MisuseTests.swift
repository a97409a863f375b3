import Testing

extension EndToEndTests {
  /// What a handler should not do with its samples is told as what it is, and stops nothing.
  @MainActor @Suite struct MisuseTests {
    let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    @Test(arguments: [
      ("UnlockingHandler", ["unlocked"], "CVPixelBufferLockBaseAddress first"),
      ("LateHandler", ["afterReturn"], "copy what is needed before"),
      ("KeepingHandler", ["kept"], "let the sample go"), ("HoardingHandler", ["leftLocked"], "as often as"),
    ])
    func aHandlersMisuseIsTold(handler: String, kinds: [String], wayOut: String) async throws {
      let misuser = try sandbox.probeExtension(handler, ["--frames", "20"])
      #expect(try await misuser.exitCode() == 0)
      #expect(try misuser.events("misuse").compactMap { $0.text("kind") } == kinds)
      #expect(misuser.errors.contains(wayOut))
      let finished = try await misuser.event("finished")
      #expect(finished.integer("framesProduced") == 20)
      #expect(try #require(finished.integer("misuses")) >= 1)
    }

    @Test func theArticlesHandlerMisusesNothing() async throws {
      let producer = try sandbox.producer("--frames", "30")
      #expect(try await producer.exitCode() == 0)
      #expect(try await producer.event("finished").integer("misuses") == 0)
      #expect(try producer.events("misuse").isEmpty)
    }
  }
}
